import { fill } from '@waybill/contract';
import { ArrowLeft } from 'lucide-react';
import { useState } from 'react';
import { mayOpen } from '../app/navigation.ts';
import { localStorageItem } from '../platform/local-storage.ts';
import { usePageTitle } from '../platform/page-title.ts';
import { useSession } from '../platform/session.ts';
import { Card } from '../ui/Card.tsx';
import { Checkbox } from '../ui/Checkbox.tsx';
import { classes } from '../ui/classes.ts';
import { LinkButton } from '../ui/LinkButton.tsx';
import { PageTitle } from '../ui/PageTitle.tsx';
import { ProgressBar } from '../ui/ProgressBar.tsx';
import { dashboardOf } from '../users/dashboards.ts';
import { administratorSteps, dispatcherSteps, driverLinks, ownerSteps } from '../users/first-day-steps.ts';
import type { FirstDayStep } from '../users/first-day-steps.ts';
import { firstDayTexts } from '../users/first-day-texts.ts';

/** Awaited before the page is shown. */
export { loadFirstDayTexts } from '../users/first-day-texts.ts';

interface Words {
  title: string;
  intro: string;
  /** '{count} of {all} done' */
  progress: string;
  back: string;
}

const english: Words = {
  title: 'A first day',
  intro: 'What to do first, in this order. Tick what is done: it is kept on this device.',
  progress: '{count} of {all} done',
  back: 'Back to your dashboard',
};

/** What to do first, for the role of the reader: driver in four languages, the others in English, as their pages are. */
export function FirstDayPage() {
  const session = useSession();
  const { user } = session;
  const isDriver = user?.role === 'driver';
  const words = isDriver ? firstDayTexts() : english;
  usePageTitle(words.title);
  // During sign-out there is one render without a user.
  if (!user) return null;
  const mine = (steps: readonly FirstDayStep[]) =>
    steps
      .map((step) => ({ ...step, links: step.links.filter(({ href }) => mayOpen(href, session)) }))
      .filter(({ links }) => links.length > 0);
  const parts: Part[] = isDriver
    ? [{ title: null, steps: driverSteps() }]
    : user.role === 'owner'
      ? [{ title: null, steps: mine(ownerSteps) }]
      : [
          { title: 'Set it up', steps: mine(administratorSteps) },
          { title: 'Plan and watch a day', steps: mine(dispatcherSteps) },
        ];
  return (
    <div
      className={classes('page', user.role === 'admin' ? 'py-5 md:px-6 md:py-6' : 'py-6 md:py-8')}
      lang={isDriver ? undefined : 'en'}
    >
      {/* Beside the administrators' navigation pages begin at their left. */}
      <div className={classes('lg:max-w-[52rem]', user.role !== 'admin' && 'mx-auto')}>
        <PageTitle
          title={words.title}
          subtitle={words.intro}
          before={
            <span className="-ml-4 flex">
              <LinkButton
                variant="ghost"
                href={dashboardOf(user.role)}
                icon={<ArrowLeft aria-hidden="true" className="size-4" />}
              >
                {words.back}
              </LinkButton>
            </span>
          }
        />
        <Checklist key={user.id} userId={user.id} parts={parts.filter(({ steps }) => steps.length > 0)} words={words} />
      </div>
    </div>
  );
}

/** A text with commands between backticks. */
function Coded({ text }: { text: string }) {
  return text.split('`').map((part, index) =>
    index % 2 === 0 ? (
      part
    ) : (
      <code key={part} className="code whitespace-nowrap text-ink-2">
        {part}
      </code>
    ),
  );
}

function driverSteps(): FirstDayStep[] {
  const { steps } = firstDayTexts();
  return (Object.keys(driverLinks) as (keyof typeof driverLinks)[]).map((id) => {
    const { title, text, link } = steps[id];
    return { id: `driver-${id}`, title, text, links: [{ href: driverLinks[id], label: link }] };
  });
}

interface Part {
  title: string | null;
  steps: readonly FirstDayStep[];
}

function Checklist({ userId, parts, words }: { userId: string; parts: readonly Part[]; words: Words }) {
  const stored = localStorageItem(`firstDay ${userId}`);
  const [ticked, setTicked] = useState<readonly string[]>(() => stored.read()?.split(' ') ?? []);
  const steps = parts.flatMap((part) => part.steps);
  const count = steps.filter(({ id }) => ticked.includes(id)).length;
  const next = steps.find(({ id }) => !ticked.includes(id))?.id;
  const toggle = (id: string) => {
    const next = ticked.includes(id) ? ticked.filter((one) => one !== id) : [...ticked, id];
    setTicked(next);
    stored.write(next.length > 0 ? next.join(' ') : null);
  };
  const progress = fill(words.progress, { count, all: steps.length });
  return (
    <>
      <p role="status" className="mb-2 text-ui font-medium text-ink-2 figures">
        {progress}
      </p>
      <ProgressBar
        label={words.title}
        value={steps.length === 0 ? 0 : (count / steps.length) * 100}
        valueText={progress}
        tone="green"
      />
      <div className="mt-5 flex flex-col gap-5">
        {parts.map((part) => (
          <Card key={part.title} title={part.title} flush>
            <ol className={classes('divide-y divide-line', part.title !== null && 'border-t border-line')}>
              {part.steps.map(({ id, title, text, links }) => (
                <li
                  key={id}
                  className="gap-x-6 px-5 py-2 text-pretty md:grid md:py-1 md:grid-cols-[minmax(0,1fr)_11rem]"
                >
                  <Checkbox
                    label={title}
                    hint={<Coded text={text} />}
                    checked={ticked.includes(id)}
                    onChange={() => toggle(id)}
                  />
                  {/* The first one without a tick is what to do next: its link is a button. */}
                  <p
                    className={classes(
                      'flex flex-wrap gap-x-5 pl-8 md:mt-0 md:flex-col md:items-start md:pl-0 md:pointer-fine:py-1.5',
                      id === next ? 'mb-2 md:mb-0' : '-mt-2',
                    )}
                  >
                    {links.map(({ href, label }, index) =>
                      id === next && index === 0 ? (
                        <LinkButton key={label} size="sm" href={href}>
                          {label}
                        </LinkButton>
                      ) : (
                        <a
                          key={label}
                          href={href}
                          className="inline-flex min-h-11 items-center pointer-fine:min-h-9 md:pointer-fine:min-h-7 text-ui font-medium text-brand hover:underline"
                        >
                          {label}
                        </a>
                      ),
                    )}
                  </p>
                </li>
              ))}
            </ol>
          </Card>
        ))}
      </div>
    </>
  );
}
