import { fill } from '@waybill/contract';
import type { OptimizedRoute } from '@waybill/contract';
import { Undo2, Waypoints, X } from 'lucide-react';
import { toast } from '../platform/toasts.ts';
import { formatNumber } from '../platform/formats.ts';
import { Banner } from '../ui/Banner.tsx';
import { Button } from '../ui/Button.tsx';
import { IconButton } from '../ui/IconButton.tsx';
import { counted, texts } from './round-texts.ts';
import { RoundFault } from './RoundFault.tsx';
import { useSaveOrder } from './rounds.ts';

interface OptimizedNoteProps {
  found: OptimizedRoute;
  /** The order of the open stops before. */
  before: string[];
  isSame: boolean;
  onClose: () => void;
}

const kilometres = (metres: number) => formatNumber(Math.round(metres / 100) / 10);

/** What the better order saves, with the way back to the order before. */
export function OptimizedNote({ found: { id, version, optimized }, before, isSame, onClose }: OptimizedNoteProps) {
  const save = useSaveOrder(id);
  const minutes = Math.round((optimized.before.seconds - optimized.after.seconds) / 60);
  const said = isSame
    ? texts.optimizedNothing
    : fill(texts.optimized, {
        km: kilometres(optimized.after.metres),
        before: kilometres(optimized.before.metres),
        minutes: formatNumber(minutes),
      });
  const goBack = () =>
    save.mutate(
      { order: before, version },
      {
        onSuccess: () => {
          toast({ title: texts.orderBack });
          onClose();
        },
      },
    );
  return (
    <div>
      <RoundFault error={save.error} />
      <Banner
        live
        tone={optimized.late.length > 0 ? 'yellow' : 'green'}
        icon={<Waypoints />}
        title={said}
        action={
          <span className="flex items-center gap-1">
            {!isSame && (
              <Button
                variant="secondary"
                icon={<Undo2 aria-hidden="true" className="size-5" />}
                loading={save.isPending}
                loadingText={texts.saving}
                onClick={goBack}
              >
                {texts.undo}
              </Button>
            )}
            <IconButton label={texts.gotIt} icon={<X aria-hidden="true" />} onClick={onClose} />
          </span>
        }
      >
        {optimized.late.length > 0 && <p>{counted(texts.optimizedLate, optimized.late.length)}</p>}
        {optimized.withoutPlace.length > 0 && <p>{counted(texts.optimizedUnplaced, optimized.withoutPlace.length)}</p>}
      </Banner>
    </div>
  );
}
