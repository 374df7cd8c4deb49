import type { Delivery } from '@waybill/contract';
import { importWithRetry } from '../../platform/import-with-retry.ts';
import { lazyComponent } from '../../platform/lazy-component.tsx';
import { loadRoundTexts } from '../../routes/round-texts.ts';

const Shift = lazyComponent(() => importWithRetry(() => import('./DriverDialogs.tsx')).then((parts) => parts.MyShift));

/** The driver's shift, which comes with the forms: its line is kept free. */
export const MyShift = () => (
  <span className="block min-h-9 pointer-coarse:min-h-11">
    <Shift />
  </span>
);

/** The screens of a round with their texts: loaded when a driver has one. */
export const loadRound = async () => {
  const [parts] = await Promise.all([importWithRetry(() => import('./DriverDialogs.tsx')), loadRoundTexts()]);
  return parts;
};

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
