import { fill, ruleOf, type SlowChannel } from '@waybill/contract';
import type { Texts } from '@waybill/contract/texts/en';
import { texts as english } from '@waybill/contract/texts/en';
import type { Ctx } from '../ctx.ts';
import { languages } from '../platform/languages.ts';
import { imageUrl } from '../images/names.ts';
import { hasPasswordLink } from '../users/mailed-links.ts';
import { unsubscribeToken } from './blocked-addresses.ts';
import { composeMail, type MessageContent } from './mail.ts';
import { atTheDoor, findRecipientFacts, linkFor, recipientValues, type RecipientFacts } from './recipient-text.ts';
import { fillSentences, findTemplate, type RenderedText } from './render.ts';
import { findChangedText, kindOf } from './template-queries.ts';

/** What of a message its text needs. */
export interface TextSource {
  channel: SlowChannel;
  type: string;
  audience: string;
  parameters: object;
  language: string;
  package_id: string | null;
  incident_number: number | null;
  role: string | null;
  /** Of a message to the recipient of a package: what is true of it now, or null if it does not exist any more. */
  recipient: RecipientFacts | null;
}

export type WithRecipient<Source> = Source & { recipient: RecipientFacts | null };

/** Adds what is true now to messages for recipients; other messages need only what is stored with them. */
export async function withRecipients<Source extends Omit<TextSource, 'recipient'>>(
  ctx: Pick<Ctx, 'config' | 'db' | 'now' | 'urlKey'>,
  sources: Source[],
): Promise<WithRecipient<Source>[]> {
  const told = sources.flatMap(({ audience, package_id: packageId, type }, index) =>
    audience === 'recipient' && packageId !== null ? { packageId, type, index } : [],
  );
  const facts = told.length > 0 ? await findRecipientFacts(ctx, told) : [];
  const factsOf = new Map(told.map(({ index }, position) => [index, facts[position] ?? null]));
  return sources.map((source, index) => ({ ...source, recipient: factsOf.get(index) ?? null }));
}

/**
 * @param changedText finds what an administrator has written instead of the built-in text, in the language of the message
 * @returns null if this version has no text for it: a newer one has queued it. Or its package does not exist any more
 */
export async function contentOf(
  { db, settings, now }: Pick<Ctx, 'db' | 'settings' | 'now'>,
  { channel, type, audience, parameters, language, recipient }: TextSource,
  changedText = (kind: string) => findChangedText(db, kind, language),
): Promise<MessageContent | null> {
  const texts = textsIn(language);
  if (audience === 'recipient' && recipient === null) return null;
  const found = findTemplate(audience, type, parameters, texts);
  if (!found) return null;
  const { key, template, values } = found;
  // Nothing about people or packages passes through a push service, nor stands on a locked screen.
  if (channel === 'push') return { subject: fill(template.title, values), paragraphs: [texts.notifications.push.body] };
  const { organisationName: organisation, timeZone } = await settings.find();
  const changed = await changedText(kindOf(audience, key));
  const more = recipient ? recipientValues(recipient, { organisation, timeZone, now: now() }, texts) : {};
  const content = fillContent(changed ?? builtInText(type, template), { ...values, ...more, organisation });
  const asked = recipient && atTheDoor(type, recipient, texts);
  if (!asked) return content;
  // The end of a long SMS is cut off.
  const paragraphs = channel === 'sms' ? [asked, ...content.paragraphs] : [...content.paragraphs, asked];
  return { ...content, paragraphs };
}

/** The built-in text of a template, as a message. */
export const builtInText = (type: string, { title, body }: RenderedText): MessageContent => ({
  subject: ruleOf(type)?.notifies?.with.includes('packageName') ? `${title}: {packageName}` : title,
  paragraphs: [body],
});

// What a value brings along must not begin another header.
// oxlint-disable-next-line no-control-regex
const lineBreaks = /[\u0000-\u001f\u007f\u2028\u2029]+/g;

export const fillContent = (
  { subject, paragraphs }: MessageContent,
  values: Readonly<Record<string, string | number>>,
): MessageContent => ({
  subject: fill(subject, values).replace(lineBreaks, ' '),
  paragraphs: paragraphs.map((paragraph) => fillSentences(paragraph, values)),
});

export const textsIn = (language: string): Texts => languages.get(language) ?? english;

export interface ComposedMessage {
  organisation: string;
  replyTo: string | null;
  /** The page that it is about. */
  path: string;
  text: string;
  /** Of an email. */
  html: string | null;
  /** Of an email to a recipient: where one click unsubscribes. */
  unsubscribe: string | null;
}

/**
 * @param origin the address of the product, without a slash at the end, for links
 * @param token of a link that sets a password: known to the sender alone, and hidden from everybody else
 */
export async function composeMessage(
  ctx: Pick<Ctx, 'config' | 'settings' | 'urlKey'>,
  content: MessageContent,
  source: TextSource,
  origin: string | null,
  token = '…',
): Promise<ComposedMessage> {
  const { organisationName: organisation, logo, replyAddress: replyTo } = await ctx.settings.find();
  const { recipient, channel, language } = source;
  const { mail, recipient: said, unsubscribe: leaving } = textsIn(language).notifications;
  const isPassword = channel === 'email' && hasPasswordLink(source.type);
  const path = isPassword ? `/reset#token=${token}` : pathOf(source);
  const link = recipient ? linkFor(ctx, origin, recipient) : origin && origin + path;
  const to = recipient?.pkg.recipient_email ?? null;
  const unsubscribe =
    channel === 'email' && to !== null && origin !== null ? `${origin}/unsubscribe/${unsubscribeToken(ctx, to)}` : null;
  const about = { organisation, replyTo, path, unsubscribe };
  if (channel === 'push') return { ...about, text: content.paragraphs.join(' '), html: null };
  if (channel === 'sms') {
    // Twilio itself obeys the word; what a gateway does with it is not known.
    const isStoppedByProvider = ctx.config.TWILIO_ACCOUNT_SID !== undefined;
    const text = composeSms(content, organisation, link);
    return { ...about, text: recipient && isStoppedByProvider ? `${text} ${said.stop}` : text, html: null };
  }
  const opens = isPassword ? mail.setPassword : fill(mail.open, { organisation });
  const preferences = origin === null ? null : { url: `${origin}/notifications/preferences`, label: mail.choose };
  const leave = unsubscribe === null ? null : { url: unsubscribe, label: leaving.ask.title };
  const composed = composeMail(content, {
    organisation,
    origin,
    link: link === null ? null : { url: link, label: recipient ? said.open : opens },
    why: fill(recipient ? said.why : mail.why, { organisation }),
    choose: recipient ? leave : preferences,
    logo: logo && imageUrl(logo),
    language,
  });
  return { ...composed, ...about };
}

export const publicOrigin = ({ config }: Pick<Ctx, 'config'>): string | null =>
  config.PUBLIC_URL?.replace(/\/+$/, '') ?? null;

/** Characters of the text without the link: with it at most four parts of a message of 153 characters. */
const maxSmsText = 480;

function composeSms({ paragraphs }: MessageContent, organisation: string, link: string | null): string {
  // With a no-break space a part of a text message has 70 characters instead of 160.
  const said = paragraphs.join(' ').replaceAll('\u00a0', ' ');
  // Without a name of the sender, texts begin with the organisation's.
  const text = said.startsWith(`${organisation} `) ? said : `${organisation}: ${said}`;
  const cut =
    text.length > maxSmsText
      ? `${text
          .slice(0, maxSmsText - 1)
          .toWellFormed()
          .replace(/\uFFFD$/, '')}…`
      : text;
  return link ? `${cut} ${link}` : cut;
}

/** The page of a message's subject. The web application sends a signed-out reader to it after the sign-in. */
export function pathOf({
  type,
  audience,
  package_id: packageId,
  incident_number: incident,
  role,
  recipient,
}: TextSource): string {
  if (type === 'digest') return '/notifications';
  if (recipient) return `/track/${recipient.pkg.tracking_id}`;
  if (type === 'message.received') return '/admin/messages';
  if (type === 'account.waiting') return '/admin/users?awaitsApproval=true';
  if (type === 'password.reset-requested') return '/admin/users';
  if (type === 'absence.reported') return '/admin/schedule';
  if (type.startsWith('offer.')) return '/driver/dashboard';
  if (packageId === null) return '/account';
  if (type === 'package.unreachable' || type === 'package.number-unreachable')
    return `/owner/package/${packageId}/edit`;
  if (audience === 'admins' && incident !== null) return `/admin/dashboard?incident=${incident}`;
  return role === 'driver' ? '/driver/dashboard' : `/owner/package/${packageId}`;
}
