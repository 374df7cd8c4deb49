import type { ReactNode } from 'react';

interface EmptyStateProps {
  /** A line icon. */
  icon?: ReactNode;
  /** In place of an icon, where the whole page or list is empty: a `ParcelDrawing`. */
  drawing?: ReactNode;
  /** One line: why there is nothing here. */
  title: ReactNode;
  description?: ReactNode;
  /** One primary action. */
  action?: ReactNode;
}

export function EmptyState({ icon, drawing, title, description, action }: EmptyStateProps) {
  return (
    <div className="flex flex-col items-center px-4 py-12 text-center">
      {drawing}
      {icon && (
        <span
          aria-hidden="true"
          className="mb-4 flex size-14 items-center justify-center rounded-full bg-sunken text-ink-3 [&_svg]:size-6"
        >
          {icon}
        </span>
      )}
      <p className="max-w-prose text-body font-medium text-balance text-ink">{title}</p>
      {description && <p className="mt-1 max-w-prose text-ui text-balance text-ink-2">{description}</p>}
      {action && <div className="mt-5">{action}</div>}
    </div>
  );
}
