import { useId } from 'react';
import type { ReactNode } from 'react';
import { classes } from './classes.ts';

interface CardProps {
  title?: ReactNode;
  description?: ReactNode;
  /** To the right of the title. */
  actions?: ReactNode;
  /** Without inner padding, for lists and tables that reach the edges. */
  flush?: boolean;
  /** The level of the title's heading. */
  level?: 2 | 3;
  children?: ReactNode;
}

/** A surface with a thin border. With a title it is a labelled section. */
export function Card({ title, description, actions, flush = false, level = 2, children }: CardProps) {
  const titleId = useId();
  const Heading = level === 2 ? 'h2' : 'h3';
  const Box = title ? 'section' : 'div';
  return (
    <Box
      aria-labelledby={title ? titleId : undefined}
      className="rounded-card border border-line bg-surface [--row-edge:1.25rem]"
    >
      {(title || actions) && (
        <div
          className={classes(
            'flex flex-wrap justify-between gap-x-4 gap-y-2 px-5 pt-4',
            // Fields below the buttons do not move the title down.
            description ? 'items-start' : 'items-center has-[input]:items-baseline',
            flush && 'pb-4',
          )}
        >
          <div className="min-w-0">
            {title && (
              <Heading id={titleId} className="text-body font-semibold text-ink">
                {title}
              </Heading>
            )}
            {description && <p className="mt-0.5 text-ui text-ink-2">{description}</p>}
          </div>
          {actions}
        </div>
      )}
      <div className={classes(!flush && 'px-5 pb-5', !flush && (title ? 'pt-4' : 'pt-5'))}>{children}</div>
    </Box>
  );
}
