import { recipientLanguages } from '@waybill/contract';
import type { Package, RecipientLanguage, TrackingEvent } from '@waybill/contract';
import { formatDay, formatDayTime, formatWeight } from '../platform/formats.ts';

const text = (value: unknown) =>
  (typeof value === 'string' && value !== '') || typeof value === 'number' ? `${value}` : 'none';
const yesOrNo = (value: unknown) => (value ? 'yes' : 'no');
const language = (value: unknown) => recipientLanguages[value as RecipientLanguage];

type Content = Pick<Package, 'dimensions' | 'address' | 'window' | 'handling'>;

const address = (value: unknown) => {
  const { street, postalCode, city, country } = value as NonNullable<Content['address']>;
  return [street, [postalCode, city].filter(Boolean).join(' '), country].filter(Boolean).join(', ');
};
const dimensions = (value: unknown) => {
  const { width, height, length } = value as NonNullable<Content['dimensions']>;
  return `${[width, height, length].map((side) => side ?? '–').join(' × ')} cm`;
};
const window = (value: unknown) => {
  const { from, to } = value as NonNullable<Content['window']>;
  return `${formatDayTime(from)} – ${formatDayTime(to)}`;
};
const handling = (value: unknown) => {
  const { fragile, keepUpright, refrigerated, signatureRequired, pin, age, safePlace } = value as Content['handling'];
  const marks = [
    fragile && 'fragile',
    keepUpright && 'keep upright',
    refrigerated && 'refrigerated',
    signatureRequired && 'signature required',
    pin && 'PIN at the door',
    age && `ID check from ${age}`,
    safePlace && `leave in a safe place: ${safePlace}`,
  ].filter(Boolean);
  return marks.join(', ') || 'none';
};

const fields: Record<string, { label: string; show: (value: unknown) => string }> = {
  name: { label: 'Name', show: text },
  description: { label: 'Description', show: text },
  category: { label: 'Category', show: text },
  reference: { label: 'Reference', show: text },
  weight: { label: 'Weight', show: (value) => formatWeight(Number(value)) },
  dimensions: { label: 'Dimensions', show: dimensions },
  recipientName: { label: 'Recipient', show: text },
  recipientContact: { label: 'Contact', show: text },
  recipientEmail: { label: "Recipient's email", show: text },
  recipientPhone: { label: "Recipient's mobile phone", show: text },
  recipientLanguage: { label: "Recipient's language", show: language },
  location: { label: 'Location', show: text },
  eta: { label: 'Estimated Arrival', show: (value) => formatDay(String(value)) },
  address: { label: 'Address', show: address },
  window: { label: 'Preferred time', show: window },
  handling: { label: 'Special handling', show: handling },
  instructions: { label: 'Instructions', show: text },
  hideRecipient: { label: 'Recipient hidden on the public page', show: yesOrNo },
  showSender: { label: 'Sender shown on the public page', show: yesOrNo },
  allowChanges: { label: 'Recipient may change the delivery', show: yesOrNo },
  images: { label: 'Images', show: text },
};

/** Labels and formatted values of the changed fields. `from` is null where both values were redacted since. */
export function describeChanges(changes: NonNullable<TrackingEvent['changes']>) {
  return Object.entries(changes).map(([name, { from, to }]) => {
    const { label, show } = fields[name] ?? { label: name, show: text };
    const format = (value: unknown) => (value === null ? 'none' : show(value));
    return { field: label, from: from === null && to === null ? null : format(from), to: format(to) };
  });
}
