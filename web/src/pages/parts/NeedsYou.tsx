import { useQuery } from '@tanstack/react-query';
import type { Incident } from '@waybill/contract';
import { CircleCheck, MessagesSquare, Package, TriangleAlert } from 'lucide-react';
import type { ReactNode } from 'react';
import { openMessagesQuery } from '../../contact/queries.ts';
import { IncidentDialog } from '../../incidents/IncidentDialog.tsx';
import { recentIncidentsQuery } from '../../incidents/queries.ts';
import { formatCount } from '../../platform/formats.ts';
import { statsQuery } from '../../stats/queries.ts';
import { Button } from '../../ui/Button.tsx';
import { LinkButton } from '../../ui/LinkButton.tsx';
import { Panel } from '../../ui/Panel.tsx';
import { RelativeTime } from '../../ui/RelativeTime.tsx';
import { useDialogState } from '../../ui/useDialogState.ts';
import { useCan } from '../../users/useCan.ts';

/** The newest incidents that are read; older open ones are behind the figure. */
export const incidentsRead = 20;

interface Need {
  key: string;
  icon: ReactNode;
  title: string;
  reason: ReactNode;
  since?: string;
  action: ReactNode;
}

const count = (number: number, one: string, many: string) =>
  number === 1 ? `1 ${one}` : `${formatCount(number)} ${many}`;

/** What waits for a decision, most serious first, each with the step that settles it. Accounts that wait have a note above, which is live. */
export function NeedsYou() {
  const readsMessages = useCan({ permissions: ['admin.access'] });
  const stats = useQuery(statsQuery());
  const incidents = useQuery(recentIncidentsQuery(incidentsRead));
  const messages = useQuery({ ...openMessagesQuery(), enabled: readsMessages });
  const dialog = useDialogState<Incident>();

  const open = (incidents.data ?? []).filter(({ status }) => status !== 'Resolved');
  const waiting = stats.data?.pendingDeliveries ?? 0;
  const needs: Need[] = [
    ...open.map((incident) => ({
      key: `incident ${incident.id}`,
      icon: <TriangleAlert className="text-red-dot" />,
      title: `${incident.type}: ${incident.packageName}`,
      reason: incident.description,
      since: incident.time,
      action: (
        <Button
          size="sm"
          variant="secondary"
          aria-label={`${incident.status === 'Open' ? 'Investigate' : 'Open'} incident ${incident.id}`}
          onClick={() => dialog.show(incident)}
        >
          {incident.status === 'Open' ? 'Investigate' : 'Open'}
        </Button>
      ),
    })),
    ...(messages.data
      ? [
          {
            key: 'messages',
            icon: <MessagesSquare className="text-blue-dot" />,
            title: count(messages.data, 'message is open', 'messages are open'),
            reason: 'Written on the contact page.',
            action: (
              <LinkButton variant="secondary" size="sm" href="/admin/messages?status=Open">
                Read
              </LinkButton>
            ),
          },
        ]
      : []),
    ...(waiting > 0
      ? [
          {
            key: 'waiting',
            icon: <Package className="text-yellow-dot" />,
            title: count(waiting, 'package waits for a driver', 'packages wait for a driver'),
            reason: 'The longest waiting ones are first in the inventory.',
            action: (
              <LinkButton variant="secondary" size="sm" href="/admin/inventory">
                Assign
              </LinkButton>
            ),
          },
        ]
      : []),
  ];
  return (
    <>
      <Panel title="Needs you" count={needs.length} query={incidents} loadingHeight="h-56" flush>
        {() =>
          needs.length === 0 ? (
            <p className="flex items-center gap-2 border-t border-line px-5 py-6 text-ui text-ink-2">
              <CircleCheck aria-hidden="true" className="size-4 text-green-dot" /> Nothing waits for you.
            </p>
          ) : (
            <ul className="divide-y divide-line border-t border-line">
              {needs.map(({ key, icon, title, reason, since, action }) => (
                <li key={key} className="flex gap-2.5 px-4 py-3">
                  <span aria-hidden="true" className="mt-0.5 shrink-0 [&_svg]:size-4">
                    {icon}
                  </span>
                  <div className="min-w-0 grow">
                    <p className="flex items-baseline justify-between gap-2">
                      <span className="text-table font-medium wrap-anywhere text-ink">{title}</span>
                      {since && (
                        <span className="shrink-0 text-meta text-ink-3">
                          <RelativeTime value={since} align="end" />
                        </span>
                      )}
                    </p>
                    <p className="line-clamp-2 text-meta wrap-anywhere text-ink-2">{reason}</p>
                    <div className="mt-2">{action}</div>
                  </div>
                </li>
              ))}
            </ul>
          )
        }
      </Panel>
      {dialog.shown && (
        <IncidentDialog
          key={dialog.opening}
          incident={(incidents.data ?? []).find(({ id }) => id === dialog.shown?.id) ?? dialog.shown}
          open={dialog.open}
          onClose={dialog.close}
        />
      )}
    </>
  );
}
