import type { Databases } from './databases.ts';
import type { Finding } from './report.ts';
import type { Rounds } from './rounds.ts';
import type { Size } from './sizes.ts';

/** What a part of a run needs. */
export interface BenchContext {
  databases: Databases;
  size: Size;
  rounds: Rounds;
  /** Adds sentences to the part's report. */
  note(...sentences: string[]): void;
  /** Reports figures as soon as they are known, so that a later failure of the part does not lose them. */
  report(...findings: Finding[]): void;
}

export type Bench = (context: BenchContext) => Promise<void>;
