import type { StopsResult } from '@waybill/contract';

type Refused = StopsResult['refused'][number];
export type RefusingRoute = NonNullable<Refused['route']>;

interface Reason {
  message: string;
  count: number;
  /** The routes that have them, most first. */
  routes: { route: RefusingRoute; count: number }[];
}

/** What was refused, by reason, and by the route that has it. */
export const refusedBy = (refused: readonly Refused[]): Reason[] =>
  [...Map.groupBy(refused, ({ message }) => message)].map(([message, all]) => ({
    message,
    count: all.length,
    routes: [
      ...Map.groupBy(
        all.flatMap(({ route }) => route ?? []),
        ({ id }) => id,
      ).values(),
    ]
      .flatMap((of) => (of[0] ? [{ route: of[0], count: of.length }] : []))
      .toSorted((a, b) => b.count - a.count),
  }));
