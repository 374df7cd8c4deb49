import { ApiError } from '@waybill/contract';
import { useEffect, useRef, useState } from 'react';
import type { ReactNode } from 'react';
import { formatCount } from '../platform/formats.ts';
import { useSingleMutation } from '../platform/single-mutation.ts';
import { BulkReport } from './BulkReport.tsx';
import type { BulkOutcome } from './BulkReport.tsx';
import { Button } from './Button.tsx';
import { Dialog } from './Dialog.tsx';
import { ProgressBar } from './ProgressBar.tsx';

interface BulkActDialogProps<T> {
  title: string;
  /** The question and further choices. */
  children: ReactNode;
  button: string;
  /** 'Suspending...' */
  running: string;
  danger?: boolean;
  items: readonly T[];
  idOf: (item: T) => string;
  renderItem: (item: T) => ReactNode;
  /** '3 accounts suspended'. */
  done: (count: number) => string;
  act: (item: T, signal: AbortSignal) => Promise<unknown>;
  open: boolean;
  onClose: () => void;
  /** Something was changed: the selection is over. */
  onDone: () => void;
  /** After the last request, whatever it did. */
  onSettled: () => void;
}

/** The statuses of a refusal of this one row; others, such as too many requests, would meet every row. */
const refusals: ReadonlySet<number> = new Set([403, 404, 409, 412, 422]);

/**
 * One act on several rows, for which the server has a request per row: asks, carries them out one after another, and reports what was
 * refused. What has been done stays done when it is stopped.
 */
export function BulkActDialog<T>(props: BulkActDialogProps<T>) {
  const { title, button, running, danger = false, items, idOf, done, act, open } = props;
  const [outcome, setOutcome] = useState<BulkOutcome<T> | null>(null);
  const [progress, setProgress] = useState(0);
  const stop = useRef(new AbortController());
  useEffect(() => () => stop.current.abort(), []);
  const run = useSingleMutation({
    async mutationFn(todo: readonly T[]) {
      const { signal } = (stop.current = new AbortController());
      const now: BulkOutcome<T> = { done: 0, refused: outcome?.refused ?? [], left: [], failure: null };
      let at = 0;
      for (; at < todo.length && !signal.aborted; at++) {
        const item = todo[at] as T;
        try {
          await act(item, signal);
          now.done++;
        } catch (error) {
          if (signal.aborted) break;
          const message = error instanceof Error && error.message ? error.message : 'Please try again.';
          if (!(error instanceof ApiError) || !refusals.has(error.status)) {
            now.failure = message;
            break;
          }
          now.refused = [...now.refused, { item, message }];
        }
        setProgress(at + 1);
      }
      now.left = todo.slice(at);
      now.done += outcome?.done ?? 0;
      setOutcome(now);
      if (now.done > 0 && now.left.length === 0) props.onDone();
    },
    onSettled: props.onSettled,
    meta: { showsError: true },
  });
  const close = () => {
    stop.current.abort();
    props.onClose();
  };
  const start = () => {
    setProgress(0);
    run.mutate(outcome?.left ?? items);
  };
  const total = run.variables?.length ?? 0;
  return (
    <Dialog
      open={open}
      onOpenChange={close}
      title={title}
      footer={
        outcome && outcome.left.length === 0 ? (
          <Button onClick={close}>Done</Button>
        ) : (
          <>
            <Button variant="secondary" onClick={run.isPending ? () => stop.current.abort() : close}>
              {run.isPending ? 'Stop' : outcome ? 'Close' : 'Back'}
            </Button>
            <Button
              variant={danger ? 'danger' : 'primary'}
              disabled={items.length === 0}
              loading={run.isPending}
              loadingText={running}
              onClick={start}
            >
              {outcome ? 'Go on' : button}
            </Button>
          </>
        )
      }
    >
      <div className="flex flex-col gap-4 text-ui" aria-live="polite">
        {!outcome && props.children}
        {run.isPending && total > 1 && (
          <div className="flex flex-col gap-1.5">
            <ProgressBar value={Math.round((progress / total) * 100)} label={running} />
            <p className="figures text-ink-2">
              {formatCount(progress)} of {formatCount(total)}
            </p>
          </div>
        )}
        {outcome && !run.isPending && (
          <BulkReport outcome={outcome} done={done(outcome.done)} idOf={idOf} renderItem={props.renderItem} />
        )}
      </div>
    </Dialog>
  );
}
