import {
  notificationParameters,
  ruleOf,
  type EventType,
  type NotificationParameter,
  type NotificationParameters,
  type ParametersOf,
} from '@waybill/contract';
import * as z from 'zod/mini';

/** An event with everything that notification texts can use. */
export interface NotifiableEvent {
  id: string;
  type: string;
  note: string | null;
  at: Date;
  actor_id: string | null;
  owner_id: string | null;
  driver_id: string | null;
  previous_driver_id: string | null;
  /** The account that the event is about. */
  user_id: string | null;
  changes: Record<string, unknown> | null;
  package_id: string | null;
  tracking_id: string | null;
  package_name: string | null;
  rating_comment: string | null;
  incident_number: number | null;
  incident_type: string | null;
  message_number: number | null;
  reporter_id: string | null;
  /** Whether its package goes back to its owner now. */
  return_due: boolean;
}

/** The schema of the parameters of an event type; undefined for a type that only a newer version has. */
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

/** @returns null if the parameters do not match the type's schema: an older or newer version wrote them */
export function readParameters<Type extends EventType>(type: Type, parameters: unknown): ParametersOf<Type> | null {
  const read = schemaOf(type)?.safeParse(parameters);
  return read?.success ? (read.data as ParametersOf<Type>) : null;
}

/** The parameters that the event's rule names. */
export function parametersOf(event: NotifiableEvent, isLastOfDay: boolean): Partial<NotificationParameters> {
  const all: Record<NotificationParameter, unknown> = {
    packageName: event.package_name,
    note: event.note,
    wish: wishOf(event.note),
    incidentNumber: event.incident_number,
    incidentType: event.incident_type,
    messageNumber: event.message_number,
    stars: Number.parseInt(event.note ?? '', 10),
    comment: event.rating_comment,
    hadDriver: event.previous_driver_id !== null,
    goesBack: event.return_due,
    changedFields: changedForDriver(event.changes),
    changedParts: changedParts(event.changes ?? {}),
    byThemselves: event.actor_id === event.user_id,
    leavesStops: event.changes !== null && 'leavesStops' in event.changes,
    isLastOfDay,
  };
  return z.parse(schemaOf(event.type) ?? z.object({}), all) as Partial<NotificationParameters>;
}

/** By the English sentence that the event has (server/src/recipients/changes.ts). */
const wishes = {
  'Deliver on ': 'reschedule',
  'Deliver ': 'window',
  'Leave in a safe place: ': 'safe_place',
  'Leave with a neighbour: ': 'neighbour',
  'Instructions: ': 'instructions',
  'The recipient collects it': 'collect',
  'Taken back: ': 'withdrawn',
} as const;

/** What a note says that the recipient changed; null for other notes. */
export const wishOf = (note: string | null): NonNullable<NotificationParameters['wish']> | null =>
  Object.entries(wishes).find(([beginning]) => note?.startsWith(beginning))?.[1] ?? null;

/** The changed fields that the driver is notified of. */
export const changedForDriver = (changes: object | null): NotificationParameters['changedFields'] =>
  (['recipientContact', 'window', 'instructions'] as const).filter((field) => changes && field in changes);

/** A permission list of the account and a custom role are both shown as rights. */
const changedParts = (changes: object): NotificationParameters['changedParts'] => [
  ...new Set(Object.keys(changes).map((field) => parts.find((part) => part === field) ?? 'rights')),
];
const parts = ['name', 'role', 'status'] as const;

/** What of an edit the recipient is told: when and where it comes. */
export const changedForRecipient = (changes: object | null): boolean =>
  changes !== null && ['window', 'eta', 'address'].some((field) => field in changes);
