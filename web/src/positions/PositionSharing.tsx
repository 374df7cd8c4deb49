import { queryOptions, useQuery } from '@tanstack/react-query';
import { fill } from '@waybill/contract';
import { ChevronDown, LocateFixed, LocateOff } from 'lucide-react';
import { useEffect, useState } from 'react';
import type { ReactNode } from 'react';
import { api } from '../platform/api.ts';
import { formatCount, localDay } from '../platform/formats.ts';
import { currentLanguage } from '../platform/language.ts';
import { localStorageItem } from '../platform/local-storage.ts';
import { queryClient } from '../platform/query-client.ts';
import { useSession } from '../platform/session.ts';
import { useSingleMutation } from '../platform/single-mutation.ts';
import { useStore } from '../platform/store.ts';
import { toast } from '../platform/toasts.ts';
import { Banner } from '../ui/Banner.tsx';
import { Button } from '../ui/Button.tsx';
import { classes } from '../ui/classes.ts';
import { texts } from './position-texts.ts';
import { keptPoints, sharingState, startSharing } from './sharing.ts';

const consentKey = ['positions', 'consent'];
const consentQuery = () =>
  queryOptions({ queryKey: consentKey, queryFn: ({ signal }) => api.positions.consent({ signal }) });

/** The day on which the driver said 'not now': asked again on another. */
const declinedOn = localStorageItem('positionDeclined');
/** The driver has stopped it on this device, until they share again. */
const stoppedHere = localStorageItem('positionStopped');

function counted(forms: { one: string; other: string }, count: number): string {
  const isOne = new Intl.PluralRules(currentLanguage()).select(count) === 'one';
  return fill(isOne ? forms.one : forms.other, { count: formatCount(count) });
}

/** Asks a driver at work for consent, shares the position, and says so as long as it goes on. */
export function PositionSharing({ working }: { working: boolean }) {
  const { user } = useSession();
  const consent = useQuery(consentQuery());
  const [declined, setDeclined] = useState(() => declinedOn.read() === localDay());
  const [stopped, setStopped] = useState(() => stoppedHere.read() === user?.id);
  const [attempt, setAttempt] = useState(0);
  const userId = user?.id ?? null;
  const stop = (isStopped: boolean) => {
    stoppedHere.write(isStopped ? userId : null);
    setStopped(isStopped);
  };
  const save = useSingleMutation({
    mutationFn: (agreed: boolean, signal) => api.positions.agree({ body: { agreed }, signal }),
    onSuccess: (next, agreed) => {
      queryClient.setQueryData(consentKey, next);
      stop(false);
      if (agreed) return;
      declinedOn.write(localDay());
      setDeclined(true);
      toast({ title: texts.withdrawn });
    },
    onError: (error) => toast({ title: error.message, variant: 'destructive' }),
  });

  if (!working || !consent.data || !('geolocation' in navigator)) return null;
  const { agreedAt, keptDays } = consent.data;
  if (agreedAt === null && declined) return null;
  if (agreedAt === null)
    return (
      <Question
        keptDays={keptDays}
        saving={save.isPending}
        onAgree={() => save.mutate(true)}
        onLater={() => {
          declinedOn.write(localDay());
          setDeclined(true);
        }}
      />
    );
  if (stopped)
    return (
      <Strip
        tone="grey"
        icon={<LocateOff />}
        title={texts.paused}
        action={
          <span className="flex flex-wrap gap-2">
            <Button variant="secondary" onClick={() => stop(false)}>
              {texts.again}
            </Button>
            <Button variant="ghost" loading={save.isPending} onClick={() => save.mutate(false)}>
              {texts.withdraw}
            </Button>
          </span>
        }
      />
    );
  return (
    userId !== null && (
      <Sharing key={attempt} userId={userId} onStop={() => stop(true)} onRetry={() => setAttempt(attempt + 1)} />
    )
  );
}

interface QuestionProps {
  keptDays: number;
  saving: boolean;
  onAgree: () => void;
  onLater: () => void;
}

/** One line, since the stop comes first. What is asked, and the answers, unfold below it. */
function Question({ keptDays, saving, onAgree, onLater }: QuestionProps) {
  const [open, setOpen] = useState(false);
  return (
    <section aria-labelledby="share-position" className="m-2 rounded-card border border-line bg-surface">
      <h2 id="share-position">
        <button
          type="button"
          aria-expanded={open}
          onClick={() => setOpen(!open)}
          className="flex min-h-12 w-full items-center gap-3 rounded-card px-4 py-2 text-left text-ui font-semibold"
        >
          <LocateFixed aria-hidden="true" className="size-5 shrink-0 text-brand" />
          <span className="min-w-0 grow wrap-anywhere">{texts.ask}</span>
          <ChevronDown
            aria-hidden="true"
            className={classes('size-5 shrink-0 text-ink-3 transition-transform', open && 'rotate-180')}
          />
        </button>
      </h2>
      {open && (
        <div className="px-4 pb-4">
          <div className="flex flex-col gap-2 text-body text-ink-2">
            <p>{texts.what}</p>
            <p>{texts.who}</p>
            <p>
              {counted(texts.kept, keptDays)} {texts.free}
            </p>
          </div>
          <div className="mt-4 flex flex-wrap gap-2 *:grow">
            <Button size="xl" loading={saving} loadingText={texts.saving} onClick={onAgree}>
              {texts.agree}
            </Button>
            <Button size="xl" variant="secondary" onClick={onLater}>
              {texts.later}
            </Button>
          </div>
        </div>
      )}
    </section>
  );
}

interface SharingProps {
  userId: string;
  onStop: () => void;
  onRetry: () => void;
}

/** Shares the position as long as it is mounted, and says so. */
function Sharing({ userId, onStop, onRetry }: SharingProps) {
  const state = useStore(sharingState);
  const kept = useStore(keptPoints);
  useEffect(() => startSharing(userId, () => void queryClient.invalidateQueries({ queryKey: consentKey })), [userId]);
  const end = (
    <Button variant="secondary" onClick={onStop}>
      {texts.stop}
    </Button>
  );
  if (state === 'denied')
    return (
      <Strip
        tone="yellow"
        icon={<LocateOff />}
        title={texts.denied}
        action={
          <span className="flex flex-wrap gap-2">
            <Button variant="secondary" onClick={onRetry}>
              {texts.retry}
            </Button>
            {end}
          </span>
        }
      >
        {texts.deniedHint}
      </Strip>
    );
  if (state === 'clock') return <Strip tone="yellow" icon={<LocateOff />} title={texts.clock} action={end} />;
  return (
    <Strip
      tone="blue"
      icon={<LocateFixed className={state === 'sharing' ? 'motion-safe:animate-pulse' : ''} />}
      title={state === 'sharing' ? texts.shared : texts.waiting}
      action={end}
    >
      {kept > 3 && counted(texts.offline, kept)}
    </Strip>
  );
}

interface StripProps {
  tone: 'grey' | 'yellow' | 'blue';
  icon: ReactNode;
  title: string;
  action: ReactNode;
  children?: ReactNode;
}

function Strip({ children, ...strip }: StripProps) {
  return (
    <div className="m-2">
      <Banner live {...strip}>
        {children}
      </Banner>
    </div>
  );
}
