import { statusStyle } from '../packages/status.ts';
import { classes } from '../ui/classes.ts';
import { ProgressBar } from '../ui/ProgressBar.tsx';

const steps = [
  { label: 'Preparing', from: 10, align: 'text-left' },
  { label: 'In Transit', from: 50, align: 'text-center' },
  { label: 'Delivered', from: 100, align: 'text-right' },
];

/** Progress bar with three labelled steps. */
export function TrackProgress({ status }: { status: string }) {
  const { label, tone, trackerProgress } = statusStyle(status);
  const reached = steps.findLastIndex((step) => trackerProgress >= step.from);
  return (
    <div>
      <ProgressBar
        label="Delivery progress"
        value={trackerProgress}
        valueText={`${label}, ${trackerProgress}%`}
        tone={tone === 'yellow' ? 'blue' : tone}
      />
      <ol className="mt-2.5 grid grid-cols-3">
        {steps.map((step, index) => (
          <li
            key={step.label}
            aria-current={index === reached ? 'step' : undefined}
            className={classes(
              'text-ui hyphens-auto wrap-anywhere',
              step.align,
              index === reached ? 'font-semibold text-ink' : index < reached ? 'text-ink-2' : 'text-ink-3',
            )}
          >
            {step.label}
          </li>
        ))}
      </ol>
    </div>
  );
}
