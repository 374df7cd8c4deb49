/** The parts that the map's thread uses: MapLibre has no types for its worker. */
declare module 'maplibre-gl/dist/maplibre-gl-worker.mjs' {
  export default class MapLibreWorker {
    /** Answers the page. */
    actor: { completeTask(id: string, error: Error | null, result?: unknown): void };
  }
}
