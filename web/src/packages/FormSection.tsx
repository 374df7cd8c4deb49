import { Check, ChevronDown, Pencil } from 'lucide-react';
import { useId } from 'react';
import type { ReactNode } from 'react';
import { classes } from '../ui/classes.ts';

export interface FormSectionProps {
  /** 1 is the first. */
  position: number;
  title: string;
  /** What is in it, in one line, while it is closed. */
  summary: ReactNode;
  /** Everything that it needs is there, and something was filled in. */
  done: boolean;
  open: boolean;
  onToggle: () => void;
  /** To the right of the title while it is open. */
  actions?: ReactNode;
  children: ReactNode;
}

/** A part of a long form: its fields, or one line that says what is in them and opens them. Closed fields keep their values. */
export function FormSection({ position, title, summary, done, open, onToggle, actions, children }: FormSectionProps) {
  const bodyId = useId();
  const number = (
    <span
      aria-hidden="true"
      className={classes(
        'flex size-7 shrink-0 items-center justify-center rounded-full text-ui font-semibold',
        done ? 'bg-success text-on-success' : open ? 'bg-brand text-on-brand' : 'bg-sunken text-ink-2',
      )}
    >
      {done ? <Check className="size-4" strokeWidth={2.5} /> : position}
    </span>
  );
  return (
    <section
      aria-label={title}
      data-form-section=""
      className={classes('rounded-card border bg-surface', open ? 'border-control/60' : 'border-line')}
    >
      <div className={classes('flex items-center gap-2 pr-4 sm:pr-5', open && 'border-b border-line')}>
        <h2 className="min-w-0 grow">
          <button
            type="button"
            aria-expanded={open}
            aria-controls={bodyId}
            onClick={onToggle}
            className="flex min-h-15 w-full items-center gap-3 rounded-card py-2.5 pl-4 text-left sm:pl-5"
          >
            {number}
            {/* On phones what is in it has a line of its own, so that it is not cut. */}
            <span className="flex min-w-0 grow items-center gap-x-3 max-sm:flex-col max-sm:items-start">
              <span className="shrink-0 text-body font-semibold">{title}</span>
              {!open && <span className="max-w-full min-w-0 text-ui text-ink-2 sm:grow sm:truncate">{summary}</span>}
            </span>
            {!open &&
              (done ? (
                <Pencil aria-hidden="true" className="size-4 shrink-0 text-ink-3" />
              ) : (
                <ChevronDown aria-hidden="true" className="size-5 shrink-0 text-ink-3" />
              ))}
          </button>
        </h2>
        {open && actions}
      </div>
      <div id={bodyId} hidden={!open} className="px-4 py-5 sm:px-5">
        {children}
      </div>
    </section>
  );
}
