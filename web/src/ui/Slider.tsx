import type { ComponentPropsWithRef, CSSProperties } from 'react';
import { useFieldControl } from './field-context.ts';
import { nextStep, stepFor } from './slider-steps.ts';

export interface SliderProps extends Omit<
  ComponentPropsWithRef<'input'>,
  'className' | 'style' | 'type' | 'value' | 'onChange'
> {
  min: number;
  max: number;
  step: number;
  value: number;
  onValueChange: (value: number) => void;
  /** The value as read by screen readers: '2.5 kg'. */
  formatValue?: (value: number) => string;
}

interface SliderStyle extends CSSProperties {
  '--slider-fill': string;
}

/** A styled native range input, so arrow keys, Page Up/Down, Home and End work. */
export function Slider({ min, max, step, value, onValueChange, formatValue, ...rest }: SliderProps) {
  const field = useFieldControl();
  const style: SliderStyle = { '--slider-fill': `${((value - min) / (max - min)) * 100}%` };
  return (
    <input
      {...field}
      {...rest}
      type="range"
      min={min}
      max={max}
      step={stepFor(value, min, step)}
      value={value}
      aria-valuetext={formatValue?.(value)}
      onChange={(event) => onValueChange(nextStep(event.target.valueAsNumber, value, min, step))}
      style={style}
      className="slider"
    />
  );
}
