import { labelSizes, layOutLabel } from '@waybill/contract';
import type { LabelContent, LabelFont, LabelItem } from '@waybill/contract';
import { useEffect, useMemo, useState } from 'react';
import { codesOf } from './label-codes.ts';

interface LabelPreviewProps {
  /** An empty `recipientName`, `name`, street or city is drawn as a bar: there the text will stand. */
  label: LabelContent;
  /** The address in the QR code. */
  link: string;
  /** The time zone of the window. */
  zone: string;
}

const { width, height } = labelSizes.label;

const fonts: Record<LabelFont, { family: string; weight: number }> = {
  text: { family: 'Geist Variable', weight: 500 },
  strong: { family: 'Geist Variable', weight: 600 },
  code: { family: 'Geist Mono Variable', weight: 600 },
};

/** The label as it is printed, without what only the server knows. Always black on white, as paper is. */
export function LabelPreview({ label, link, zone }: LabelPreviewProps) {
  const codes = useMemo(() => codesOf(label.trackingId, link), [label.trackingId, link]);
  const measure = useMeasure();
  const items = layOutLabel(labelSizes.label, withBars(label), codes, measure, zone);
  return (
    <svg
      role="img"
      aria-label={`The label of ${label.trackingId}, as it will be printed`}
      viewBox={`0 0 ${width} ${height}`}
      className="block w-full rounded-card bg-paper shadow-float"
    >
      {items.map((item, index) => (
        // oxlint-disable-next-line react/no-array-index-key
        <Item key={index} item={item} measure={measure} />
      ))}
    </svg>
  );
}

function Item({ item, measure }: { item: LabelItem; measure: Measure }) {
  switch (item.kind) {
    case 'text':
      return <Text item={item} measure={measure} />;
    case 'box': {
      const { x, y, width: boxWidth, height: boxHeight, radius, stroke } = item;
      const paint = stroke === null ? { fill: '#000' } : { fill: 'none', stroke: '#000', strokeWidth: stroke };
      return <rect x={x} y={y} width={boxWidth} height={boxHeight} rx={radius} {...paint} />;
    }
    case 'dashes':
      return (
        <path d={`M${item.x} ${item.y}h${item.length}`} stroke="#000" strokeWidth={0.3} strokeDasharray="1.2 0.8" />
      );
    case 'path': {
      const { x, y, scale, path, stroke, white } = item;
      const colour = white ? '#fff' : '#000';
      const paint =
        stroke === null
          ? { fill: colour }
          : ({
              fill: 'none',
              stroke: colour,
              strokeWidth: stroke,
              strokeLinecap: 'round',
              strokeLinejoin: 'round',
            } as const);
      return <path d={path} transform={`translate(${x} ${y}) scale(${scale})`} {...paint} />;
    }
  }
}

function Text({ item, measure }: { item: Extract<LabelItem, { kind: 'text' }>; measure: Measure }) {
  const { text, x, y, size, font, align, spacing, white } = item;
  if (text.includes(bar)) {
    const length = measure(text, font) * size;
    return <rect x={x} y={y - size * 0.7} width={length} height={size * 0.7} rx={size * 0.15} fill="#ece7dc" />;
  }
  const { family, weight } = fonts[font];
  // The space after the last character counts as well.
  const end = align === 'center' ? (spacing * size) / 2 : spacing * size;
  return (
    <text
      x={align === 'left' ? x : x + end}
      y={y}
      textAnchor={align === 'left' ? 'start' : align === 'center' ? 'middle' : 'end'}
      fontFamily={family}
      fontWeight={weight}
      fontSize={size}
      letterSpacing={spacing * size}
      fill={white ? '#fff' : '#000'}
    >
      {text}
    </text>
  );
}

/** Stands for a text that is not known yet; of the private use area, so nobody types it. */
const bar = '\uE000';
const barOf = (length: number) => bar.repeat(length);

function withBars(label: LabelContent): LabelContent {
  const { address } = label;
  return {
    ...label,
    name: label.name || barOf(12),
    recipientName: label.recipientName || barOf(11),
    address: {
      street: address?.street || barOf(14),
      postalCode: address?.postalCode ?? null,
      city: address?.city || barOf(7),
      country: address?.country ?? null,
    },
  };
}

type Measure = (text: string, font: LabelFont) => number;

/** Measures with the browser's own fonts, again once they have loaded. */
function useMeasure(): Measure {
  const [, setLoaded] = useState(0);
  useEffect(() => {
    let isOn = true;
    const load = Object.values(fonts).map(({ family, weight }) => document.fonts.load(`${weight} 20px "${family}"`));
    void Promise.allSettled(load).then(() => isOn && setLoaded((count) => count + 1));
    return () => {
      isOn = false;
    };
  }, []);
  return measureText;
}

let context: CanvasRenderingContext2D | null = null;

function measureText(text: string, font: LabelFont): number {
  // A bar, or a drawing on the server, which has no fonts.
  if (text.startsWith(bar) || typeof document === 'undefined') return text.length * 0.55;
  context ??= document.createElement('canvas').getContext('2d');
  if (!context) return text.length * 0.55;
  const { family, weight } = fonts[font];
  context.font = `${weight} 100px "${family}"`;
  return context.measureText(text).width / 100;
}
