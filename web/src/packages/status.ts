import type { Tone } from '../ui/tone.ts';

interface StatusStyle {
  label: string;
  tone: Tone;
  /** Percent of the way, as the public tracker draws it. */
  trackerProgress: number;
  /** Percent of the way, as the owner's list draws it. */
  ownerProgress: number;
}

const styles: Record<string, StatusStyle> = {
  processing: { label: 'Processing', tone: 'yellow', trackerProgress: 10, ownerProgress: 25 },
  'in transit': { label: 'Out for Delivery', tone: 'blue', trackerProgress: 50, ownerProgress: 75 },
  'out for delivery': { label: 'Out for Delivery', tone: 'blue', trackerProgress: 75, ownerProgress: 75 },
  delivered: { label: 'delivered', tone: 'green', trackerProgress: 100, ownerProgress: 100 },
  cancelled: { label: 'cancelled', tone: 'red', trackerProgress: 0, ownerProgress: 10 },
};

/** How a status is named, coloured and measured; unknown ones are shown as they are. Upper and lower case are one. */
export const statusStyle = (status: string): StatusStyle =>
  styles[status.toLowerCase()] ?? { label: status, tone: 'grey', trackerProgress: 0, ownerProgress: 10 };
