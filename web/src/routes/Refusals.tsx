import { Link } from '@tanstack/react-router';
import type { StopsResult } from '@waybill/contract';
import { X } from 'lucide-react';
import { formatCount, formatShortDay } from '../platform/formats.ts';
import { IconButton } from '../ui/IconButton.tsx';
import { refusedBy } from './refused-by.ts';
import type { RefusingRoute } from './refused-by.ts';

interface RefusalsProps {
  refused: StopsResult['refused'];
  onDismiss: () => void;
}

/** As many routes are named for each reason. */
const maxNamed = 6;

const nameOf = ({ driver, day }: RefusingRoute) => `${driver ?? 'No driver'}, ${formatShortDay(day)}`;

/** What an act did not take, by reason, with links to the routes that have it. */
export function Refusals({ refused, onDismiss }: RefusalsProps) {
  if (refused.length === 0) return null;
  return (
    <div
      role="alert"
      className="flex items-start gap-3 border-b border-line bg-yellow-bg px-5 py-2 text-ui text-yellow-ink"
    >
      <div className="min-w-0 grow">
        <p className="font-medium">{formatCount(refused.length)} not taken</p>
        <ul>
          {refusedBy(refused).map(({ message, count, routes }) => (
            <li key={message} className="figures wrap-anywhere">
              {formatCount(count)}: {message}
              {routes.slice(0, maxNamed).map(({ route, count: of }, index) => (
                <span key={route.id}>
                  {index === 0 ? ': ' : '; '}
                  <Link
                    to="/admin/dispatch"
                    search={{ day: route.day, depot: route.depotId, show: 'routes' }}
                    hash={`route-${route.id}`}
                    className="font-medium underline underline-offset-2"
                  >
                    {nameOf(route)}
                  </Link>
                  {routes.length > 1 && ` (${formatCount(of)})`}
                </span>
              ))}
              {routes.length > maxNamed && ` and ${formatCount(routes.length - maxNamed)} more routes`}
            </li>
          ))}
        </ul>
      </div>
      <IconButton size="sm" label="Dismiss" icon={<X aria-hidden="true" />} onClick={onDismiss} />
    </div>
  );
}
