import { useMutation } from '@tanstack/react-query';
import { isOnTheRoad, maxPackagesAtOnce, statusAfter } from '@waybill/contract';
import { useEffect, useEffectEvent, useRef, useState } from 'react';
import { writeToClipboard } from '../platform/clipboard.ts';
import { formatCount, formatCountOf } from '../platform/formats.ts';
import { BulkReport } from '../ui/BulkReport.tsx';
import type { BulkOutcome } from '../ui/BulkReport.tsx';
import { useSession } from '../platform/session.ts';
import { Button } from '../ui/Button.tsx';
import { Dialog } from '../ui/Dialog.tsx';
import { ProgressBar } from '../ui/ProgressBar.tsx';
import { TextLink } from '../ui/TextLink.tsx';
import { changePackages, maxPackagesPerAct } from './bulk.ts';
import type { PickAll, Picked, SaveLabels } from './bulk.ts';
import { packageHref, trackerLink } from './links.ts';

export type BulkAct = 'labels' | 'links' | 'cancel' | 'delete';

interface BulkDialogProps {
  act: BulkAct;
  /** The chosen packages; null: all that match. */
  chosen: readonly Picked[] | null;
  /** Reads all that match; needed only without chosen ones. */
  pickAll?: PickAll;
  saveLabels: SaveLabels;
  open: boolean;
  onClose: () => void;
  /** Something was changed: the selection is over. */
  onDone: () => void;
}

interface Texts {
  title: string;
  /** What happens to so many packages. */
  question: (packages: string) => string;
  button: string;
  running: string;
  /** 'cancelled' in the report. */
  result: string;
}

const texts: Record<BulkAct, Texts> = {
  labels: {
    title: 'Print labels',
    question: (packages) => `The labels of ${packages} are saved as a PDF.`,
    button: 'Print labels',
    running: 'Preparing...',
    result: 'printed',
  },
  links: {
    title: 'Copy tracking links',
    question: (packages) => `The tracking links of ${packages} are copied, one per line.`,
    button: 'Copy links',
    running: 'Copying...',
    result: 'copied',
  },
  cancel: {
    title: 'Cancel packages',
    question: (packages) =>
      `Are you sure you want to cancel ${packages}? No driver will be able to pick them up any more.`,
    button: 'Cancel packages',
    running: 'Cancelling...',
    result: 'cancelled',
  },
  delete: {
    title: 'Delete packages',
    question: (packages) => `Are you sure you want to delete ${packages}?`,
    button: 'Delete packages',
    running: 'Deleting...',
    result: 'deleted',
  },
};

/** Not with packages that have no label or no public page, nor with those that can no longer be cancelled or deleted. */
function isPossible(act: BulkAct, { status }: Picked): boolean {
  if (act === 'cancel') return statusAfter('cancel', status) !== null;
  if (act === 'delete') return statusAfter('remove', status) !== null;
  return status !== 'inactive' && (act === 'links' || status !== 'cancelled');
}

/** What packages are that are left out: 'on the road or delivered'. */
function reasonsOf(packages: readonly Picked[]): string {
  const has = (test: (status: Picked['status']) => boolean) => packages.some(({ status }) => test(status));
  const reasons = [
    has(isOnTheRoad) && 'on the road',
    has((status) => status === 'delivered') && 'delivered',
    has((status) => status === 'cancelled') && 'cancelled',
    has((status) => status === 'inactive') && 'deleted',
  ].filter((reason) => reason !== false);
  return reasons.join(', ').replace(/, (?=[^,]*$)/, ' or ');
}

/** One act on many packages: finds them all, asks, shows how far it is, and reports what was refused. */
export function BulkDialog({ act, chosen, pickAll, saveLabels, open, onClose, onDone }: BulkDialogProps) {
  const text = texts[act];
  const session = useSession();
  const [found, setFound] = useState(0);
  const [progress, setProgress] = useState(0);
  const stop = useRef(new AbortController());
  const pick = useMutation({
    mutationFn: async () =>
      chosen || !pickAll ? { packages: [...(chosen ?? [])], hasMore: false } : pickAll(setFound, stop.current.signal),
    meta: { showsError: true },
  });
  const all = pick.data?.packages;
  const packages = all?.filter((pkg) => isPossible(act, pkg)) ?? [];
  const leftOut = all?.filter((pkg) => !isPossible(act, pkg)) ?? [];

  const run = useMutation({
    mutationFn: async (these: readonly Picked[]): Promise<BulkOutcome<Picked>> => {
      const { signal } = stop.current;
      if (act === 'cancel' || act === 'delete') return changePackages(act, these, setProgress, signal);
      const outcome: BulkOutcome<Picked> = { done: these.length, refused: [], left: [], failure: null };
      if (act === 'links') {
        const links = these.flatMap(({ trackingId }) => trackerLink(trackingId) ?? []);
        if (links.length === 0) throw new Error('No link can be shared: PUBLIC_URL is not set on the server.');
        if (!(await writeToClipboard(links.join('\n')))) throw new Error('The links could not be copied.');
        return outcome;
      }
      for (let at = 0; at < these.length; at += maxPackagesAtOnce) {
        if (signal.aborted) return { ...outcome, done: at, left: these.slice(at) };
        const batch = these.slice(at, at + maxPackagesAtOnce);
        await saveLabels(
          batch.map(({ id }) => id),
          signal,
        );
        setProgress(at + batch.length);
      }
      return outcome;
    },
    onSuccess: (outcome) => {
      if (outcome.done > 0 && (act === 'cancel' || act === 'delete')) onDone();
    },
    meta: { showsError: true },
  });

  const start = useEffectEvent(() => pick.mutate());
  useEffect(() => {
    const controller = (stop.current = new AbortController());
    start();
    return () => controller.abort();
  }, []);

  const outcome = run.data;
  const running = run.variables?.length ?? 0;
  const close = () => {
    stop.current.abort();
    onClose();
  };
  const again = () => {
    stop.current = new AbortController();
    setProgress(0);
    run.mutate(outcome?.left ?? packages);
  };
  const error = pick.error ?? run.error;
  return (
    <Dialog
      open={open}
      onOpenChange={close}
      title={text.title}
      footer={
        outcome && outcome.left.length === 0 ? (
          <Button onClick={close}>Done</Button>
        ) : (
          <>
            {run.isPending ? (
              <Button variant="secondary" onClick={() => stop.current.abort()}>
                Stop
              </Button>
            ) : (
              <Button variant="secondary" onClick={close}>
                {outcome ? 'Close' : 'Back'}
              </Button>
            )}
            {pick.isError ? (
              <Button onClick={() => pick.mutate()}>Retry</Button>
            ) : (
              <Button
                variant={act === 'cancel' || act === 'delete' ? 'danger' : 'primary'}
                disabled={pick.isPending || packages.length === 0}
                loading={run.isPending}
                loadingText={text.running}
                onClick={again}
              >
                {outcome ? 'Go on' : text.button}
              </Button>
            )}
          </>
        )
      }
    >
      <div className="flex flex-col gap-4 text-ui" aria-live="polite">
        {pick.isPending && <p className="text-ink-2">Finding all that match: {formatCount(found)} so far</p>}
        {!outcome && all && packages.length > 0 && <p>{text.question(formatCountOf(packages.length, 'package'))}</p>}
        {!outcome && all && packages.length === 0 && <p>None of the chosen packages can be {text.result}.</p>}
        {!outcome && leftOut.length > 0 && packages.length > 0 && (
          <p className="text-ink-2">
            {formatCountOf(leftOut.length, 'package')}{' '}
            {leftOut.length === 1 ? 'is left out: it is' : 'are left out: they are'} {reasonsOf(leftOut)}.
          </p>
        )}
        {!outcome && pick.data?.hasMore && (
          <p className="text-ink-2">
            These are the first {formatCount(packages.length)} of all that match: at most{' '}
            {formatCount(maxPackagesPerAct)} are taken at a time. Repeat it for the others.
          </p>
        )}
        {act === 'labels' && !outcome && packages.length > maxPackagesAtOnce && (
          <p className="text-ink-2">Each file has at most {maxPackagesAtOnce} labels.</p>
        )}
        {run.isPending && running > maxPackagesAtOnce && (
          <div className="flex flex-col gap-1.5">
            <ProgressBar value={Math.round((progress / running) * 100)} label={text.running} />
            <p className="figures text-ink-2">
              {formatCount(progress)} of {formatCount(running)}
            </p>
          </div>
        )}
        {outcome && (
          <BulkReport
            outcome={outcome}
            done={`${formatCountOf(outcome.done, 'package')} ${text.result}`}
            idOf={({ id }) => id}
            renderItem={(pkg) => (
              <>
                <TextLink href={packageHref(pkg, session)}>{pkg.name}</TextLink>{' '}
                <span className="code text-meta text-ink-3">{pkg.trackingId}</span>
              </>
            )}
          />
        )}
        {error && (
          <p role="alert" className="text-danger">
            {error.message || 'Please try again.'}
          </p>
        )}
      </div>
    </Dialog>
  );
}
