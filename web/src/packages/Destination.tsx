import type { Package } from '@waybill/contract';
import { formatWindow } from './formats.ts';

/** Where a package goes, when, and its owner; null for what the reader's permissions hide. */
export interface DestinationInfo {
  recipientAddress: string | null;
  window: Package['window'];
  /** The owner's name; omitted where the screen already shows it. */
  owner?: string | null;
}

/** One line for a dispatcher's list: street, postcode and city, preferred time, owner. */
export function Destination({ recipientAddress, window, owner }: DestinationInfo) {
  const where = [recipientAddress ?? 'No address given', window && formatWindow(window)].filter(Boolean).join(' · ');
  return (
    <span className="figures block overflow-hidden wrap-anywhere">
      {/* The dot before each part is cut off where the part begins a line. */}
      <span className="-ml-2.5 flex flex-wrap">
        <span className="pl-2.5">{where}</span>
        {owner && (
          <span className="relative pl-2.5">
            <span className="absolute left-0 whitespace-pre"> · </span>
            From: {owner}
          </span>
        )}
      </span>
    </span>
  );
}
