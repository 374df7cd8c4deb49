import type { ReactNode } from 'react';
import { importWithRetry } from '../platform/import-with-retry.ts';
import { lazyComponent } from '../platform/lazy-component.tsx';
import type { ParcelKind } from './ParcelDrawing.tsx';

const ParcelDrawing = lazyComponent(() =>
  importWithRetry(() => import('./ParcelDrawing.tsx')).then((module) => module.ParcelDrawing),
);

/** The drawing comes after the words; its room is kept. */
export const Parcel = ({ kind }: { kind: ParcelKind }) => (
  <div className="mb-3 h-32">
    <ParcelDrawing kind={kind} />
  </div>
);

interface EmptyStateProps {
  /** A line icon. */
  icon?: ReactNode;
  /** Drawn in place of an icon, where the whole page or list is empty. */
  parcel?: ParcelKind;
  /** One line: why there is nothing here. */
  title: ReactNode;
  description?: ReactNode;
  /** One primary action. */
  action?: ReactNode;
}

export function EmptyState({ icon, parcel, title, description, action }: EmptyStateProps) {
  return (
    <div className="flex flex-col items-center px-4 py-12 text-center">
      {parcel && <Parcel kind={parcel} />}
      {icon && (
        <span
          aria-hidden="true"
          className="mb-4 flex size-14 items-center justify-center rounded-full bg-sunken text-ink-3 [&_svg]:size-6"
        >
          {icon}
        </span>
      )}
      <p className="max-w-prose text-body font-medium text-ink">{title}</p>
      {description && <p className="mt-1 max-w-prose text-ui text-ink-2">{description}</p>}
      {action && <div className="mt-5">{action}</div>}
    </div>
  );
}
