import type { TemplateKind } from '@waybill/contract';

/** Who gets a message, in the order of the choice. */
export const audienceTexts: Record<string, string> = {
  recipient: 'Recipients',
  owner: 'Package owners',
  driver: 'Drivers',
  formerDriver: 'Drivers who had or offered the delivery',
  reporter: 'Whoever reported an issue',
  admins: 'Administrators',
  dispatchers: 'Dispatchers',
  accountAdmins: 'Account administrators',
  account: 'The account holder',
};

const variantTexts: Record<string, string> = {
  again: 'instead of another one',
  many: 'the last of a day',
  themselves: 'by themselves',
  stops: 'with stops on these days',
};

export const nameOfTemplate = ({ title, variant }: TemplateKind): string =>
  variant ? `${title} (${variantTexts[variant] ?? variant})` : title;

/** What a placeholder stands for. */
export const placeholderTexts: Record<string, string> = {
  packageName: 'Package name',
  organisation: 'Organisation',
  reason: 'Reason, after a colon',
  wish: 'What the recipient wishes, after a colon',
  incidentNumber: 'Incident number',
  incidentType: 'Incident type',
  messageNumber: 'Message number',
  stars: 'Stars',
  changedFields: 'What was changed',
  changedParts: 'What was changed',
  sender: 'The name of the sender, if they show it',
  trackingId: 'The tracking ID',
  when: 'When the driver is expected',
  planned: 'For when it is planned',
  plan: 'What happens with it, when and where',
  next: 'What comes next',
  received: 'Who received it',
  place: 'Where it was delivered',
};

/** Paragraphs are separated by a blank line. */
export const textOf = (paragraphs: readonly string[]): string => paragraphs.join('\n\n');
export const paragraphsOf = (text: string): string[] =>
  text
    .split(/\n\s*\n/)
    .map((paragraph) => paragraph.trim())
    .filter((paragraph) => paragraph !== '');
