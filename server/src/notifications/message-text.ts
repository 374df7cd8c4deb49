import type { SlowChannel } from '@waybill/contract';
import type { Texts } from '@waybill/contract/texts/en';
import { texts as english } from '@waybill/contract/texts/en';
import type { Ctx } from '../ctx.ts';
import { languages } from '../platform/languages.ts';
import { imageUrl } from '../images/names.ts';
import { composeMail, type MessageContent } from './mail.ts';
import { renderTemplate } from './render.ts';

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
export function contentOf({ channel, type, audience, parameters, language }: TextSource): MessageContent | null {
  const texts = textsIn(language);
  const rendered = renderTemplate(audience, type, parameters, texts);
  if (!rendered) return null;
  // Nothing about people or packages passes through a push service, nor stands on a locked screen.
  if (channel === 'push') return { subject: rendered.title, paragraphs: [texts.notifications.push.body] };
  const name = 'packageName' in parameters && typeof parameters.packageName === 'string' ? parameters.packageName : '';
  return { subject: name ? `${rendered.title}: ${name}` : rendered.title, paragraphs: [rendered.body] };
}

const textsIn = (language: string): Texts => languages.get(language) ?? english;

export interface ComposedMessage {
  organisation: string;
  /** The page that it is about. */
  path: string;
  text: string;
  /** Of an e-mail. */
  html: string | null;
}

export async function composeMessage(
  { config, settings }: Pick<Ctx, 'config' | 'settings'>,
  content: MessageContent,
  source: TextSource,
): Promise<ComposedMessage> {
  const { organisationName: organisation, logo } = await settings.find();
  const origin = config.PUBLIC_URL?.replace(/\/+$/, '') ?? null;
  const path = pathOf(source);
  if (source.channel === 'push') return { organisation, path, text: content.paragraphs.join(' '), html: null };
  if (source.channel === 'sms')
    return { organisation, path, text: composeSms(content, organisation, origin && origin + path), html: null };
  const composed = composeMail(content, {
    organisation,
    origin,
    path,
    logo: logo && imageUrl(logo),
    language: source.language,
    texts: textsIn(source.language),
  });
  return { ...composed, organisation, path };
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
