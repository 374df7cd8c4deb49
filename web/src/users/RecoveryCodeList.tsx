import { Button } from '../ui/Button.tsx';
import { CopyButton } from '../ui/CopyButton.tsx';

interface RecoveryCodeListProps {
  codes: readonly string[];
  onDone: () => void;
}

/** New recovery codes, which are shown only once. */
export function RecoveryCodeList({ codes, onDone }: RecoveryCodeListProps) {
  return (
    <div className="flex flex-col gap-4">
      <p className="text-ui text-ink-2">
        Keep these recovery codes where you find them without your phone. Each signs you in once in place of a code.
        They are not shown again.
      </p>
      <div className="flex items-start justify-between gap-2 rounded-card bg-sunken py-2 pr-2 pl-4">
        <ul aria-label="Recovery codes" className="code grid gap-y-1 py-2 text-ui whitespace-nowrap">
          {codes.map((code) => (
            <li key={code}>{code}</li>
          ))}
        </ul>
        <CopyButton text={codes.join('\n')} label="Copy recovery codes" />
      </div>
      <Button size="lg" onClick={onDone}>
        I Have Kept Them
      </Button>
    </div>
  );
}
