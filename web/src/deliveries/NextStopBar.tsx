import type { Delivery } from '@waybill/contract';
import { Check } from 'lucide-react';
import { Button } from '../ui/Button.tsx';
import type { Ask } from './delivery-dialogs.ts';

/** On phones: the one next action, always in the thumb's reach. */
export function NextStopBar({ delivery, onAsk }: { delivery: Delivery; onAsk: Ask }) {
  return (
    <div className="sticky bottom-0 z-20 -mx-4 mt-6 -mb-6 border-t border-line bg-surface px-4 pt-3 pb-[max(0.75rem,env(safe-area-inset-bottom))] md:hidden">
      <p className="mb-2 truncate text-table text-ink-2">
        Next stop:{' '}
        <span className="font-medium text-ink">
          {delivery.recipientAddress ?? delivery.location ?? delivery.packageName}
        </span>
      </p>
      <Button
        size="xl"
        fullWidth
        icon={<Check aria-hidden="true" className="size-5" />}
        onClick={() => onAsk('complete', delivery)}
      >
        Complete Delivery
      </Button>
    </div>
  );
}
