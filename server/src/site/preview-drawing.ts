import type { LabelFont, PreviewData } from '@waybill/contract';
import { runsOf, widthOf } from '../labels/fonts.ts';

/** Colours by state, as on the page in the light theme. */
const tints = {
  blue: {
    sky: '#c9dcff',
    low: '#eef4ff',
    far: '#bdd1fb',
    near: '#a5c0f5',
    fore: '#4f7fd4',
    accent: '#1d4ed8',
    soft: '#dbeafe',
    ink: '#1e40af',
  },
  yellow: {
    sky: '#fbe1a0',
    low: '#fdf4d8',
    far: '#eedca2',
    near: '#e2c980',
    fore: '#bb923a',
    accent: '#a16207',
    soft: '#fef3c7',
    ink: '#713f12',
  },
  green: {
    sky: '#c2ebd0',
    low: '#edf9f1',
    far: '#b9e2c8',
    near: '#9ad3ae',
    fore: '#4f9f6e',
    accent: '#15803d',
    soft: '#dcfce7',
    ink: '#14532d',
  },
  grey: {
    sky: '#c4cdda',
    low: '#eceff4',
    far: '#cbd3de',
    near: '#b3bdcb',
    fore: '#6d7d94',
    accent: '#475467',
    soft: '#e9ecf1',
    ink: '#374151',
  },
} as const;

const [width, height] = [1200, 630];
const ticket = { left: 70, top: 128, right: 1130, bottom: 572, tear: 408, notch: 20, corner: 36 };

/** The link preview as SVG. Texts are outlines from the installed fonts, because a server need not have any of its own. */
export function drawPreview({
  organisation,
  hasLogo,
  trackingId,
  lead,
  main,
  status,
  progress,
  tint,
  steps,
}: PreviewData): string {
  const { sky, low, far, near, fore, accent, soft, ink } = tints[tint];
  const room = ticket.right - ticket.left - 112;
  const x = ticket.left + 56;
  const mainSize = Math.min(104, room / widthOf(main, 'strong'));
  const pill = widthOf(status, 'text') * 28 + 56;
  const nodes = [0, 50, 100].map((at, index) => ({
    at,
    x: x + 26 + (index * (room - 52)) / 2,
    label: steps[index] ?? '',
  }));
  const reached = nodes.findLastIndex(({ at }) => progress >= Math.max(at, 1));
  const lines = nodes.slice(1).map((node, index) => {
    const from = (nodes[index]?.x ?? 0) + 38;
    const length = node.x - 38 - from;
    const filled = Math.min(1, Math.max(0, (progress - index * 50) / 50)) * length;
    return bar(from, length, '#eef1f5') + (filled > 0 ? bar(from, filled, accent) : '');
  });
  const circles = nodes.map((node, index) => {
    const anchor = (['start', 'middle', 'end'] as const)[index];
    const labelX = [x, node.x, x + room][index] ?? node.x;
    const done = index <= reached;
    return `${index === reached ? `<circle cx="${node.x}" cy="464" r="34" fill="${accent}" fill-opacity=".2"/>` : ''}
      <circle cx="${node.x}" cy="464" r="26" fill="${done ? accent : '#fff'}" stroke="${done ? accent : '#7f8a9c'}" stroke-width="2.5"/>
      ${index < reached || progress === 100 ? `<path d="M${node.x - 10} 464l7 8 13-15" fill="none" stroke="#fff" stroke-width="5" stroke-linecap="round" stroke-linejoin="round"/>` : `<circle cx="${node.x}" cy="464" r="8" fill="${done ? '#fff' : '#7f8a9c'}"/>`}
      ${text(node.label, { x: labelX, y: 536, size: 28, font: 'text', fill: '#101828', anchor })}`;
  });
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}">
    <defs><linearGradient id="sky" x2="0" y2="1"><stop stop-color="${sky}"/><stop offset=".7" stop-color="${low}"/></linearGradient></defs>
    <path d="M0 0h1200v630H0z" fill="url(#sky)"/>
    <circle cx="1010" cy="96" r="86" fill="#fff4cf" fill-opacity=".45"/><circle cx="1010" cy="96" r="52" fill="#fff4cf"/>
    <path d="M0 300C150 220 300 330 480 280S820 220 960 290s180 10 240-20v360H0z" fill="${far}"/>
    <path d="M0 400C180 330 320 420 520 380s380 40 680-30v280H0z" fill="${near}"/>
    <path d="M0 520C300 470 800 580 1200 500v130H0z" fill="${fore}"/>
    ${hasLogo ? '' : `<g transform="translate(${ticket.left} 36) scale(1.75)"><path d="${markTicket}" fill="#1d4ed8"/><path d="${falling}" fill="#b9cfff"/><path d="${rising}" fill="#fff"/></g>`}
    ${text(organisation, { x: ticket.left + (hasLogo ? 0 : 76), y: 77, size: Math.min(38, 820 / widthOf(organisation, 'strong')), font: 'strong', fill: '#101828' })}
    <path d="${ticketPath()}" fill="#101828" fill-opacity=".1" transform="translate(0 10)"/>
    <path d="${ticketPath()}" fill="#fff"/>
    <path d="M${ticket.left + 40} ${ticket.tear}H${ticket.right - 40}" stroke="#a9b3c2" stroke-width="5" stroke-linecap="round" stroke-dasharray=".1 16"/>
    <rect x="${x}" y="164" width="${pill}" height="54" rx="27" fill="${soft}"/>
    ${text(status, { x: x + 28, y: 201, size: 28, font: 'text', fill: ink })}
    ${text(trackingId, { x: x + room, y: 201, size: 30, font: 'code', fill: '#475467', anchor: 'end' })}
    ${text(lead, { x, y: 272, size: Math.min(46, room / widthOf(lead, 'strong')), font: 'strong', fill: '#101828' })}
    ${text(main, { x: x - 3, y: 366, size: mainSize, font: 'strong', fill: '#101828' })}
    ${lines.join('')}${circles.join('')}
  </svg>`;
}

const bar = (x: number, length: number, fill: string) =>
  `<rect x="${x}" y="460" width="${length}" height="8" rx="4" fill="${fill}"/>`;

function ticketPath(): string {
  const { left, top, right, bottom, tear, notch, corner } = ticket;
  const side = (length: number) => `v${length}`;
  return `M${left + corner} ${top}H${right - corner}a${corner} ${corner} 0 0 1 ${corner} ${corner}${side(tear - notch - top - corner)}
    a${notch} ${notch} 0 0 0 0 ${2 * notch}V${bottom - corner}a${corner} ${corner} 0 0 1 ${-corner} ${corner}H${left + corner}
    a${corner} ${corner} 0 0 1 ${-corner} ${-corner}V${tear + notch}a${notch} ${notch} 0 0 0 0 ${-2 * notch}V${top + corner}a${corner} ${corner} 0 0 1 ${corner} ${-corner}z`;
}

interface TextStyle {
  x: number;
  /** The baseline. */
  y: number;
  size: number;
  font: LabelFont;
  fill: string;
  anchor?: 'start' | 'middle' | 'end';
}

/** A line of text as outlines. */
function text(content: string, { x, y, size, font, fill, anchor = 'start' }: TextStyle): string {
  const shift = { start: 0, middle: 0.5, end: 1 }[anchor] * widthOf(content, font) * size;
  let pen = x - shift;
  const glyphs = runsOf(content, font).flatMap(({ text: run, file: { font: face } }) => {
    const scale = size / face.unitsPerEm;
    const { glyphs: shapes, positions } = face.layout(run);
    return shapes.map((glyph, index) => {
      const at = pen;
      pen += (positions[index]?.xAdvance ?? 0) * scale;
      return `<path d="${glyph.path.toSVG()}" transform="translate(${at} ${y}) scale(${scale} ${-scale})"/>`;
    });
  });
  return `<g fill="${fill}">${glyphs.join('')}</g>`;
}

/** The mark, in a square of 32 units: web/src/ui/Mark.tsx. */
const markTicket = 'M8 0h16a8 8 0 0 1 8 8v4.4a3.6 3.6 0 0 0 0 7.2V24a8 8 0 0 1-8 8H8a8 8 0 0 1-8-8V8a8 8 0 0 1 8-8z';
const falling = 'M3.9 8.9h4.3l4.3 14.2H8.1zM13.1 12.3h4.4l4 10.8h-4.4z';
const rising = 'M8.1 23.1h4.4l5-10.8h-4.4zM17.1 23.1h4.4l4.3-14.2h-4.3z';
