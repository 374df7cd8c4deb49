import { queryOptions, useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { doorsOf, fill, isOpenStop } from '@waybill/contract';
import type { Depot, Route, Stop } from '@waybill/contract';
import { ArrowLeft, Printer } from 'lucide-react';
import { useMemo } from 'react';
import { encode } from 'uqr';
import { depotsQuery } from '../../depots/queries.ts';
import { api } from '../../platform/api.ts';
import { formatLongDay, formatWeight } from '../../platform/formats.ts';
import { formatPhone } from '../../platform/phone.ts';
import { usePageTitle } from '../../platform/page-title.ts';
import { useSession } from '../../platform/session.ts';
import { activeDriversQuery } from '../../shifts/queries.ts';
import { Button } from '../../ui/Button.tsx';
import { Card } from '../../ui/Card.tsx';
import { LinkButton } from '../../ui/LinkButton.tsx';
import { QueryError } from '../../ui/QueryError.tsx';
import { Skeleton } from '../../ui/Skeleton.tsx';
import { SkeletonGroup } from '../../ui/SkeletonGroup.tsx';
import { useDelayedPending } from '../../ui/useDelayedPending.ts';
import { handlingText, packagesText, returnText, sheetTexts } from '../../routes/manifest-texts.ts';

const routeQuery = (id: string) =>
  queryOptions({
    queryKey: ['routes', 'manifest', id],
    queryFn: ({ signal }) => api.routes.read({ params: { id }, signal }),
    meta: { showsError: true },
  });

/** The manifest of a route: its stops in order, with a box to tick and a code for each package. Only the sheet is printed. */
export function Manifest() {
  const { id = '' } = useParams({ strict: false });
  const { user } = useSession();
  const route = useQuery(routeQuery(id));
  const depots = useQuery(depotsQuery());
  const isDriver = user?.role === 'driver';
  const drivers = useQuery({ ...activeDriversQuery(), enabled: !isDriver });
  const pending = useDelayedPending(route.isPending);
  const sheet = sheetTexts();
  usePageTitle(sheet.manifest);
  const depot = depots.data?.find((one) => one.id === route.data?.depotId);
  const driverId = route.data?.driverId ?? null;
  const driver = driverId === user?.id ? user?.name : drivers.data?.find((one) => one.id === driverId)?.name;
  const back = isDriver
    ? '/driver/dashboard'
    : `/admin/dispatch${route.data ? `?day=${route.data.day}&depot=${route.data.depotId}` : ''}`;
  return (
    <div className="page py-6 md:py-8 print:p-0">
      <div className="mx-auto max-w-[52rem]">
        <div className="mb-4 flex flex-wrap items-center justify-between gap-2 print:hidden">
          <span className="-ml-4 flex">
            <LinkButton variant="ghost" href={back} icon={<ArrowLeft aria-hidden="true" className="size-4" />}>
              {sheet.back}
            </LinkButton>
          </span>
          {route.data && (
            <Button icon={<Printer aria-hidden="true" className="size-5" />} onClick={() => print()}>
              {sheet.print}
            </Button>
          )}
        </div>
        {route.data ? (
          <Sheet route={route.data} depot={depot} driver={driverId === null ? null : (driver ?? '')} />
        ) : (
          <Card>
            <h1 className="sr-only">{sheet.manifest}</h1>
            {route.isError ? (
              <QueryError query={route} />
            ) : (
              pending && (
                <SkeletonGroup label={sheet.manifest}>
                  <Skeleton width="w-48" height="h-8" />
                  <div className="mt-6">
                    <Skeleton height="h-96" />
                  </div>
                </SkeletonGroup>
              )
            )}
          </Card>
        )}
      </div>
    </div>
  );
}

/** 09:05 in the depot's zone. */
const timeIn = (timeZone: string, moment: string) =>
  new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit', hourCycle: 'h23', timeZone }).format(
    new Date(moment),
  );

const windowIn = (zone: string, window: { from: string; to: string } | null) =>
  window && `${timeIn(zone, window.from)}–${timeIn(zone, window.to)}`;

interface SheetProps {
  route: Route;
  depot: Depot | undefined;
  /** Null without one; empty while it is loading. */
  driver: string | null;
}

function Sheet({ route, depot, driver }: SheetProps) {
  const sheet = sheetTexts();
  const zone = depot?.timeZone ?? 'UTC';
  // What is loaded: of a finished route everything that was on it.
  const stops = route.state === 'finished' ? route.stops : route.stops.filter(({ state }) => isOpenStop(state));
  const doors = doorsOf(stops);
  const last = doors.pop();
  const grams = stops.reduce((sum, { delivery }) => sum + Math.round(delivery.weight * 1000), 0);
  const facts = [
    [sheet.driver, driver ?? sheet.noDriver],
    [sheet.depot, depot?.name ?? ''],
    [sheet.day, formatLongDay(route.day)],
    [sheet.start, route.startsAt ? timeIn(zone, route.startsAt) : ''],
    [sheet.total, `${packagesText(stops.length)}, ${formatWeight(grams / 1000)}`],
  ];
  return (
    <article className="numbered-pages rounded-card border border-line bg-surface p-4 sm:p-8 print:table print:w-full print:border-0 print:p-0">
      {/* Browsers repeat the head of a table on each page: a loose sheet says whose it is. */}
      <p
        aria-hidden="true"
        className="hidden text-meta text-ink-2 figures print:table-header-group print:break-inside-avoid"
      >
        <span className="block pb-2">
          {[driver ?? sheet.noDriver, depot?.name, formatLongDay(route.day)].filter(Boolean).join(' · ')}
        </span>
      </p>
      <header className="border-b-2 border-ink pb-4">
        <h1 className="text-title font-semibold">{sheet.manifest}</h1>
        <dl className="mt-3 grid grid-cols-[auto_1fr] gap-x-5 gap-y-2 sm:flex sm:flex-wrap lg:gap-x-8 print:flex print:flex-wrap">
          {facts.map(([name, value]) => (
            <div key={name}>
              <dt className="text-meta text-ink-3">{name}</dt>
              <dd className="text-ui font-semibold figures lg:text-body">{value}</dd>
            </div>
          ))}
        </dl>
      </header>
      <ol className="divide-y divide-line">
        {doors.map((door) => (
          <Door key={door[0]?.packageId} stops={door} zone={zone} />
        ))}
      </ol>
      {/* Nobody signs a sheet without a stop: the last door comes along. */}
      <div className="break-inside-avoid">
        {last && (
          <ol className="border-t border-line">
            <Door stops={last} zone={zone} />
          </ol>
        )}
        <footer className="mt-2 flex gap-8 border-t-2 border-ink pt-10 text-meta text-ink-3">
          <p className="flex-1 border-t border-ink pt-1">{sheet.loadedBy}</p>
          <p className="flex-1 border-t border-ink pt-1">{sheet.driver}</p>
        </footer>
      </div>
    </article>
  );
}

function Door({ stops, zone }: { stops: readonly Stop[]; zone: string }) {
  const [first] = stops;
  const last = stops.at(-1);
  if (!first || !last) return null;
  const { delivery } = first;
  const expected = windowIn(zone, first.arrivalWindow);
  const wish = windowIn(zone, delivery.window);
  return (
    <li className="grid grid-cols-[2rem_minmax(0,1fr)] gap-x-3 py-3 break-inside-avoid sm:grid-cols-[2rem_minmax(0,1fr)_minmax(0,1.25fr)] print:grid-cols-[2rem_minmax(0,1fr)_minmax(0,1.25fr)]">
      <p className="text-right text-section font-semibold figures">
        <span className="sr-only">{sheetTexts().stop} </span>
        {first.position}
        {/* Several parcels for one door: the number of the next line is explained. */}
        {last !== first && <span className="block text-ui font-medium text-ink-2">–{last.position}</span>}
      </p>
      <div className="min-w-0">
        <p className="text-body font-semibold wrap-anywhere">
          {delivery.returnDue ? returnText(delivery.recipientName) : delivery.recipientName}
        </p>
        <p className="text-ui text-ink-2 wrap-anywhere">{delivery.recipientAddress ?? delivery.location}</p>
        {delivery.recipientPhone && (
          <p className="text-ui text-ink-2 figures">{formatPhone(delivery.recipientPhone)}</p>
        )}
        <p className="text-ui text-ink-2 figures">{[expected, wish && `(${wish})`].filter(Boolean).join(' ')}</p>
        {delivery.instructions && <p className="text-ui wrap-anywhere">{delivery.instructions}</p>}
      </div>
      <ul className="min-w-0 space-y-2 max-sm:col-start-2 max-sm:mt-2 print:col-start-3 print:mt-0">
        {stops.map((stop) => (
          <Parcel key={stop.packageId} stop={stop} />
        ))}
      </ul>
    </li>
  );
}

function Parcel({ stop: { delivery, sender } }: { stop: Stop }) {
  // Masked before it may be shown: no label has this code.
  const isWhole = !delivery.trackingId.includes('…');
  return (
    <li className="flex items-start gap-3 break-inside-avoid">
      <span aria-hidden="true" className="mt-0.5 size-5 shrink-0 rounded-[3px] border-2 border-ink" />
      <div className="min-w-0 grow">
        <p className="text-ui font-medium wrap-anywhere">{delivery.packageName}</p>
        <p className="text-ui text-ink-2 figures">
          <span className="code">{delivery.trackingId}</span>
          {delivery.reference && ` · ${delivery.reference}`}{' '}
          <span className="whitespace-nowrap">· {formatWeight(delivery.weight)}</span>
        </p>
        {/* Of a return the sender is whom it goes to. */}
        {sender !== null && !delivery.returnDue && (
          <p className="text-ui text-ink-2 wrap-anywhere">{fill(sheetTexts().from, { name: sender })}</p>
        )}
        <p className="text-ui font-semibold wrap-anywhere">{handlingText(delivery.handling)}</p>
      </div>
      {isWhole && <Code text={delivery.trackingId} />}
    </li>
  );
}

/** A QR code of the tracking ID, as the scanners of the round read it. */
function Code({ text }: { text: string }) {
  const { path, size } = useMemo(() => {
    const { data, size: modules } = encode(text, { ecc: 'M', border: 2 });
    const cells = data.flatMap((row, y) => row.map((isDark, x) => (isDark ? `M${x} ${y}h1v1h-1z` : '')));
    return { path: cells.join(''), size: modules };
  }, [text]);
  return (
    <svg
      role="img"
      aria-label={`${sheetTexts().code} ${text}`}
      viewBox={`0 0 ${size} ${size}`}
      shapeRendering="crispEdges"
      className="size-[18mm] shrink-0"
    >
      {/* On white in the dark too: cameras cannot read black on black. */}
      <rect width={size} height={size} fill="#fff" />
      <path d={path} fill="#000" />
    </svg>
  );
}
