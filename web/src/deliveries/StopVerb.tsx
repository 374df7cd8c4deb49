import { translated } from '../platform/texts.ts';
import { fill } from '@waybill/contract';
import type { Delivery } from '@waybill/contract';
import { ChevronDown, CircleAlert, HandHelping, MapPinCheck, Navigation } from 'lucide-react';
import { useEffect, useRef } from 'react';
import type { ReactNode } from 'react';
import { formatTime } from '../platform/formats.ts';
import { vibrate } from '../platform/vibrate.ts';
import { unsentNoteOf } from '../platform/upload-errors.ts';
import { Button } from '../ui/Button.tsx';
import { LinkButton } from '../ui/LinkButton.tsx';
import { PermissionButton } from '../users/PermissionButton.tsx';
import type { OnAction } from './delivery-dialogs.ts';
import { navigationHref, opening, useNavigator } from './navigation.ts';
import { NavigatorMenu } from './NavigatorMenu.tsx';
import { useArrive, useMarkNext, useRetractArrival } from './queries.ts';
import { setStopPhase } from './stop-progress.ts';
import type { StopPhase } from './stop-progress.ts';
import { texts } from './texts.ts';

const icon = 'size-6';

interface StopVerbProps {
  delivery: Delivery;
  phase: StopPhase;
  /** When the driver arrived, if their position said so. */
  seenAt: string | null;
  onAction: OnAction;
}

/** The one step that comes next at the stop in view: mark as next, navigate, arrive, hand over. Always in the same place. */
export function StopVerb(props: StopVerbProps) {
  const bar = useRef<HTMLDivElement>(null);
  const step = `${props.phase} ${props.delivery.next}`;
  const shownStep = useRef(step);
  // The next verb is another element: keep the focus on the bar.
  useEffect(() => {
    if (shownStep.current === step) return;
    shownStep.current = step;
    if (document.activeElement === document.body)
      bar.current?.querySelector<HTMLElement>('a, button')?.focus({ preventScroll: true });
  }, [step]);
  return (
    <div ref={bar}>
      <VerbOf {...props} />
    </div>
  );
}

function VerbOf({ delivery, phase, seenAt, onAction }: StopVerbProps) {
  const { id, next, place, recipientAddress } = delivery;
  const markNext = useMarkNext(id, { showsError: true });
  const arrive = useArrive(id);
  const retract = useRetractArrival(id);
  const { chosen, inUse } = useNavigator();
  const go = (to: StopPhase) => {
    vibrate(10);
    setStopPhase(id, to);
  };

  const reach = () => {
    go('here');
    arrive.mutate();
  };

  if (phase === 'here')
    return (
      <>
        {seenAt !== null && (
          <p className="mb-2 flex items-center justify-between gap-3 pl-2 text-body text-ink-2">
            <span role="status" className="figures">
              {fill(texts.cameNear, { time: formatTime(seenAt) })}
            </span>
            <Button
              variant="secondary"
              onClick={() => {
                go('ahead');
                retract.mutate();
              }}
            >
              {texts.notThereYet}
            </Button>
          </p>
        )}
        <Verb key="hand over" step={3}>
          <PermissionButton
            permissions={['deliveries.complete']}
            whenDenied="disable"
            size="verb"
            fullWidth
            icon={<HandHelping aria-hidden="true" className={icon} />}
            onClick={() => onAction('complete', delivery)}
          >
            {delivery.returnDue ? texts.handBack : texts.handOver}
          </PermissionButton>
        </Verb>
      </>
    );
  if (!next)
    return (
      <>
        {markNext.error && (
          <p role="alert" className="mb-2 flex items-start gap-2 px-2 text-ui font-medium text-danger">
            <CircleAlert aria-hidden="true" className="mt-0.5 size-4 shrink-0" />
            {unsentNoteOf(markNext.error) ? texts.notMarked : translated(markNext.error.message)}
          </p>
        )}
        <Verb key="mark" step={0}>
          <PermissionButton
            permissions={['deliveries.update']}
            whenDenied="disable"
            size="verb"
            fullWidth
            loading={markNext.isPending}
            loadingText={texts.marking}
            icon={<Navigation aria-hidden="true" className={icon} />}
            onClick={() => {
              vibrate(10);
              markNext.mutate();
            }}
          >
            {texts.markNext}
          </PermissionButton>
        </Verb>
      </>
    );
  if (phase === 'ahead' && recipientAddress !== null)
    return (
      <div className="flex gap-2">
        <Verb key="navigate" step={1}>
          <LinkButton
            size="verb"
            fullWidth
            href={navigationHref(inUse, recipientAddress, place)}
            {...opening(inUse)}
            icon={<Navigation aria-hidden="true" className={icon} />}
            onClick={() => go('driving')}
          >
            {texts.navigate}
          </LinkButton>
        </Verb>
        {chosen === null && (
          <NavigatorMenu
            address={recipientAddress}
            place={place}
            onChosen={() => go('driving')}
            trigger={
              <Button size="verb" variant="secondary" aria-label={texts.chooseNavigator}>
                <ChevronDown aria-hidden="true" className={icon} />
              </Button>
            }
          />
        )}
        {/* Who knows the way has three taps at a door. */}
        <Button size="verb" variant="secondary" aria-label={texts.arrived} title={texts.arrived} onClick={reach}>
          <MapPinCheck aria-hidden="true" className={icon} />
        </Button>
      </div>
    );
  return (
    <Verb key="arrive" step={2}>
      <Button size="verb" fullWidth icon={<MapPinCheck aria-hidden="true" className={icon} />} onClick={reach}>
        {texts.arrived}
      </Button>
    </Verb>
  );
}

/** @param step 1 to 3, drawn as dashes; 0: none yet */
function Verb({ step, children }: { step: number; children: ReactNode }) {
  return (
    <span className="relative block min-w-0 grow animate-verb">
      {children}
      {step > 0 && (
        <span
          aria-hidden="true"
          className="pointer-events-none absolute inset-x-0 bottom-2 flex justify-center gap-1.5 text-on-brand"
        >
          {[1, 2, 3].map((each) => (
            <span key={each} className={each <= step ? dash : `${dash} opacity-40`} />
          ))}
        </span>
      )}
    </span>
  );
}
const dash = 'h-[3px] w-[18px] rounded-full bg-current';
