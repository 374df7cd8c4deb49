import { Fragment } from 'react';
import type { Missing } from './create-sections.ts';

/** As many as fit in a line. One more is named, too: 'and 1 more' would be as long. */
const maxNamed = 3;

/** What the form still needs, in words that lead to it. */
export function MissingWords({
  missing,
  onChoose,
}: {
  missing: readonly Missing[];
  onChoose: (field: Missing) => void;
}) {
  if (missing.length === 0)
    return <p className="text-table text-ink-2">Everything required is there. Delivery and pictures are optional.</p>;
  const named = missing.length <= maxNamed + 1 ? missing : missing.slice(0, maxNamed);
  const others = missing.length - named.length;
  return (
    <p className="text-table text-ink-2">
      Still needed:{' '}
      {named.map((field, index) => (
        <Fragment key={field.path}>
          {index > 0 && (others === 0 && index === named.length - 1 ? ' and ' : ', ')}
          <button
            type="button"
            onClick={() => onChoose(field)}
            className="rounded-[2px] font-medium text-brand underline underline-offset-2 hover:text-brand-strong"
          >
            {field.label}
          </button>
        </Fragment>
      ))}
      {others > 0 && ` and ${others} more`}
    </p>
  );
}
