import type { PackageEvent, UserEvent } from './record.ts';

export const jobNames = ['notify-owner'] as const;
export type JobName = (typeof jobNames)[number];

/** The whole reaction map: event -> the jobs it causes. Each job gets `{ eventId }` and may run more than once. */
export const reactions: Partial<Record<PackageEvent['type'] | UserEvent['type'], readonly JobName[]>> = {
  'delivery.started': ['notify-owner'],
  'delivery.next': ['notify-owner'],
  'delivery.completed': ['notify-owner'],
  'delivery.failed': ['notify-owner'],
  'delivery.assigned': ['notify-owner'],
  'package.cancelled': ['notify-owner'],
  'package.deleted': ['notify-owner'],
};
