import type { PublicView } from '@waybill/contract';
import type { LiveIndicatorState } from './LiveIndicator.tsx';

/** State of a lookup. */
export type Lookup =
  | { state: 'none' }
  | { state: 'loading' }
  | { state: 'found'; view: PublicView; live?: LiveIndicatorState }
  | { state: 'missing' }
  | { state: 'failed'; message: string; requestId?: string | null; onRetry?: () => void };
