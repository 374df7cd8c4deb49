import type { Package } from '@waybill/contract';
import { formatWindow } from './formats.ts';

/** Where a package goes, by when, and whose it is, as far as the reader may see it. */
export interface DestinationInfo {
  recipientAddress: string | null;
  window: Package['window'];
  /** The owner's name; left out where it is told elsewhere. */
  owner?: string | null;
}

/** In one line of a dispatcher's list: street, postcode and city, preferred time, owner. */
export function Destination({ recipientAddress, window, owner }: DestinationInfo) {
  const parts = [recipientAddress ?? 'No address given', window && formatWindow(window), owner && `From: ${owner}`];
  return <span className="figures wrap-anywhere">{parts.filter(Boolean).join(' · ')}</span>;
}
