/**
 * URL parameters of the dispatch screen: the day and depot that are planned, how they are shown, and the filters of what waits. The page
 * checks them, by checked-search.ts: a schema here would be loaded with the shell.
 */
export interface DispatchSearch {
  day?: string | undefined;
  depot?: string | undefined;
  show?: string | undefined;
  view?: string | undefined;
  map?: string | undefined;
  sort?: string | undefined;
  q?: string | undefined;
  place?: string | undefined;
  window?: string | undefined;
  owner?: string | undefined;
  /** A part of an owner's name. */
  ownedBy?: string | undefined;
  /** Kilograms. */
  kgFrom?: string | undefined;
  kgTo?: string | undefined;
  reference?: string | undefined;
  attempts?: string | undefined;
  due?: string | undefined;
  /** A driver who is absent: their stops are given to others. */
  ill?: string | undefined;
}
