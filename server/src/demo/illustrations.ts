// The demo's images as SVG, generated instead of stored as files. Without text, since a server may have no fonts.

type Point = readonly [x: number, y: number];

/** The colours of an illustration: wall, floor and cardboard (lit, side, shaded, tape). */
const themes = [
  { wall: '#E8EDF4', floor: '#D3DBE6', board: ['#DDB98A', '#CDA471', '#B78B57', '#EAD3AE'] },
  { wall: '#EFE9E1', floor: '#DDD2C4', board: ['#8FB0D9', '#7699C8', '#5C80B2', '#C4D6EE'] },
  { wall: '#E4EEE9', floor: '#CBDDD4', board: ['#E2C59B', '#D2B183', '#BC9866', '#B4443A'] },
  { wall: '#F0E8EC', floor: '#E0D2DA', board: ['#F4F1EC', '#E3DED6', '#CBC4B9', '#2F6B57'] },
  { wall: '#E9E9F2', floor: '#D5D5E4', board: ['#C9A27C', '#B68E67', '#9C744E', '#F2D16B'] },
  { wall: '#F2EDDF', floor: '#E2D9C2', board: ['#9CC3AE', '#82AD97', '#67937D', '#E6F1EA'] },
] as const;
type Theme = (typeof themes)[number];

/** An image of the demo: its subject, and the index of its theme (modulo the number of themes). */
export interface Illustration {
  of: 'parcel' | 'front' | 'label' | 'damage' | 'door' | 'portrait' | 'signature';
  theme: number;
}

/** Returns the SVG of an illustration; deterministic. */
export function renderSvg({ of, theme: index }: Illustration): string {
  const theme = themes[index % themes.length] ?? themes[0];
  return illustrations[of](theme, index);
}

const illustrations: Record<Illustration['of'], (theme: Theme, index: number) => string> = {
  parcel: (theme, index) => scene(theme, parcel(theme, 236 + (index % 3) * 26, 190 + ((index * 37) % 80))),
  front: (theme, index) => scene(theme, front(theme, index)),
  label: (theme) =>
    page(`<rect width="1024" height="768" fill="${theme.board[1]}"/>${flaps(theme)}${label(250, 190, 524, 388)}`),
  damage: (theme) => scene(theme, `${parcel(theme, 220, 200)}${dent(theme)}`),
  door: (theme) => page(`${door}<g transform="translate(330 330) scale(.52)">${parcel(theme, 220, 190)}</g>`),
  portrait: () => page(portrait, 640, 640),
  signature: () => page(signature, 640, 240),
};

/** Output scale; smaller images make the first start faster, which waits for them. */
const scale = 0.625;

const page = (content: string, width = 1024, height = 768) =>
  `<svg xmlns="http://www.w3.org/2000/svg" width="${width * scale}" height="${height * scale}" viewBox="0 0 ${width} ${height}">${content}</svg>`;

/** A table before a wall, lit from the upper left. */
const scene = ({ wall, floor }: Theme, content: string) =>
  page(
    '<defs><radialGradient id="shade"><stop offset="0" stop-color="#101828" stop-opacity=".34"/>' +
      '<stop offset="1" stop-color="#101828" stop-opacity="0"/></radialGradient>' +
      '<radialGradient id="light" cx=".3" cy=".15" r=".9"><stop offset="0" stop-color="#fff" stop-opacity=".75"/>' +
      '<stop offset="1" stop-color="#fff" stop-opacity="0"/></radialGradient></defs>' +
      `<rect width="1024" height="768" fill="${wall}"/><rect y="470" width="1024" height="298" fill="${floor}"/>` +
      `<rect width="1024" height="768" fill="url(#light)"/>${content}`,
  );

const polygon = (points: readonly Point[], fill: string) =>
  `<polygon points="${points.map(([x, y]) => `${x.toFixed(1)},${y.toFixed(1)}`).join(' ')}" fill="${fill}"/>`;

/** A closed parcel seen from above one of its edges. */
function parcel({ board: [lit, side, shaded, tape] }: Theme, half: number, height: number): string {
  const [x, y, rise] = [512, 600, half * 0.45];
  /** A point on the lid, as fractions from its left corner along the back and the front edge. */
  const onLid = (back: number, fore: number): Point => [
    x - half + (back + fore) * half,
    y - height - rise + (fore - back) * rise,
  ];
  /** A point on the left side, as fractions of its width and height. */
  const onWall = (across: number, down: number): Point => [
    x - half + across * half,
    y - height - rise + across * rise + down * height,
  ];
  const down = ([px, py]: Point, by: number): Point => [px, py + by];
  const [left, back, right, fore] = [onLid(0, 0), onLid(1, 0), onLid(1, 1), onLid(0, 1)];
  const bars = [0.2, 0.26, 0.29, 0.37, 0.41, 0.5, 0.53];
  return [
    `<ellipse cx="${x + 26}" cy="${y - rise * 0.55}" rx="${half * 1.5}" ry="${rise * 1.35}" fill="url(#shade)"/>`,
    polygon([left, fore, down(fore, height), down(left, height)], side),
    polygon([fore, right, down(right, height), down(fore, height)], shaded),
    polygon([left, back, right, fore], lit),
    polygon([onLid(0.42, 0), onLid(0.58, 0), onLid(0.58, 1), onLid(0.42, 1)], tape),
    polygon(
      [onLid(0.42, 1), onLid(0.58, 1), down(onLid(0.58, 1), height * 0.3), down(onLid(0.42, 1), height * 0.3)],
      tape,
    ),
    polygon([onWall(0.12, 0.3), onWall(0.62, 0.3), onWall(0.62, 0.84), onWall(0.12, 0.84)], '#FBFBF8'),
    ...bars.map((at) =>
      polygon([onWall(at, 0.6), onWall(at + 0.022, 0.6), onWall(at + 0.022, 0.77), onWall(at, 0.77)], '#2B3340'),
    ),
    ...[0.38, 0.46].map((at, index) =>
      polygon(
        [
          onWall(0.18, at),
          onWall(0.5 - index * 0.12, at),
          onWall(0.5 - index * 0.12, at + 0.03),
          onWall(0.18, at + 0.03),
        ],
        '#8A93A3',
      ),
    ),
  ].join('');
}

/** A closed parcel seen from the front, with the 'this side up' arrows. */
function front({ board: [lit, side, , tape] }: Theme, number: number): string {
  const width = 420 + (number % 3) * 60;
  const left = 512 - width / 2;
  const arrow = (x: number) =>
    `<path d="M${x} 520v-76m-24 26 24-28 24 28" fill="none" stroke="#2B3340" stroke-opacity=".7" stroke-width="10" stroke-linejoin="round" stroke-linecap="round"/>`;
  return (
    `<ellipse cx="540" cy="588" rx="${width * 0.66}" ry="46" fill="url(#shade)"/>` +
    `<path d="M${left + 26} 250h${width - 52}l26 40H${left}z" fill="${lit}"/>` +
    `<rect x="${left}" y="290" width="${width}" height="296" fill="${side}"/>` +
    `<path d="M472 250h80l6 40v84h-92v-84z" fill="${tape}"/>` +
    `${label(left + 40, 420, 190, 130)}${arrow(left + width - 130)}${arrow(left + width - 66)}` +
    `<path d="M${left + width - 160} 540h124" stroke="#2B3340" stroke-opacity=".7" stroke-width="10" stroke-linecap="round"/>`
  );
}

const flaps = ({ board: [lit, , shaded, tape] }: Theme) =>
  `<path d="M0 0h1024v120H0z" fill="${lit}"/><path d="M0 120h1024v6H0z" fill="${shaded}"/>` +
  `<path d="M0 648h1024v120H0z" fill="${shaded}" opacity=".45"/><path d="M430 0h164v150H430z" fill="${tape}" opacity=".9"/>`;

/** A shipping label: three lines of an address, and a barcode. */
function label(x: number, y: number, width: number, height: number): string {
  const widths = [3, 1, 2, 5, 1, 3, 2, 1, 4, 2, 1, 3, 5, 1, 2, 2, 4, 1, 3, 1];
  const unit = (width * 0.84) / (widths.reduce((sum, bar) => sum + bar + 1.6, 0) - 1.6);
  let at = x + width * 0.08;
  const bars = widths.map((barWidth) => {
    const bar = `<rect x="${at.toFixed(1)}" y="${y + height * 0.5}" width="${(barWidth * unit).toFixed(1)}" height="${height * 0.38}" fill="#2B3340"/>`;
    at += (barWidth + 1.6) * unit;
    return bar;
  });
  const line = (down: number, length: number) =>
    `<rect x="${x + width * 0.08}" y="${y + height * down}" width="${width * length}" height="${height * 0.06}" rx="${height * 0.03}" fill="#8A93A3"/>`;
  return (
    `<rect x="${x}" y="${y}" width="${width}" height="${height}" rx="${height * 0.04}" fill="#FBFBF8"/>` +
    `${line(0.12, 0.52)}${line(0.24, 0.38)}${line(0.36, 0.44)}${bars.join('')}`
  );
}

/** A dent in the side of a parcel. */
const dent = ({ board: [lit, side] }: Theme) =>
  '<path d="M574 452l52-30 34 20 18 54-30 46-58 18-34-44z" fill="#101828" fill-opacity=".5"/>' +
  `<path d="M574 452l52-30-14 44z" fill="${side}"/><path d="M660 442l18 54-40-18z" fill="${lit}"/><path d="M590 560l58-18-44-24z" fill="${side}"/>` +
  '<path d="M560 436l-30-26M690 500l34 12M566 540l-26 24" stroke="#101828" stroke-opacity=".4" stroke-width="5" stroke-linecap="round"/>';

const door =
  '<defs><radialGradient id="shade"><stop offset="0" stop-color="#101828" stop-opacity=".42"/><stop offset="1" stop-color="#101828" stop-opacity="0"/></radialGradient></defs>' +
  '<rect width="1024" height="768" fill="#D9CFC2"/><rect y="606" width="1024" height="162" fill="#A9A196"/>' +
  '<rect x="300" y="40" width="424" height="576" fill="#F3EEE6"/><rect x="330" y="70" width="364" height="546" fill="#2F5D50"/>' +
  '<rect x="372" y="112" width="280" height="150" rx="8" fill="#BFD7E4"/><path d="M372 226l110-114h56L372 262z" fill="#fff" opacity=".35"/>' +
  '<rect x="372" y="300" width="126" height="270" rx="6" fill="#27504497"/><rect x="526" y="300" width="126" height="270" rx="6" fill="#27504497"/>' +
  '<circle cx="662" cy="352" r="13" fill="#E3B04B"/><rect x="772" y="236" width="62" height="86" rx="6" fill="#F3EEE6"/><circle cx="803" cy="292" r="10" fill="#8A7F70"/>' +
  '<ellipse cx="512" cy="650" rx="270" ry="52" fill="#6E5A45"/><ellipse cx="512" cy="650" rx="244" ry="42" fill="#7D6851"/>';

const portrait =
  '<rect width="640" height="640" fill="#C9DAF0"/><circle cx="320" cy="330" r="250" fill="#DCE8F7"/>' +
  '<path d="M90 640c8-120 92-178 230-178s222 58 230 178z" fill="#1D4ED8"/><path d="M250 470l70 66 70-66 26 12-96 104-96-104z" fill="#F2F5F9"/>' +
  '<path d="M268 400h104v78l-52 50-52-50z" fill="#B9805C"/><ellipse cx="320" cy="306" rx="104" ry="126" fill="#CF9670"/>' +
  '<path d="M206 300c-14-120 44-176 114-176s128 56 114 176c-18-40-30-62-34-92-48 24-120 24-160 0-4 30-16 52-34 92z" fill="#3B2A20"/>' +
  '<circle cx="280" cy="308" r="9" fill="#2B1F18"/><circle cx="360" cy="308" r="9" fill="#2B1F18"/>' +
  '<path d="M282 366c22 22 54 22 76 0" fill="none" stroke="#7E4B33" stroke-width="9" stroke-linecap="round"/>';

const signature =
  '<rect width="640" height="240" fill="#fff"/><g fill="none" stroke="#101828" stroke-width="4.5" stroke-linecap="round" stroke-linejoin="round">' +
  '<path d="M96 62c-10 40-22 84-26 118 30 6 52 2 70-12"/><path d="M150 148c18 2 32-12 22-24-12-8-28 14-18 34 12 16 34 2 44-14"/>' +
  '<path d="M198 144c4-10 12-18 20-12 8 8-14 34-2 34 12-2 18-22 22-34-2 16-2 32 10 26 16-8 26-66 30-98-10 36-22 84-12 98 10 6 22-8 28-16"/>' +
  '<path d="M294 142c10 0 20-8 26-14-10 14-14 34-4 36 12 0 20-20 24-34-4 18-4 36 8 32 8-4 12-12 16-20"/>' +
  '<path d="M398 58c-6 36-12 80-16 116M456 52c-8 40-14 82-16 122M384 118c22-6 46-10 68-10M478 138c-14-10-30 6-24 22 8 12 24-4 28-20-2 14 0 26 12 22 14-8 22-40 30-66"/>' +
  '<path d="M522 128c16-12 40-14 62-12M60 206c160-22 330-26 500-18"/></g>';
