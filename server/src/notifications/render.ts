import { audiences, type Audience, type EventType } from '@waybill/contract';
import type { Actor } from '../platform/auth/sessions.ts';
import { readParameters } from './parameters.ts';
import { templates, type RenderedText } from './templates.ts';

/** Who is told as an administrator: with these rights they see what it is about, and without them nothing of it. */
const administering: readonly string[] = ['admins', 'accountAdmins'] satisfies Audience[];

interface StoredNotification {
  /** As whom the reader was told. */
  audience: string | null;
  type: string;
  parameters: unknown;
  /** As a server of 0.2.0 wrote it, or for such a one. */
  title: string;
  body: string;
}

/** The one place where a notification becomes words. @returns null where this version cannot say it */
export function renderTemplate(audience: string, type: string, parameters: unknown): RenderedText | null {
  const ofAudience: Partial<Record<string, (parameters: never) => RenderedText>> = Object.hasOwn(templates, audience)
    ? templates[audience as Audience]
    : {};
  const template = ofAudience[type];
  const read = template && readParameters(type as EventType, parameters);
  return read ? template(read) : null;
}

/** As it is read now, by whoever was told. What was stored as text stays as it is. */
export function render(
  reader: Pick<Actor, 'permissions' | 'role'>,
  { audience, type, parameters, title, body }: StoredNotification,
  isTheirs: boolean,
): RenderedText {
  if (audience === null || parameters === null) return { title, body };
  const words = renderTemplate(audience, type, parameters) ?? { title, body };
  return isTheirs || holds(reader, audience) ? words : { ...words, body: 'You can no longer see what this was about.' };
}

const holds = ({ permissions, role }: Pick<Actor, 'permissions' | 'role'>, audience: string): boolean =>
  !administering.includes(audience) ||
  audiences[audience as Audience].some((one) => role === one || (permissions as readonly string[]).includes(one));
