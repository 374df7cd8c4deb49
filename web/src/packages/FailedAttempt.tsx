import { useQuery } from '@tanstack/react-query';
import type { Package } from '@waybill/contract';
import { CalendarClock, PackageX, Store, Undo2 } from 'lucide-react';
import { useToday } from '../platform/clock.ts';
import { importWithRetry } from '../platform/import-with-retry.ts';
import { lazyComponent } from '../platform/lazy-component.tsx';
import { useSession } from '../platform/session.ts';
import { Banner } from '../ui/Banner.tsx';
import { LocalTime } from '../ui/LocalTime.tsx';
import { TextLink } from '../ui/TextLink.tsx';
import { useDialogState } from '../ui/useDialogState.ts';
import { PermissionButton } from '../users/PermissionButton.tsx';
import { nameOfDay } from './arrival.ts';
import { FailedAttemptPhoto } from './FailedAttemptPhoto.tsx';
import { waitsAfterAttempt, nextStepWords, onDay } from './next-step.ts';
import { proposedDayQuery, useChooseNextStep } from './queries.ts';

const NextStepDialog = lazyComponent(() =>
  importWithRetry(() => import('./NextStepDialog.tsx')).then((module) => module.NextStepDialog),
);

const tryingAgain = 'The next day on which a driver could take it is';
const bringingBack = 'The next day on which a driver could bring it back is';

/** A package that came back to the depot without an attempt: when it goes out again. */
function CountedBack({ pkg }: { pkg: Package }) {
  const now = useToday();
  const { data } = useQuery(proposedDayQuery(pkg.id));
  if (!data?.day) return null;
  return (
    <Banner icon={<CalendarClock />} title="It came back to the depot" live>
      No attempt was made. The next day on which a driver could take it is {nameOfDay(data.day, { now })}.
    </Banner>
  );
}

/** The last attempt of a package that waits again, and what happens next, which its owner chooses. */
export function FailedAttempt({ pkg }: { pkg: Package }) {
  const dialog = useDialogState<'next step'>();
  const now = useToday();
  const { failedAttempt: failed, attempts, nextStep, returnDue } = pkg;
  const isOpen = waitsAfterAttempt(pkg) && nextStep === null;
  const { data: proposal } = useQuery({ ...proposedDayQuery(pkg.id), enabled: isOpen });
  const proposed = isOpen ? (proposal?.day ?? null) : null;
  const accept = useChooseNextStep(pkg.id);
  const owns = useSession().user?.id === pkg.userId;
  // Only what was scanned in or counted back is at a depot.
  if (!failed) return pkg.status === 'processing' && pkg.depotId !== null ? <CountedBack pkg={pkg} /> : null;
  const { headline, detail } = nextStepWords(pkg, { now, owns });
  const Icon = nextStep?.kind === 'collect' ? Store : returnDue ? Undo2 : CalendarClock;
  return (
    <>
      <Banner tone="yellow" icon={<PackageX />} title="The last delivery attempt failed" live>
        <LocalTime value={failed.at} />
        {failed.reason && <span className="wrap-anywhere">: {failed.reason}</span>}
        {(attempts > 1 || failed.cardLeft) && (
          <span className="block">
            {attempts > 1 && <>{attempts} attempts so far. </>}
            {failed.cardLeft && 'A card was left at the door.'}
          </span>
        )}
        {failed.photo && <FailedAttemptPhoto photo={failed.photo} alt="What the driver found" />}
      </Banner>
      <Banner
        icon={<Icon />}
        title={headline}
        live
        action={
          waitsAfterAttempt(pkg) && (
            <span className="flex flex-wrap gap-2">
              {proposed !== null && !returnDue && (
                <PermissionButton
                  permissions={['packages.update']}
                  loading={accept.isPending}
                  loadingText="Saving..."
                  onClick={() => accept.mutate({ kind: 'again', day: proposed })}
                >
                  Try again {onDay(proposed, now)}
                </PermissionButton>
              )}
              <PermissionButton
                permissions={['packages.update']}
                variant="secondary"
                onClick={() => dialog.show('next step')}
              >
                {nextStep || proposed !== null || returnDue ? 'Choose something else' : 'Choose what happens next'}
              </PermissionButton>
            </span>
          )
        }
      >
        {detail}
        {proposed !== null && (!returnDue || pkg.returnTo) && (
          <>
            {' '}
            {returnDue ? bringingBack : tryingAgain} {nameOfDay(proposed, { now })}.
          </>
        )}
        {returnDue && owns && !pkg.returnTo && (
          <>
            {' '}
            <TextLink href="/account#return-address">Enter your return address</TextLink>
          </>
        )}
      </Banner>
      {dialog.shown && (
        <NextStepDialog
          key={dialog.opening}
          pkg={pkg}
          proposedDay={returnDue ? null : proposed}
          open={dialog.open}
          onClose={dialog.close}
        />
      )}
    </>
  );
}
