// The map's thread. MapLibre's own sends the GeoJSON that it has read from an address back to the page, which copies it object by object:
// 10 ms and more for thousands of stops, of which the page needs nothing.
import MapLibreWorker from 'maplibre-gl/dist/maplibre-gl-worker.mjs';

const { worker } = self as unknown as { worker?: unknown };
// Also keeps the import, which is there for what it does.
if (!(worker instanceof MapLibreWorker)) throw new Error('MapLibre has not started its worker');

const { actor } = worker;
const complete = actor.completeTask.bind(actor);
actor.completeTask = (id, error, result) => complete(id, error, withoutData(result));

/** @param result of a task: with `data`, of reading GeoJSON */
function withoutData(result: unknown): unknown {
  const { data, ...rest } = (result ?? {}) as { data?: { type?: unknown } | null };
  return data?.type === 'FeatureCollection' ? rest : result;
}
