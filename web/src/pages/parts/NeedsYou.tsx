import { useQuery } from '@tanstack/react-query';
import type { Counted, Incident, Needs } from '@waybill/contract';
import {
  CalendarX,
  CircleCheck,
  ClockAlert,
  MapPin,
  MessagesSquare,
  Package,
  RotateCcw,
  Send,
  TriangleAlert,
  UserRoundCheck,
  UserRoundX,
} from 'lucide-react';
import type { KeyboardEvent, ReactNode } from 'react';
import { IncidentDialog } from '../../incidents/LazyIncidentDialog.tsx';
import { formatCount, formatCountOf, formatLongDay } from '../../platform/formats.ts';
import { needsQuery } from '../../stats/queries.ts';
import { Button } from '../../ui/Button.tsx';
import { classes } from '../../ui/classes.ts';
import { LinkButton } from '../../ui/LinkButton.tsx';
import { Panel } from '../../ui/Panel.tsx';
import { RelativeTime } from '../../ui/RelativeTime.tsx';
import { useDialogState } from '../../ui/useDialogState.ts';

interface NeedGroup {
  icon: ReactNode;
  one: string;
  many: string;
  reason: (needs: Needs) => string;
  /** The list where it is settled, and what one does there. */
  href: string;
  action: string;
}

type Group = Exclude<keyof Needs, 'asOf' | 'incidents' | 'absent'>;

/** In order of urgency. */
const groups: Record<Group, NeedGroup> = {
  overdue: {
    icon: <CalendarX className="text-red-dot" />,
    one: 'package is overdue',
    many: 'packages are overdue',
    reason: () => 'Still on the road after the window or the expected day.',
    href: '/admin/inventory?overdue=true',
    action: 'Show overdue',
  },
  atRisk: {
    icon: <ClockAlert className="text-yellow-dot" />,
    one: 'package is at risk',
    many: 'packages are at risk',
    reason: () => 'Expected after the window or day. There is still time to act.',
    href: '/admin/inventory?atRisk=true',
    action: 'Show at risk',
  },
  afterFailure: {
    icon: <RotateCcw className="text-yellow-dot" />,
    one: 'package waits after a failed attempt',
    many: 'packages wait after a failed attempt',
    reason: ({ afterFailure }) => `${formatCount(afterFailure?.today ?? 0)} failed today.`,
    href: '/admin/inventory?status=processing&failed=true',
    action: 'Try again',
  },
  pins: {
    icon: <MapPin className="text-yellow-dot" />,
    one: 'package needs a pin',
    many: 'packages need a pin',
    reason: ({ pins }) =>
      pins?.count === 1
        ? 'Its address was not found: nobody can be sent there.'
        : 'Their addresses were not found: nobody can be sent there.',
    href: '/admin/inventory?needsPin=true',
    action: 'Set pins',
  },
  accounts: {
    icon: <UserRoundCheck className="text-yellow-dot" />,
    one: 'account awaits approval',
    many: 'accounts await approval',
    reason: ({ accounts }) =>
      accounts?.count === 1
        ? 'It cannot begin before somebody activates it.'
        : 'They cannot begin before somebody activates them.',
    href: '/admin/users?awaitsApproval=true',
    action: 'Review',
  },
  messages: {
    icon: <MessagesSquare className="text-blue-dot" />,
    one: 'message is open',
    many: 'messages are open',
    reason: () => 'Written on the contact page.',
    href: '/admin/messages?status=Open',
    action: 'Read',
  },
  notifications: {
    icon: <Send className="text-red-dot" />,
    one: 'notification could not be delivered',
    many: 'notifications could not be delivered',
    reason: () => 'Every retry has failed.',
    href: '/admin/notifications?state=failed',
    action: 'Retry',
  },
  waiting: {
    icon: <Package className="text-ink-3" />,
    one: 'package waits for a driver',
    many: 'packages wait for a driver',
    reason: () => 'Those waiting longest come first in the inventory.',
    href: '/admin/inventory?status=processing',
    action: 'Assign',
  },
};

/** How many rows of a narrow column say why: the others wait until these are settled. */
const explained = 1;

const inWords = ({ count, isCapped }: Counted, { one, many }: NeedGroup) =>
  count === 1 ? `1 ${one}` : `${formatCount(count)}${isCapped ? '+' : ''} ${many}`;

/** Arrow keys, `j` and `k`, Home and End walk from one step to the next. */
function walk(event: KeyboardEvent<HTMLUListElement>): void {
  if (event.metaKey || event.ctrlKey || event.altKey) return;
  const steps = [...event.currentTarget.querySelectorAll<HTMLElement>('a, button')];
  const at = steps.findIndex((step) => step === event.target);
  const last = steps.length - 1;
  const next = { ArrowDown: at + 1, j: at + 1, ArrowUp: at - 1, k: at - 1, Home: 0, End: last }[event.key];
  if (at === -1 || next === undefined) return;
  event.preventDefault();
  event.stopPropagation();
  steps[Math.max(0, Math.min(last, next))]?.focus();
}

/** What waits for a decision, most urgent first, each with the way to where it is settled. */
export function NeedsYou() {
  const query = useQuery(needsQuery());
  const dialog = useDialogState<Incident>();
  const incidents = query.data?.incidents;
  // Those that nobody looks after yet come first.
  const newest = (incidents?.newest ?? []).toSorted(
    (one, other) => Number(other.status === 'Open') - Number(one.status === 'Open'),
  );
  const present = (Object.keys(groups) as Group[]).filter((group) => (query.data?.[group]?.count ?? 0) > 0);
  const absent = query.data?.absent;
  const counted = (incidents?.count ?? 0) + (absent?.count ?? 0) + present.length;
  const others = (incidents?.count ?? 0) - newest.length;
  const urgent = newest.length + Number(others > 0) + (absent?.soonest.length ?? 0);
  return (
    <>
      {/* Announced when it changes. */}
      <p role="status" className="sr-only">
        {query.data && `${counted} wait for you`}
      </p>
      <Panel title="Needs you" count={counted} query={query} loadingHeight="h-72" flush>
        {(needs) =>
          counted === 0 ? (
            <p className="flex items-center gap-2 border-t border-line px-5 py-6 text-ui text-ink-2">
              <CircleCheck aria-hidden="true" className="size-4 text-green-dot" /> Nothing waits for you.
            </p>
          ) : (
            // Keys of the buttons and links inside it.
            // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions
            <ul className="@container divide-y divide-line border-t border-line" onKeyDown={walk}>
              {newest.map((incident, index) => (
                <Need
                  key={incident.id}
                  isBrief={index >= explained}
                  icon={<TriangleAlert className="text-red-dot" />}
                  title={`${incident.type}: ${incident.packageName}`}
                  reason={incident.description}
                  since={incident.time}
                >
                  <Button
                    size="sm"
                    variant="secondary"
                    aria-label={`${incident.status === 'Open' ? 'Investigate' : 'View'} incident ${incident.id}`}
                    onClick={() => dialog.show(incident)}
                  >
                    {incident.status === 'Open' ? 'Investigate' : 'View'}
                  </Button>
                </Need>
              ))}
              {others > 0 && (
                <Need
                  icon={<TriangleAlert className="text-red-dot" />}
                  title={`${formatCount(others)}${incidents?.isCapped ? '+' : ''} more open incidents`}
                  reason="Reported before those above."
                >
                  <LinkButton variant="secondary" size="sm" href="/admin/dashboard?figure=openIssues">
                    Show incidents
                  </LinkButton>
                </Need>
              )}
              {absent?.soonest.map(({ driverId, driver, day, depotId, stops }) => (
                <Need
                  key={`${driverId} ${day} ${depotId}`}
                  icon={<UserRoundX className="text-red-dot" />}
                  title={`${driver} is away: ${formatCountOf(stops, 'stop')} without a driver`}
                  reason={`${formatLongDay(day)}. Others can take them, in equal shares.`}
                >
                  <LinkButton
                    variant="secondary"
                    size="sm"
                    href={`/admin/dispatch?day=${day}&depot=${depotId}&show=routes&ill=${driverId}`}
                    aria-label={`Give to others: the stops of ${driver}`}
                  >
                    Give to others
                  </LinkButton>
                </Need>
              ))}
              {present.map((group, index) => (
                <Need
                  key={group}
                  isBrief={urgent + index >= explained}
                  icon={groups[group].icon}
                  title={inWords(needs[group] ?? { count: 0, isCapped: false }, groups[group])}
                  reason={groups[group].reason(needs)}
                >
                  <LinkButton variant="secondary" size="sm" href={groups[group].href}>
                    {groups[group].action}
                  </LinkButton>
                </Need>
              ))}
            </ul>
          )
        }
      </Panel>
      {dialog.shown && (
        <IncidentDialog
          key={dialog.opening}
          incident={newest.find(({ id }) => id === dialog.shown?.id) ?? dialog.shown}
          open={dialog.open}
          onClose={dialog.close}
        />
      )}
    </>
  );
}

interface NeedProps {
  icon: ReactNode;
  title: string;
  reason: string;
  since?: string;
  /** One line, with the reason for those who ask: below what is more urgent, and only in a narrow column. */
  isBrief?: boolean;
  /** The step that settles it. */
  children: ReactNode;
}

function Need({ icon, title, reason, since, isBrief = false, children }: NeedProps) {
  return (
    <li
      title={isBrief ? reason : undefined}
      className={classes(
        'flex gap-x-3 gap-y-2 px-5 @min-[30rem]:flex-row @min-[30rem]:items-center @min-[30rem]:py-2',
        isBrief ? 'items-start py-2' : 'flex-col py-3',
      )}
    >
      <div className={classes('flex min-w-0 grow gap-2.5', isBrief && 'self-center')}>
        {/* Beside the first line of its title. */}
        <span aria-hidden="true" className="mt-px shrink-0 [&_svg]:size-4">
          {icon}
        </span>
        <div className="min-w-0 grow">
          <p
            className={classes(
              'flex items-baseline justify-between gap-x-2',
              isBrief ? '@max-[30rem]:block' : '@max-[30rem]:flex-wrap',
            )}
          >
            <span className={classes('text-table font-medium wrap-anywhere text-ink', isBrief && '@max-[30rem]:block')}>
              {title}
            </span>
            {since && (
              <span className="shrink-0 text-meta text-ink-3">
                <RelativeTime value={since} align="end" />
              </span>
            )}
          </p>
          <p className={classes('line-clamp-2 text-meta wrap-anywhere text-ink-2', isBrief && '@max-[30rem]:sr-only')}>
            {reason}
          </p>
        </div>
      </div>
      <div className={classes('shrink-0', !isBrief && '@max-[30rem]:pl-6.5')}>{children}</div>
    </li>
  );
}
