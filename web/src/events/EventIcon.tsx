import type { PackageEventType } from '@waybill/contract';
import {
  Ban,
  Bell,
  Check,
  CircleCheck,
  KeyRound,
  Mail,
  MapPin,
  Navigation,
  Package,
  PenLine,
  RotateCcw,
  Star,
  TriangleAlert,
  Truck,
  Undo2,
} from 'lucide-react';
import type { LucideIcon } from 'lucide-react';

const icons: Record<PackageEventType, LucideIcon> = {
  'package.created': Package,
  'package.updated': PenLine,
  'package.cancelled': Ban,
  'package.deleted': Ban,
  'delivery.started': Truck,
  'delivery.next': Navigation,
  'delivery.deferred': Undo2,
  'delivery.arrived': MapPin,
  'delivery.arrival-retracted': Undo2,
  'delivery.located': MapPin,
  'delivery.completed': Check,
  'delivery.failed': RotateCcw,
  'delivery.assigned': Truck,
  'delivery.released': Undo2,
  'delivery.stranded': TriangleAlert,
  'delivery.resumed': Truck,
  'package.changed-by-recipient': PenLine,
  'package.change-acknowledged': Check,
  'package.next-step': PenLine,
  'package.returned': Undo2,
  'package.collected': Check,
  'package.pin-locked': KeyRound,
  'package.pin-released': KeyRound,
  'delivery.reopened': RotateCcw,
  'package.messaged': Mail,
  'package.unreachable': Mail,
  'package.number-unreachable': Mail,
  'issue.reported': TriangleAlert,
  'incident.investigating': TriangleAlert,
  'incident.resolved': CircleCheck,
  'incident.reopened': TriangleAlert,
  'package.rated': Star,
  'package.rated-by-recipient': Star,
  'package.placed': MapPin,
};

const ofOthers: readonly [type: RegExp, icon: LucideIcon][] = [
  [/^(password|security|session)/, KeyRound],
  [/^message\./, Mail],
];

/** The icon of an event of a package, or of what else a notification is about. */
export function EventIcon({ type }: { type: string }) {
  const Icon =
    type in icons ? icons[type as PackageEventType] : (ofOthers.find(([pattern]) => pattern.test(type))?.[1] ?? Bell);
  return <Icon className="size-4" />;
}
