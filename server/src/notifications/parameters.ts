import {
  notificationParameters,
  ruleOf,
  type EventType,
  type NotificationParameter,
  type NotificationParameters,
  type ParametersOf,
} from '@waybill/contract';
import * as z from 'zod/mini';

/** What there is to say of an event. */
export interface NotifiableEvent {
  id: string;
  type: string;
  note: string | null;
  at: Date;
  actor_id: string | null;
  owner_id: string | null;
  driver_id: string | null;
  previous_driver_id: string | null;
  /** The account it is about. */
  user_id: string | null;
  changes: Record<string, unknown> | null;
  package_id: string | null;
  package_name: string | null;
  rating_comment: string | null;
  incident_number: number | null;
  incident_type: string | null;
  message_number: number | null;
  reporter_id: string | null;
}

/** What a notification of this type is made of; undefined for a type that only a newer version knows. */
function schemaOf(type: string): z.ZodMiniType | undefined {
  const names = ruleOf(type)?.notifies?.with;
  if (!names) return undefined;
  let schema = schemas.get(type);
  if (!schema) {
    schema = z.object(Object.fromEntries(names.map((name) => [name, notificationParameters[name]])));
    schemas.set(type, schema);
  }
  return schema;
}
const schemas = new Map<string, z.ZodMiniType>();

/** @returns null where they are not what the text is made of: an older or newer version wrote them */
export function readParameters<Type extends EventType>(type: Type, parameters: unknown): ParametersOf<Type> | null {
  const read = schemaOf(type)?.safeParse(parameters);
  return read?.success ? (read.data as ParametersOf<Type>) : null;
}

/** Those that its rule names, of all that there is to say of an event. */
export function parametersOf(event: NotifiableEvent, isLastOfDay: boolean): Partial<NotificationParameters> {
  const all: Record<NotificationParameter, unknown> = {
    packageName: event.package_name,
    note: event.note,
    incidentNumber: event.incident_number,
    incidentType: event.incident_type,
    messageNumber: event.message_number,
    stars: Number.parseInt(event.note ?? '', 10),
    comment: event.rating_comment,
    hadDriver: event.previous_driver_id !== null,
    changedFields: changedForDriver(event.changes),
    changedParts: changedParts(event.changes ?? {}),
    byThemselves: event.actor_id === event.user_id,
    isLastOfDay,
  };
  return z.parse(schemaOf(event.type) ?? z.object({}), all) as Partial<NotificationParameters>;
}

/** What of an edit its driver has to know. */
export const changedForDriver = (changes: object | null): NotificationParameters['changedFields'] =>
  (['recipientContact', 'window', 'instructions'] as const).filter((field) => changes && field in changes);

/** Own list and custom role are both rights to whoever has them. */
const changedParts = (changes: object): NotificationParameters['changedParts'] => [
  ...new Set(Object.keys(changes).map((field) => parts.find((part) => part === field) ?? 'rights')),
];
const parts = ['name', 'role', 'status'] as const;
