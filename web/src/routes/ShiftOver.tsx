import type { Route, Shift } from '@waybill/contract';
import { localDay } from '../platform/formats.ts';
import { Banner } from '../ui/Banner.tsx';
import { LinkButton } from '../ui/LinkButton.tsx';
import { texts } from './round-texts.ts';

/** While a round goes on after the driver's shift: asks for its end. */
export function ShiftOver({ route, shift }: { route: Route; shift: Shift | null }) {
  // A shift that begins later on the day of the round has not ended.
  if (!shift || shift.onDuty || localDay(new Date(shift.startsAt)) <= route.day) return null;
  return (
    <Banner
      tone="yellow"
      live
      action={
        <LinkButton size="md" variant="secondary" href="/driver/dashboard?view=round">
          {texts.finish}
        </LinkButton>
      }
    >
      {texts.shiftOver}
    </Banner>
  );
}
