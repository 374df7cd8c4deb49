import { fill } from '@waybill/contract';
import type { Offer } from '@waybill/contract';
import { Handshake, Hourglass, TimerOff } from 'lucide-react';
import type { ReactNode } from 'react';
import { useToday } from '../platform/clock.ts';
import { formatWeight } from '../platform/formats.ts';
import { useSession } from '../platform/session.ts';
import { toast } from '../platform/toasts.ts';
import { Button } from '../ui/Button.tsx';
import { minutesLeft, noteUnanswered, stillOpen, useAnswerOffer, useOffers, useOfferSound } from './offers.ts';
import { RoundFault } from './RoundFault.tsx';
import { counted, texts } from './round-texts.ts';

/** Stops that colleagues offer the driver, and those that the driver offers, while they can be accepted; and what nobody has answered. */
export function Offers() {
  const { received, made, unanswered } = useOffers(useSession().user?.id);
  useOfferSound(received);
  return (
    <div role="status">
      {received.map((offer) => (
        <ReceivedOffer key={offer.id} offer={offer} />
      ))}
      {made.map((offer) => (
        <MadeOffer key={offer.id} offer={offer} />
      ))}
      {unanswered.map((offer) => (
        <UnansweredOffer key={offer.id} offer={offer} />
      ))}
    </div>
  );
}

function ReceivedOffer({ offer }: { offer: Offer }) {
  const answer = useAnswerOffer(offer.id);
  const name = offer.from ?? texts.aColleague;
  const send = (kind: 'accept' | 'decline') =>
    answer.mutate(kind, {
      onSuccess: (done) => toast({ title: done === 'accept' ? texts.offerAccepted : texts.offerDeclined }),
    });
  return (
    <Strip
      icon={<Handshake aria-hidden="true" className="size-5" />}
      offer={offer}
      title={fill(counted(texts.offersYou, offer.deliveries.length), { name })}
      error={answer.error}
      look="bg-blue-bg text-blue-ink"
    >
      <Button
        variant="secondary"
        loading={answer.isPending && answer.variables === 'decline'}
        onClick={() => send('decline')}
      >
        {texts.decline}
      </Button>
      <Button loading={answer.isPending && answer.variables === 'accept'} onClick={() => send('accept')}>
        {texts.accept}
      </Button>
    </Strip>
  );
}

function MadeOffer({ offer }: { offer: Offer }) {
  const answer = useAnswerOffer(offer.id);
  const name = offer.to ?? texts.aColleague;
  return (
    <Strip
      icon={<Hourglass aria-hidden="true" className="size-5" />}
      offer={offer}
      title={fill(counted(texts.offeredTo, offer.deliveries.length), { name })}
      error={answer.error}
      look="bg-sunken text-ink"
    >
      <Button
        variant="secondary"
        loading={answer.isPending}
        onClick={() => answer.mutate('take back', { onSuccess: () => toast({ title: texts.offerTakenBack }) })}
      >
        {texts.takeBack}
      </Button>
    </Strip>
  );
}

/** The stops stay: whoever has offered them does not learn it from their absence. */
const UnansweredOffer = ({ offer }: { offer: Offer }) => (
  <Strip
    icon={<TimerOff aria-hidden="true" className="size-5" />}
    offer={offer}
    title={fill(counted(texts.notAnswered, stillOpen(offer).length), { name: offer.to ?? texts.aColleague })}
    error={null}
    look="bg-yellow-bg text-yellow-ink"
  >
    <Button variant="secondary" onClick={() => noteUnanswered(offer)}>
      {texts.gotIt}
    </Button>
  </Strip>
);

interface StripProps {
  icon: ReactNode;
  offer: Offer;
  title: string;
  error: Error | null;
  look: string;
  /** Buttons. */
  children: ReactNode;
}

function Strip({ icon, offer, title, error, look, children }: StripProps) {
  const left = minutesLeft(offer, useToday());
  const isOpen = offer.state === 'open';
  const deliveries = isOpen ? offer.deliveries : stillOpen(offer);
  const stops = deliveries.map(({ recipientAddress, location, packageName, weight }) =>
    [(recipientAddress ?? location)?.split(', ')[0], packageName, formatWeight(weight)].filter(Boolean).join(' · '),
  );
  return (
    <div className={`strip mb-2 rounded-[20px] px-4 py-3 max-md:mx-2 ${look}`}>
      <div className="flex flex-wrap items-center gap-x-3 gap-y-2">
        <span className="shrink-0 self-start pt-0.5">{icon}</span>
        <span className="min-w-0 flex-1 basis-48">
          <span className="block text-body font-semibold wrap-anywhere">{title}</span>
          {stops.map((stop, index) => (
            <span key={deliveries[index]?.id} className="block text-ui wrap-anywhere figures">
              {stop}
            </span>
          ))}
          {isOpen && <span className="block text-ui figures">{counted(texts.minutesLeft, left)}</span>}
        </span>
        <span className="flex flex-wrap gap-2 max-md:w-full max-md:*:grow">{children}</span>
      </div>
      {error && (
        <div className="mt-2 rounded-control bg-surface pt-2">
          <RoundFault error={error} />
        </div>
      )}
    </div>
  );
}
