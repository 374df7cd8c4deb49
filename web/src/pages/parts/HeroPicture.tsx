import { StatusBadge } from '../../packages/StatusBadge.tsx';
import { TrackProgress } from '../../tracking/TrackProgress.tsx';

const lines = [
  { text: 'Out for Delivery', place: 'Hamburg, Altona', time: '10:42', now: true },
  { text: 'Picked up by the driver', place: 'Hamburg, Depot 2', time: '08:15', now: false },
  { text: 'Registered for shipping', place: 'Bremen', time: 'Mon', now: false },
];

/** A mock-up of the tracker. Decorative, and hidden from screen readers. */
export function HeroPicture() {
  return (
    <div aria-hidden="true" className="relative select-none">
      <div className="absolute inset-x-6 -bottom-4 h-24 rounded-sheet border border-line bg-surface/60" />
      <div className="relative rounded-sheet bg-surface p-6 shadow-float sm:p-8">
        <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
          <span className="code text-ui font-medium text-ink-2">PKG-7K2M9XQ4</span>
          <StatusBadge status="out for delivery" />
        </div>
        <p className="mt-6 text-stat font-semibold">Arriving today</p>
        <p className="mt-1 text-ui text-ink-2">Ceramic vase · 2.4 kg</p>
        <div className="mt-7">
          <TrackProgress status="out for delivery" />
        </div>
        <div className="mt-7 flex flex-col gap-4 border-t border-line pt-6">
          {lines.map(({ text, place, time, now }) => (
            <div key={text} className="flex items-baseline gap-3">
              <span
                className={`size-2 shrink-0 self-center rounded-full ${now ? 'bg-brand ring-4 ring-brand-soft' : 'bg-control'}`}
              />
              <span className={`text-ui ${now ? 'font-semibold' : 'text-ink-2'}`}>{text}</span>
              <span className="ml-auto hidden text-table text-ink-3 sm:block">{place}</span>
              <span className="figures w-11 text-right text-table text-ink-3 max-sm:ml-auto">{time}</span>
            </div>
          ))}
        </div>
      </div>
    </div>
  );
}
