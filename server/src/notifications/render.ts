import {
  audiences,
  fill,
  type Audience,
  type EventType,
  type NotificationParameter,
  type NotificationParameters,
} from '@waybill/contract';
import { texts as english, type Texts } from '@waybill/contract/texts/en';
import type { Actor } from '../platform/auth/sessions.ts';
import { readParameters } from './parameters.ts';

export interface RenderedText {
  title: string;
  body: string;
}

/** A reader, and the texts of their language. */
export interface Reader extends Pick<Actor, 'permissions' | 'role'> {
  texts: Texts;
}

/** The audiences of administrators. Users who have lost these rights no longer see the text. */
const adminAudiences: readonly string[] = ['admins', 'dispatchers', 'accountAdmins'] satisfies Audience[];

interface StoredNotification {
  /** The audience that the reader belonged to. */
  audience: string | null;
  type: string;
  parameters: unknown;
  /** The text that a server of 0.2.0 wrote, or that was written for one. */
  title: string;
  body: string;
}

/** A template of the catalogue for given parameters. */
interface FoundTemplate {
  /** Among those of its audience: the event's type, with the variant. */
  key: string;
  template: RenderedText;
  /** The values of its placeholders. */
  values: Record<string, string | number>;
}

/** @returns null if this version has no template for it or cannot read its parameters */
export function findTemplate(audience: string, type: string, parameters: unknown, texts: Texts): FoundTemplate | null {
  const { templates } = texts.notifications;
  const ofAudience: Partial<Record<string, RenderedText>> = Object.hasOwn(templates, audience)
    ? templates[audience as Audience]
    : {};
  if (!Object.hasOwn(ofAudience, type)) return null;
  const read: Partial<NotificationParameters> | null = readParameters(type as EventType, parameters);
  if (!read) return null;
  const variant = type + variantOf(read);
  const key = ofAudience[variant] ? variant : type;
  const template = ofAudience[key];
  return template ? { key, template, values: valuesOf(read, texts) } : null;
}

/** `fill` for sentences: a reason that ends with a mark of its own takes the place of the full stop after it. */
export const fillSentences = (text: string, values: Readonly<Record<string, string | number>>): string =>
  fill(/[.!?…]$/.test(String(values.reason)) ? text.replaceAll('{reason}.', '{reason}') : text, values);

/** The only place that renders notifications in the app. @returns null if this version has no text for it */
export function renderTemplate(
  audience: string,
  type: string,
  parameters: unknown,
  texts: Texts = english,
): RenderedText | null {
  const found = findTemplate(audience, type, parameters, texts);
  if (!found) return null;
  const { template, values } = found;
  return { title: fill(template.title, values), body: fillSentences(template.body, values) };
}

/** The suffix of a template's key for events with more than one text. */
function variantOf({
  hadDriver,
  goesBack,
  isLastOfDay,
  byThemselves,
  leavesStops,
}: Partial<NotificationParameters>): string {
  if (hadDriver) return '/again';
  if (goesBack) return '/back';
  if (isLastOfDay) return '/many';
  if (leavesStops) return '/stops';
  return byThemselves ? '/themselves' : '';
}

/** The placeholder that a parameter fills; null for those that only choose between texts. */
export const placeholderOf: Record<NotificationParameter, string | null> = {
  packageName: 'packageName',
  note: 'reason',
  wish: 'wish',
  comment: 'reason',
  incidentNumber: 'incidentNumber',
  incidentType: 'incidentType',
  messageNumber: 'messageNumber',
  stars: 'stars',
  changedFields: 'changedFields',
  changedParts: 'changedParts',
  hadDriver: null,
  goesBack: null,
  byThemselves: null,
  leavesStops: null,
  isLastOfDay: null,
};

/** By language: making one takes longer than all else of a text. */
const listFormats = new Map<string, Intl.ListFormat>();

function listFormatOf(locale: string): Intl.ListFormat {
  const format = listFormats.get(locale) ?? new Intl.ListFormat(locale);
  listFormats.set(locale, format);
  return format;
}

/** The values of a template's placeholders. */
export function valuesOf(
  { packageName, incidentNumber, incidentType, messageNumber, stars, ...given }: Partial<NotificationParameters>,
  { locale, notifications: { reason, wishes, changedFields, changedParts } }: Texts,
): Record<string, string | number> {
  const listed = (items: string[]) => listFormatOf(locale).format(items);
  const note = given.note ?? given.comment;
  const fields = (given.changedFields ?? []).map((field) => changedFields[field]);
  const parts = (given.changedParts?.length ? given.changedParts : (['rights'] as const)).map(
    (part) => changedParts[part],
  );
  return {
    ...(packageName !== undefined && { packageName }),
    ...(incidentNumber !== undefined && { incidentNumber }),
    ...(incidentType !== undefined && { incidentType }),
    ...(messageNumber !== undefined && { messageNumber }),
    ...(stars !== undefined && { stars }),
    reason: note ? fill(reason, { note }) : '',
    wish: given.wish ? fill(reason, { note: wishes[given.wish] }) : '',
    changedFields: listed(fields),
    changedParts: listed(parts),
  };
}

/** Renders a notification for its reader. One that was stored without parameters keeps its stored text. */
export function render(
  reader: Reader,
  { audience, type, parameters, title, body }: StoredNotification,
  isTheirs: boolean,
): RenderedText {
  if (audience === null || parameters === null) return { title, body };
  const rendered = renderTemplate(audience, type, parameters, reader.texts) ?? { title, body };
  return isTheirs || belongsTo(reader, audience)
    ? rendered
    : { ...rendered, body: reader.texts.notifications.noLongerVisible };
}

const belongsTo = ({ permissions, role }: Reader, audience: string): boolean =>
  !adminAudiences.includes(audience) ||
  audiences[audience as Audience].some((one) => role === one || (permissions as readonly string[]).includes(one));
