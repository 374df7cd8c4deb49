import type { SentState, SuppressionReason } from '@waybill/contract';
import { Ban, CircleAlert, CircleCheck, Clock, Inbox, Send } from 'lucide-react';

export const deliveryStatusStyles = {
  queued: { label: 'Waiting', tone: 'yellow', icon: Clock },
  held: { label: 'Held', tone: 'grey', icon: Inbox },
  sent: { label: 'Handed over', tone: 'blue', icon: Send },
  // Not 'Delivered', which is a status of packages.
  delivered: { label: 'Sent', tone: 'green', icon: CircleCheck },
  failed: { label: 'Failed', tone: 'red', icon: CircleAlert },
  suppressed: { label: 'Not sent', tone: 'grey', icon: Ban },
} as const satisfies Record<SentState, object>;

/** What a state means where its name does not say it. */
export const stateHints: Partial<Record<SentState, string>> = {
  held: 'Nothing is set up to send it yet. Once something is, it is sent if it still applies.',
  sent: 'The mail server or the provider has accepted it.',
};

export const reasonTexts: Record<SuppressionReason, string> = {
  opted_out: 'The recipient has turned this kind off',
  quiet_hours: 'It would have been over before the quiet hours of the recipient end',
  limit: 'The recipient has had six messages about this package within a day',
  no_address: 'There is no address to send it to',
  bounced: 'Earlier emails to this address came back: correct it, or retry once it works again',
  late: 'What it tells of was over before it could be sent',
};
