import type { Package } from '@waybill/contract';
import { DottedParts } from '../ui/DottedParts.tsx';
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
  return <DottedParts parts={[where, owner && `From: ${owner}`]} />;
}
