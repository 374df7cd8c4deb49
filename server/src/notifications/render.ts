import { audiences, type Audience, type EventType } from '@waybill/contract';
import type { Actor } from '../platform/auth/sessions.ts';
import { readParameters } from './parameters.ts';
import { templates, type RenderedText } from './templates.ts';

/** The audiences of administrators. Users who have lost these rights no longer see the text. */
const adminAudiences: readonly string[] = ['admins', 'accountAdmins'] satisfies Audience[];

interface StoredNotification {
  /** The audience that the reader belonged to. */
  audience: string | null;
  type: string;
  parameters: unknown;
  /** The text that a server of 0.2.0 wrote, or that was written for one. */
  title: string;
  body: string;
}

/** The only place that renders notifications. @returns null if this version has no template for it or cannot read its parameters */
export function renderTemplate(audience: string, type: string, parameters: unknown): RenderedText | null {
  const ofAudience: Partial<Record<string, (parameters: never) => RenderedText>> = Object.hasOwn(templates, audience)
    ? templates[audience as Audience]
    : {};
  const template = ofAudience[type];
  const read = template && readParameters(type as EventType, parameters);
  return read ? template(read) : null;
}

/** Renders a notification for its reader. One that was stored without parameters keeps its stored text. */
export function render(
  reader: Pick<Actor, 'permissions' | 'role'>,
  { audience, type, parameters, title, body }: StoredNotification,
  isTheirs: boolean,
): RenderedText {
  if (audience === null || parameters === null) return { title, body };
  const rendered = renderTemplate(audience, type, parameters) ?? { title, body };
  return isTheirs || belongsTo(reader, audience)
    ? rendered
    : { ...rendered, body: 'You can no longer see what this was about.' };
}

const belongsTo = ({ permissions, role }: Pick<Actor, 'permissions' | 'role'>, audience: string): boolean =>
  !adminAudiences.includes(audience) ||
  audiences[audience as Audience].some((one) => role === one || (permissions as readonly string[]).includes(one));
