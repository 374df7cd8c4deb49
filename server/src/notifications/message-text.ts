import { fill, ruleOf, type SlowChannel } from '@waybill/contract';
import type { Texts } from '@waybill/contract/texts/en';
import { texts as english } from '@waybill/contract/texts/en';
import type { Ctx } from '../ctx.ts';
import { languages } from '../platform/languages.ts';
import { imageUrl } from '../images/names.ts';
import { hasPasswordLink } from '../users/mailed-links.ts';
import { composeMail, type MessageContent } from './mail.ts';
import { findTemplate, type RenderedText } from './render.ts';
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
}

/** @returns null if this version has no text for it: a newer one has queued it */
export async function contentOf(
  { db, settings }: Pick<Ctx, 'db' | 'settings'>,
  { channel, type, audience, parameters, language }: TextSource,
): Promise<MessageContent | null> {
  const texts = textsIn(language);
  const found = findTemplate(audience, type, parameters, texts);
  if (!found) return null;
  const { key, template, values } = found;
  // Nothing about people or packages passes through a push service, nor stands on a locked screen.
  if (channel === 'push') return { subject: fill(template.title, values), paragraphs: [texts.notifications.push.body] };
  const { organisationName: organisation } = await settings.find();
  const changed = await findChangedText(db, kindOf(audience, key), language);
  return fillContent(changed ?? builtInText(type, template), { ...values, organisation });
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
  paragraphs: paragraphs.map((paragraph) => fill(paragraph, values)),
});

export const textsIn = (language: string): Texts => languages.get(language) ?? english;

export interface ComposedMessage {
  organisation: string;
  replyTo: string | null;
  /** The page that it is about. */
  path: string;
  text: string;
  /** Of an e-mail. */
  html: string | null;
}

/** @param token of a link that sets a password: known to the sender alone, and hidden from everybody else */
export async function composeMessage(
  { config, settings }: Pick<Ctx, 'config' | 'settings'>,
  content: MessageContent,
  source: TextSource,
  token = '…',
): Promise<ComposedMessage> {
  const { organisationName: organisation, logo, replyAddress: replyTo } = await settings.find();
  const origin = config.PUBLIC_URL?.replace(/\/+$/, '') ?? null;
  const isLink = source.channel === 'email' && hasPasswordLink(source.type);
  const path = isLink ? `/reset#token=${token}` : pathOf(source);
  if (source.channel === 'push') return { organisation, replyTo, path, text: content.paragraphs.join(' '), html: null };
  if (source.channel === 'sms')
    return {
      organisation,
      replyTo,
      path,
      text: composeSms(content, organisation, origin && origin + path),
      html: null,
    };
  const composed = composeMail(content, {
    organisation,
    origin,
    path,
    action: isLink ? textsIn(source.language).notifications.mail.setPassword : null,
    logo: logo && imageUrl(logo),
    language: source.language,
    texts: textsIn(source.language),
  });
  return { ...composed, organisation, replyTo, path };
}

/** Characters of the text without the link: with it at most four parts of a message of 153 characters. */
const maxSmsText = 480;

function composeSms({ paragraphs }: MessageContent, organisation: string, link: string | null): string {
  const text = `${organisation}: ${paragraphs.join(' ')}`;
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
function pathOf({ type, audience, package_id: packageId, incident_number: incident, role }: TextSource): string {
  if (type === 'message.received') return '/admin/messages';
  if (type === 'account.waiting') return '/admin/users?awaitsApproval=true';
  if (type === 'password.reset-requested') return '/admin/users';
  if (packageId === null) return '/account';
  if (audience === 'admins' && incident !== null) return `/admin/dashboard?incident=${incident}`;
  return role === 'driver' ? '/driver/dashboard' : `/owner/package/${packageId}`;
}
