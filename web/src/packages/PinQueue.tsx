import type { Package } from '@waybill/contract';
import { useState } from 'react';
import { toast } from '../platform/toasts.ts';
import { classes } from '../ui/classes.ts';
import { PinDialog } from './PinDialog.tsx';

interface PinQueueProps {
  /** What waited for a pin when the queue was opened. */
  packages: readonly Package[];
  onClose: () => void;
}

/** A pin of one package gives its owner's other packages to the address their place as well. */
const isSameAddress = (one: Package, other: Package) =>
  one.userId === other.userId && one.recipientAddress === other.recipientAddress;

/** Sets pin after pin: the next address follows by itself, and any other can be chosen from the list. */
export function PinQueue({ packages, onClose }: PinQueueProps) {
  const [left, setLeft] = useState(packages);
  const [chosenId, setChosenId] = useState<string | null>(null);
  const current = left.find(({ id }) => id === chosenId) ?? left[0];
  if (!current) return null;
  const at = left.indexOf(current);
  const distinct = left.filter((pkg, index) => left.findIndex((other) => isSameAddress(pkg, other)) === index);

  const saved = () => {
    const rest = left.filter((pkg) => !isSameAddress(pkg, current));
    setLeft(rest);
    setChosenId(rest.find((pkg) => left.indexOf(pkg) > at)?.id ?? null);
    if (rest.length > 0) return toast({ title: 'Pin set', description: current.recipientAddress ?? undefined });
    toast({ title: 'All pins are set' });
    onClose();
  };
  const skip = () => {
    const position = distinct.findIndex((pkg) => isSameAddress(pkg, current));
    setChosenId(distinct[(position + 1) % distinct.length]?.id ?? null);
  };
  return (
    <PinDialog pkg={current} onClose={onClose} onSaved={saved} onSkip={distinct.length > 1 ? skip : undefined}>
      {distinct.length > 1 && (
        <section aria-label="Addresses without a pin" className="mt-5">
          <p className="mb-2 text-ui font-medium">{distinct.length} addresses without a pin</p>
          <ul className="max-h-48 divide-y divide-line overflow-y-auto rounded-card border border-line">
            {distinct.map((pkg) => {
              const isCurrent = isSameAddress(pkg, current);
              return (
                <li key={pkg.id}>
                  <button
                    type="button"
                    aria-current={isCurrent || undefined}
                    onClick={() => setChosenId(pkg.id)}
                    className={classes(
                      'flex min-h-11 w-full flex-wrap items-center justify-between gap-x-4 px-3 py-2 text-left text-ui wrap-anywhere hover:bg-sunken focus-visible:-outline-offset-2',
                      isCurrent && 'bg-brand-soft font-medium',
                    )}
                  >
                    <span>{pkg.recipientAddress}</span>
                    <span className="code text-meta text-ink-3">{pkg.trackingId}</span>
                  </button>
                </li>
              );
            })}
          </ul>
        </section>
      )}
    </PinDialog>
  );
}
