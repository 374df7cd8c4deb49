import type { Delivery } from '@waybill/contract';
import { importWithRetry } from '../../platform/import-with-retry.ts';
import { lazyComponent } from '../../platform/lazy-component.tsx';

/** The screens of a round come with the forms. */
const loadRound = () => importWithRetry(() => import('./DriverDialogs.tsx'));

const Shift = lazyComponent(() => loadRound().then((parts) => parts.MyShift));

/** The driver's shift, which comes with the forms: its line is kept free. */
export const MyShift = () => (
  <span className="block min-h-9 pointer-coarse:min-h-11">
    <Shift />
  </span>
);

export const Offers = lazyComponent(() => loadRound().then((parts) => parts.Offers));
export const PlannedRound = lazyComponent(() => loadRound().then((parts) => parts.PlannedRound));
export const FinishRound = lazyComponent(() => loadRound().then((parts) => parts.FinishRound));
export const FinishedRounds = lazyComponent(() => loadRound().then((parts) => parts.FinishedRounds));
export const RoundList = lazyComponent(() => loadRound().then((parts) => parts.RoundList));
export const RoundNote = lazyComponent(() => loadRound().then((parts) => parts.RoundNote));
export const RoundChanges = lazyComponent(() => loadRound().then((parts) => parts.RoundChanges));
const Wishes = lazyComponent(() => loadRound().then((parts) => parts.RecipientWishes));
export const ShiftOver = lazyComponent(() => loadRound().then((parts) => parts.ShiftOver));
export const DoorPackages = lazyComponent(() => loadRound().then((parts) => parts.DoorPackages));

/** What recipients have changed at these stops, until their driver has taken note of it. */
export const RecipientWishes = ({ stops }: { stops: Delivery[] }) =>
  stops
    .filter(({ recipientChanges }) => recipientChanges.some(({ acknowledgedAt }) => acknowledgedAt === null))
    .map((stop) => <Wishes key={stop.id} stop={stop} />);
