import type { DevicePosition } from '@waybill/contract';

/** Points that wait on the device: a day of driving without a network, at one in 30 s. About 250 kB. */
export const maxKept = 3000;
/** Points of one request: the server takes no more. */
export const maxSent = 300;

/** Nobody sees a difference in less time, */
const minMs = 5000;
/** unless the driver has moved; who stands still is known to be there this often. */
const stillMs = 30_000;
const movedMetres = 25;

interface Kept {
  userId: string;
  points: DevicePosition[];
}

/** Metres between two points that are near each other. */
function metresBetween(from: DevicePosition, to: DevicePosition): number {
  const metresPerDegree = 111_320;
  const x = (to.lon - from.lon) * Math.cos((from.lat * Math.PI) / 180);
  return Math.hypot(x, to.lat - from.lat) * metresPerDegree;
}

/** Points of a driver that wait to be sent, kept in `storage` over reloads. Another user's are never sent, and dropped. */
export function openQueue(storage: { read(): string | null; write(value: string | null): void }, userId: string) {
  let points = readPoints(storage.read(), userId);
  const save = () => storage.write(points.length === 0 ? null : JSON.stringify({ userId, points } satisfies Kept));
  let last: DevicePosition | null = points.at(-1) ?? null;
  return {
    size: () => points.length,
    /** Adds a point, unless it says nothing new. Over the limit the oldest is dropped. */
    add(point: DevicePosition): boolean {
      const ms = last ? Date.parse(point.at) - Date.parse(last.at) : Infinity;
      if (last && ms >= 0 && (ms < minMs || (ms < stillMs && metresBetween(last, point) < movedMetres))) return false;
      last = point;
      points = [...points, point].slice(-maxKept);
      save();
      return true;
    },
    /** The next points to send, oldest first by the time of the device. */
    batch: (): DevicePosition[] => points.toSorted((a, b) => Date.parse(a.at) - Date.parse(b.at)).slice(0, maxSent),
    /** They have arrived, or never will. Points that were added meanwhile stay. */
    remove(sent: readonly DevicePosition[]): void {
      const gone = new Set(sent);
      points = points.filter((point) => !gone.has(point));
      save();
    },
    clear(): void {
      points = [];
      save();
    },
  };
}
export type PositionQueue = ReturnType<typeof openQueue>;

const isPoint = (value: unknown): value is DevicePosition => {
  const { at, lon, lat } = (value ?? {}) as Partial<DevicePosition>;
  return typeof at === 'string' && !Number.isNaN(Date.parse(at)) && typeof lon === 'number' && typeof lat === 'number';
};

function readPoints(stored: string | null, userId: string): DevicePosition[] {
  try {
    const kept = JSON.parse(stored ?? 'null') as Partial<Kept> | null;
    return kept?.userId === userId && Array.isArray(kept.points) ? kept.points.filter(isPoint).slice(-maxKept) : [];
  } catch {
    return [];
  }
}
