import { fill } from '@waybill/contract';
import type { Delivery } from '@waybill/contract';
import { Ban, Check, ConciergeBell, House, PackageOpen, UserRound, UsersRound } from 'lucide-react';
import type { ReactNode } from 'react';
import { classes } from '../ui/classes.ts';
import { texts } from './texts.ts';

interface ReceivedByChipsProps {
  delivery: Delivery;
  receivedBy: string;
  note: string;
  onReceivedBy: (receivedBy: string) => void;
  onNote: (note: string) => void;
}

/** The usual answers to who took it, one tap each. Left safely is a note, as nobody took it; only where the owner allows it. */
export function ReceivedByChips({ delivery, receivedBy, note, onReceivedBy, onNote }: ReceivedByChipsProps) {
  const { recipientName, handling } = delivery;
  const people = [
    recipientName && { name: recipientName, icon: <UserRound /> },
    { name: texts.neighbour, icon: <UsersRound /> },
    { name: texts.reception, icon: <ConciergeBell /> },
    { name: texts.household, icon: <House /> },
  ].filter((person) => person !== null && person !== '');
  const safeNote = handling.safePlace === null ? null : fill(texts.leftSafelyIn, { place: handling.safePlace });
  return (
    <div role="group" aria-label={texts.whoTookIt} className="flex flex-wrap gap-2">
      {people.map(({ name, icon }) => (
        <Chip
          key={name}
          icon={icon}
          chosen={receivedBy === name}
          onPress={() => onReceivedBy(receivedBy === name ? '' : name)}
        >
          {name}
        </Chip>
      ))}
      {safeNote !== null &&
        (handling.signatureRequired || handling.pin || handling.age !== null ? (
          <span className={classes(chip, 'bg-sunken text-ink-2')}>
            <Ban aria-hidden="true" />
            <span className="font-medium">{texts.leftSafely}</span>{' '}
            {handling.signatureRequired ? texts.needsSignature : texts.needsSomebody}
          </span>
        ) : (
          <Chip
            icon={<PackageOpen />}
            chosen={note === safeNote}
            onPress={() => {
              onReceivedBy('');
              onNote(note === safeNote ? '' : safeNote);
            }}
          >
            {texts.leftSafely}
          </Chip>
        ))}
    </div>
  );
}

const chip =
  'chip inline-flex min-h-12 items-center gap-2 rounded-full px-4 text-body wrap-anywhere [&_svg]:size-5 [&_svg]:shrink-0 md:pointer-fine:min-h-9 md:pointer-fine:gap-1.5 md:pointer-fine:px-3 md:pointer-fine:text-ui md:pointer-fine:[&_svg]:size-4';

interface ChipProps {
  icon: ReactNode;
  chosen: boolean;
  onPress: () => void;
  children: ReactNode;
}

function Chip({ icon, chosen, onPress, children }: ChipProps) {
  return (
    <button
      type="button"
      aria-pressed={chosen}
      onClick={onPress}
      className={classes(
        chip,
        'border font-medium transition-colors',
        chosen ? 'border-ink bg-ink text-surface' : 'border-control bg-surface text-ink',
      )}
    >
      {/* With a mouse the words are enough, so that four stand in one line. */}
      <span aria-hidden="true" className={classes('contents', !chosen && 'md:pointer-fine:hidden')}>
        {chosen ? <Check /> : icon}
      </span>
      {children}
    </button>
  );
}
