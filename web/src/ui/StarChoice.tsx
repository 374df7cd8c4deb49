import { Star } from 'lucide-react';
import { useId } from 'react';
import { classes } from './classes.ts';

const names = ['Very bad', 'Bad', 'Fair', 'Good', 'Very good'];

interface StarChoiceProps {
  /** 1 to 5, or 0 for none yet. */
  value: number;
  onChange: (stars: number) => void;
  label: string;
  /** Below the stars; the error takes its place. */
  hint?: string;
  error?: string;
}

/** One to five stars as radio buttons, so that arrow keys and screen readers work. */
export function StarChoice({ value, onChange, label, hint, error }: StarChoiceProps) {
  const name = useId();
  const noteId = `${name}-note`;
  return (
    <fieldset aria-describedby={error || hint ? noteId : undefined}>
      <legend className="text-ui font-medium text-ink">{label}</legend>
      <div className="mt-1 -ml-2 flex items-center">
        {names.map((text, index) => {
          const stars = index + 1;
          return (
            <span
              key={text}
              className="relative flex size-11 items-center justify-center rounded-control has-focus-visible:outline-2 has-focus-visible:outline-focus"
            >
              <input
                type="radio"
                name={name}
                value={stars}
                checked={value === stars}
                onChange={() => onChange(stars)}
                aria-label={`${stars} of 5: ${text}`}
                className="absolute inset-0 cursor-pointer opacity-0"
              />
              <Star
                aria-hidden="true"
                strokeWidth={1.5}
                className={classes(
                  'pointer-events-none size-7',
                  stars <= value ? 'fill-yellow-dot text-yellow-dot' : 'text-control',
                )}
              />
            </span>
          );
        })}
        <span aria-hidden="true" className="ml-2 text-ui text-ink-2">
          {names[value - 1]}
        </span>
      </div>
      {!error && hint && (
        <p id={noteId} className="mt-1 text-table text-ink-3">
          {hint}
        </p>
      )}
      {error && (
        <p id={noteId} role="alert" className="mt-1 text-table text-danger">
          {error}
        </p>
      )}
    </fieldset>
  );
}
