import { setTimeout as sleep } from 'node:timers/promises';
import type { PublicView } from '@waybill/contract';
import type { RunningProduct } from '../e2e/product.ts';

export interface Follower {
  /** The last status received, or ''. */
  status(): string;
  /** All statuses received, in order, each change once. */
  statuses(): string[];
  /** The number of times that the stream was opened. */
  opened(): number;
  stop(): void;
}

/** Follows a package like the tracker: reconnects whenever the stream ends. */
export function followPackage(at: RunningProduct, trackingId: string): Follower {
  const abort = new AbortController();
  const statuses: string[] = [];
  let opened = 0;
  const readOnce = async () => {
    const response = await at.api().tracking.live({ params: { id: trackingId }, signal: abort.signal });
    opened++;
    let rest = '';
    for await (const text of response.body?.pipeThrough(new TextDecoderStream()) ?? []) {
      const blocks = (rest + text).split('\n\n');
      rest = blocks.pop() ?? '';
      for (const block of blocks) {
        const data = /^event: view\ndata: (.*)$/.exec(block)?.[1];
        if (!data) continue;
        const { status } = JSON.parse(data) as PublicView;
        if (status !== statuses.at(-1)) statuses.push(status);
      }
    }
  };
  const read = async () => {
    while (!abort.signal.aborted) {
      await readOnce().catch(() => {});
      await sleep(100);
    }
  };
  void read();
  return {
    status: () => statuses.at(-1) ?? '',
    statuses: () => statuses,
    opened: () => opened,
    stop: () => abort.abort(),
  };
}
