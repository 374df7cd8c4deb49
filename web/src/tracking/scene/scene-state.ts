/** `blue` on its way, `yellow` waiting, `green` delivered, `grey` missed, cancelled or unknown. */
export type Tint = 'blue' | 'yellow' | 'green' | 'grey';

/** What the scene shows: everything it is drawn from, besides the night and the width. */
export type SceneState = { tint: Tint } & (
  | {
      /** The road from the depot to the door. */
      shot: 'road';
      /** Stops before this one: 0 is next. Null where nobody knows. */
      stopsAway: number | null;
    }
  | {
      shot: 'door';
      delivered: boolean;
    }
  | {
      shot: 'depot';
      /** `asleep`: closed, with no parcel. `counter`: somebody comes for it. */
      dock: 'open' | 'asleep' | 'counter';
      van: boolean;
      place: string | null;
    }
) & {
    /** The letter beside the door; null draws a house. */
    initial: string | null;
  };
