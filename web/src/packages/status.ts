import type { Tone } from '../ui/tone.ts';

interface StatusStyle {
  label: string;
  tone: Tone;
  /** Progress in percent on the public tracker. */
  trackerProgress: number;
  /** Progress in percent in the owner's list. */
  ownerProgress: number;
}

const styles: Record<string, StatusStyle> = {
  processing: { label: 'Processing', tone: 'yellow', trackerProgress: 10, ownerProgress: 25 },
  'in transit': { label: 'Out for Delivery', tone: 'blue', trackerProgress: 50, ownerProgress: 75 },
  'out for delivery': { label: 'Out for Delivery', tone: 'blue', trackerProgress: 75, ownerProgress: 75 },
  delivered: { label: 'delivered', tone: 'green', trackerProgress: 100, ownerProgress: 100 },
  cancelled: { label: 'cancelled', tone: 'red', trackerProgress: 0, ownerProgress: 10 },
};

/** Label, colour and progress of a status; an unknown one is shown as it is. Case-insensitive. */
export const statusStyle = (status: string): StatusStyle =>
  styles[status.toLowerCase()] ?? { label: status, tone: 'grey', trackerProgress: 0, ownerProgress: 10 };
