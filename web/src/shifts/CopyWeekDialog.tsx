import { useQuery } from '@tanstack/react-query';
import type { CopiedWeek } from '@waybill/contract';
import { formatCountOf, formatLongDay, localDay } from '../platform/formats.ts';
import { Button } from '../ui/Button.tsx';
import { Dialog } from '../ui/Dialog.tsx';
import { DialogClose } from '../ui/DialogClose.tsx';
import { useCopyWeek, weekQuery } from './queries.ts';
import { addDays, formatWeek, timeOf } from './week.ts';

interface CopyWeekDialogProps {
  monday: string;
  open: boolean;
  onClose: () => void;
  /** Shows the new week. */
  onShow: (monday: string) => void;
}

/** Copies the shifts of a week to the next one, and lists those left out: overlaps and inactive drivers. */
export function CopyWeekDialog({ monday, open, onClose, onShow }: CopyWeekDialogProps) {
  const copy = useCopyWeek();
  const { data: shifts } = useQuery(weekQuery(monday));
  // One that began before the week is not copied.
  const count = shifts?.filter(({ startsAt }) => localDay(new Date(startsAt)) >= monday).length;
  const next = addDays(monday, 7);
  const result = copy.data;
  return (
    <Dialog
      open={open}
      onOpenChange={onClose}
      act={copy}
      title="Copy Week"
      description={`The shifts of ${formatWeek(monday)} are copied to the next week, ${formatWeek(next)}.`}
      footer={
        <>
          <DialogClose>{result ? 'Close' : 'Cancel'}</DialogClose>
          {result ? (
            <Button
              size="lg"
              onClick={() => {
                onShow(next);
                onClose();
              }}
            >
              Show next week
            </Button>
          ) : (
            <Button size="lg" loading={copy.isPending} loadingText="Copying..." onClick={() => copy.mutate(monday)}>
              Copy Week
            </Button>
          )}
        </>
      }
    >
      {result ? (
        <Outcome result={result} />
      ) : (
        <p className="text-ui text-ink-2">
          {count === undefined ? '' : `${formatCountOf(count, 'shift')}. `}Each keeps its driver, times and note. Where
          a driver already has a shift, none is added.
        </p>
      )}
      {copy.error && (
        <p role="alert" className="mt-4 text-ui text-danger">
          {copy.error.message}
        </p>
      )}
    </Dialog>
  );
}

function Outcome({ result: { copied, skipped } }: { result: CopiedWeek }) {
  return (
    <div role="status">
      <p className="text-ui font-medium">{copied === 1 ? '1 shift was copied' : `${copied} shifts were copied`}</p>
      {skipped.length > 0 && (
        <>
          <p className="mt-4 text-ui text-ink-2">Left out:</p>
          <ul className="mt-2 flex flex-col gap-2">
            {skipped.map(({ driverId, driver, startsAt, endsAt, reason }) => (
              <li key={`${driverId} ${startsAt}`} className="text-ui wrap-anywhere">
                {driver ?? 'Deleted driver'}{' '}
                <span className="figures text-ink-2">
                  {formatLongDay(startsAt)}, {timeOf(startsAt)} to {timeOf(endsAt)}:{' '}
                  {reason === 'overlap' ? 'has a shift then' : 'is not active'}
                </span>
              </li>
            ))}
          </ul>
        </>
      )}
    </div>
  );
}
