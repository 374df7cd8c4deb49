import type { Tone } from './tone.ts';
import { toneBarClasses } from './tone.ts';

interface ProgressBarProps {
  /** 0 to 100. */
  value: number;
  /** The accessible name. */
  label: string;
  /** Read by screen readers instead of the percentage: 'Out for Delivery'. */
  valueText?: string;
  tone?: Tone;
  /** 2, 6 or 8 px high. */
  size?: 'xs' | 'sm' | 'md';
}

const heights = { xs: 'h-0.5', sm: 'h-1.5', md: 'h-2' };

/** An SVG, because its width is an attribute: the Content Security Policy of server-rendered pages blocks inline styles. */
export function ProgressBar({ value, label, valueText, tone = 'blue', size = 'md' }: ProgressBarProps) {
  return (
    <div
      role="progressbar"
      aria-label={label}
      aria-valuemin={0}
      aria-valuemax={100}
      aria-valuenow={value}
      aria-valuetext={valueText}
      className={`bar w-full bg-ink/10 ${heights[size]}`}
    >
      <svg aria-hidden="true" width="100%" height="100%" className="block">
        <rect
          width={`${value}%`}
          height="100%"
          rx="4"
          className={`transition-[width] duration-240 ease-calm ${toneBarClasses[tone]}`}
        />
      </svg>
    </div>
  );
}
