import { ArrowUpToLine, Bell, Check, Clock, House, MapPin, Navigation, Signature, Wine } from 'lucide-react';
import { texts } from '../../platform/texts.ts';
import { statusLabel } from '../../tracking/texts.ts';
import type { ReactNode } from 'react';
import { StopCard } from '../../deliveries/StopCard.tsx';
import { StopDots } from '../../deliveries/StopDots.tsx';
import { texts as driverTexts } from '../../deliveries/texts.ts';
import { LabelPreview } from '../../labels/LabelPreview.tsx';
import { packageColumns } from '../../packages/package-columns.tsx';
import { StatusBadge } from '../../packages/StatusBadge.tsx';
import { DutyBadge } from '../../shifts/DutyBadge.tsx';
import { answerOf } from '../../tracking/answer.ts';
import { LiveIndicator } from '../../tracking/LiveIndicator.tsx';
import { phone } from '../../tracking/scene/geometry.ts';
import { Scene } from '../../tracking/scene/Scene.tsx';
import { sceneOf } from '../../tracking/scene/state.ts';
import { Van } from '../../tracking/scene/Van.tsx';
import { TrackProgress } from '../../tracking/TrackProgress.tsx';
import { buttonClasses } from '../../ui/button-classes.ts';
import { Initials } from '../../users/Initials.tsx';
import {
  sampleDays,
  sampleDelivery,
  sampleDrivers,
  sampleLabel,
  sampleLink,
  sampleNow,
  samplePackages,
  sampleView,
} from './landing-sample.ts';
import type { PictureName } from './picture.ts';

/*
 * The pictures of the landing page: the product's own components with one sample parcel. Decorative: they are hidden from screen readers
 * and cannot be operated.
 */

export function LandingPicture({ name }: { name: PictureName }) {
  return pictures[name]();
}

const pictures: Record<PictureName, () => ReactNode> = {
  hero: () => (
    <>
      <Road />
      <div className="landing-room">
        <div className="landing-stage">
          <div className="landing-label">
            <LabelPreview label={sampleLabel} link={sampleLink} zone={zone()} />
            <span className="landing-scan" />
          </div>
          <div className="landing-phone">
            <Phone />
          </div>
          <div className="landing-card">
            <Tracker />
          </div>
        </div>
      </div>
    </>
  ),
  owner: () => (
    <ul className="landing-sheet">
      {samplePackages.map((pkg) => (
        <li key={pkg.id} className="flex min-h-14 items-center gap-3 border-b border-line px-4 py-2 text-table">
          {columnOf('image')?.cell(pkg)}
          <span className="min-w-0 grow">{columnOf('name')?.cell(pkg)}</span>
          <StatusBadge status={pkg.status} size="xs" />
        </li>
      ))}
    </ul>
  ),
  driver: () => (
    <div className="landing-phone">
      <Phone />
    </div>
  ),
  admin: () => (
    <ul className="landing-sheet">
      {sampleDrivers.map(({ name, until, stops }) => (
        <li key={name} className="flex min-h-14 items-center gap-3 border-b border-line px-4 py-2 text-ui">
          <Initials name={name} />
          <span className="min-w-0 grow truncate font-medium">{name}</span>
          {stops > 0 && (
            <span className="flex items-center gap-1 text-table text-ink-2 figures">
              <MapPin className="size-4 text-ink-3" />
              {stops}
            </span>
          )}
          <DutyBadge onDuty={until !== null} />
        </li>
      ))}
    </ul>
  ),
  tracking: () => (
    <>
      <div className="landing-scene track-band">
        <Scene state={{ shot: 'road', tint: 'blue', stopsAway: 3, initial: 'J' }} stages={[phone]} />
      </div>
      <p className="mt-4 flex items-center justify-between gap-3">
        <StatusBadge status="in transit" label={statusLabel('in transit')} />
        <LiveIndicator state="connected" />
      </p>
    </>
  ),
  security: () => (
    <div className="landing-sheet p-5">
      <p className="text-ui font-semibold">{sampleLabel.recipientName}</p>
      <svg viewBox="0 0 200 70" className="mt-2 block w-full text-ink">
        <path d="M10 62h180" stroke="var(--color-line)" strokeWidth={1.5} />
        <path
          d="M22 56c8-18 12-34 16-34s-2 22 2 24 10-22 14-22-2 24 3 24 9-20 13-20-1 18 4 18 8-12 13-13 4 12 10 12 9-9 14-11 6 9 12 8 12-8 22-9 18 3 28 0"
          fill="none"
          stroke="currentColor"
          strokeWidth={2.2}
          strokeLinecap="round"
          strokeLinejoin="round"
        />
      </svg>
      <p className="mt-4 flex items-center gap-2 text-ui font-medium text-green-ink">
        <span className="figures">11:48</span>
        <StatusBadge status="delivered" label={statusLabel('delivered')} size="xs" />
      </p>
    </div>
  ),
  notifications: () => (
    <ul className="flex flex-col gap-2.5">
      {[
        { text: texts.track.delivered, time: '11:48', Icon: Check },
        { text: texts.track.nextStop, time: '11:38', Icon: Navigation },
        { text: statusLabel('out for delivery'), time: '07:52', Icon: Bell },
      ].map(({ text, time, Icon }, index) => (
        <li key={text} className={`landing-note landing-note-${index}`}>
          <span className="flex size-8 shrink-0 items-center justify-center rounded-control bg-brand-soft text-brand">
            <Icon className="size-4" />
          </span>
          <span className="min-w-0 grow text-table font-semibold">{text}</span>
          <span className="text-meta text-ink-3 figures">{time}</span>
        </li>
      ))}
    </ul>
  ),
  preferences: () => (
    <div className="landing-sheet p-4">
      <p className="flex items-center gap-2.5 pb-3 text-ui font-semibold figures">
        <Clock className="size-4.5 text-ink-3" /> 11:30 – 12:00
      </p>
      <div className="grid grid-cols-4 gap-2">
        {[Wine, ArrowUpToLine, Signature, House].map((Icon, index) => (
          <span
            key={Icon.displayName}
            className={`flex h-14 items-center justify-center rounded-card ${index > 1 ? 'bg-yellow-bg text-yellow-ink' : 'bg-sunken text-ink'}`}
          >
            <Icon className="size-6" strokeWidth={1.75} />
          </span>
        ))}
      </div>
    </div>
  ),
  routes: () => (
    <svg viewBox="0 0 420 210" preserveAspectRatio="xMidYMid slice" className="landing-map">
      <path d="M0 62h420M0 148h420M76 0v210M205 0v210M345 0v210M-20 196 200-20" className="landing-streets" />
      <path d="M76 210V62h129v86h140V62" className="landing-route" />
      {[
        [76, 148],
        [76, 62],
        [140, 62],
        [205, 92],
        [205, 148],
        [275, 148],
        [345, 62],
      ].map(([x = 0, y = 0], index) => (
        <g key={`${x} ${y}`}>
          <circle cx={x} cy={y} r={14} className={index < 2 ? 'landing-done' : 'landing-stop'} />
          <text x={x} y={y + 5} textAnchor="middle" className={index < 2 ? 'landing-done-text' : 'landing-stop-text'}>
            {index + 1}
          </text>
        </g>
      ))}
    </svg>
  ),
  // As the chart of the dashboard, which positions its bars by styles: server-rendered pages may have none in their markup.
  analytics: () => (
    <svg viewBox="0 0 288 208" className="landing-chart">
      <pattern id="landing-late" width={7} height={7} patternUnits="userSpaceOnUse" patternTransform="rotate(45)">
        <path d="M0 0h7v7H0z" fill="var(--color-red-dot)" fillOpacity={0.45} />
        <path d="M0 0h4v7H0z" fill="var(--color-red-dot)" />
      </pattern>
      {[0, 1, 2, 3].map((line) => (
        <path key={line} d={`M0 ${line * 60 + 2}h288`} stroke="var(--color-line)" />
      ))}
      {sampleDays.map(([onTime, late, day], index) => (
        <g key={day} transform={`translate(${index * 49 + 6} 0)`}>
          <rect y={182 - onTime * 4} width={30} height={onTime * 4} className="landing-bar" />
          <rect y={182 - (onTime + late) * 4} width={30} height={late * 4} fill="url(#landing-late)" />
          <text x={15} y={202} textAnchor="middle" fontSize={11} fill="var(--color-ink-3)" className="figures">
            {day}
          </text>
        </g>
      ))}
    </svg>
  ),
};

const zone = () => Intl.DateTimeFormat().resolvedOptions().timeZone;
const columnOf = (id: string) => packageColumns.find((column) => column.id === id);

function Tracker() {
  const { lead, main, detail } = answerOf(sampleView, { now: sampleNow });
  return (
    <>
      <div className="landing-scene track-band">
        <Scene state={sceneOf({ state: 'found', view: sampleView })} stages={[phone]} />
      </div>
      <div className="px-5 pt-4 pb-5">
        <p className="flex items-center justify-between gap-2">
          <span className="code text-table text-ink-2">{sampleView.trackingId}</span>
          <StatusBadge status={sampleView.status} label={statusLabel(sampleView.status)} />
        </p>
        <p className="mt-3 text-title leading-8 font-semibold">{lead}</p>
        <p className="text-section font-semibold tracking-[-0.02em] text-brand figures">{main}</p>
        {detail && <p className="mt-1 mb-4 text-ui text-ink-2">{detail.text}</p>}
        <TrackProgress status={sampleView.status} />
      </div>
    </>
  );
}

/** The driver's phone, drawn at the width of one and made smaller. */
function Phone() {
  return (
    <div className="landing-screen stop-sample">
      <div className="flex items-center justify-between px-5 pt-5 pb-3">
        <StopDots done={3} open={3} />
        <span className="text-body font-semibold figures">11:42</span>
      </div>
      <StopCard delivery={sampleDelivery} phase="driving" at={sampleNow} />
      <div className="mt-auto p-2">
        <span className={buttonClasses({ size: 'verb', fullWidth: true })}>
          <Navigation className="size-6" />
          {driverTexts.navigate}
        </span>
      </div>
    </div>
  );
}

/** From the left edge of the window to its right one; the van drives on it. */
function Road() {
  const path = 'M-20 128H520C620 128 600 62 700 62H860C960 62 950 150 1050 150H1480';
  return (
    <svg viewBox="0 0 1440 190" preserveAspectRatio="xMidYMax slice" className="landing-road">
      <path d={path} fill="none" stroke="var(--color-kraft-road)" strokeWidth={30} />
      <path d={path} fill="none" stroke="var(--color-kraft)" strokeWidth={2} strokeDasharray="14 12" />
      <g className="landing-van">
        <Van x={430} y={134} scale={0.72} />
      </g>
    </svg>
  );
}
