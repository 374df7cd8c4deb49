/** A room for the scene: its size in units, and what stands where. */
export interface Stage {
  width: number;
  height: number;
  /** The centre line of the road: y at the edges and of the control point in the middle, and half of its breadth. */
  road: { y: number; controlY: number; half: number };
  /** Ridges of the two ranges, left to right. */
  far: readonly number[];
  near: readonly number[];
  /** Trees as x, height, and whether it is a conifer. */
  trees: readonly (readonly [x: number, height: number, conifer: boolean])[];
  clouds: readonly (readonly [x: number, y: number, scale: number])[];
  sun: { x: number; y: number; r: number };
  stars: readonly (readonly [x: number, y: number])[];
  bushes: readonly (readonly [x: number, y: number, r: number])[];
  depot: { x: number; scale: number };
  door: { x: number; scale: number };
  van: number;
  /** The scale of the drawings that fill the room: the doorstep, the dock; and where they stand. */
  close: {
    scale: number;
    door: readonly [x: number, y: number];
    depot: readonly [x: number, y: number];
    /** Where the sun stands beside the house. */
    sun: readonly [x: number, y: number];
  };
}

export const phone: Stage = {
  width: 390,
  height: 300,
  road: { y: 234, controlY: 252, half: 14 },
  far: [164, 152, 172, 160, 180, 170, 163],
  near: [188, 180, 192, 176, 190, 186],
  trees: [
    [101, 30, true],
    [113, 36, false],
    [128, 26, true],
    [152, 32, true],
    [163, 26, false],
    [196, 24, true],
    [232, 34, true],
    [243, 38, false],
    [262, 34, true],
    [292, 30, false],
    [386, 34, true],
  ],
  clouds: [
    [82, 84, 1],
    [322, 118, 0.75],
  ],
  sun: { x: 273, y: 81, r: 27 },
  stars: [
    [31, 66],
    [145, 55],
    [166, 48],
    [129, 87],
    [200, 82],
    [134, 110],
    [82, 120],
    [214, 150],
    [366, 65],
    [336, 104],
    [360, 114],
    [248, 118],
    [176, 128],
    [60, 104],
  ],
  bushes: [
    [211, 267, 8],
    [222, 267, 9],
    [372, 258, 8],
  ],
  depot: { x: 8, scale: 0.6 },
  door: { x: 297, scale: 0.62 },
  van: 0.58,
  close: { scale: 1, door: [0, 0], depot: [0, 0], sun: [78, 103] },
};

export const wide: Stage = {
  width: 1440,
  height: 468,
  road: { y: 330, controlY: 368, half: 23 },
  far: [222, 206, 230, 242, 214, 226, 212, 232, 248, 220, 206, 222, 236, 224],
  near: [262, 254, 248, 270, 276, 262, 258, 272, 266, 250, 262, 270, 252],
  trees: [
    [14, 44, true],
    [42, 60, true],
    [72, 52, false],
    [240, 50, true],
    [273, 70, false],
    [302, 44, true],
    [338, 60, true],
    [330, 34, false],
    [475, 64, false],
    [498, 46, true],
    [516, 30, true],
    [620, 56, true],
    [642, 30, true],
    [722, 52, false],
    [838, 44, true],
    [862, 38, true],
    [884, 50, false],
    [972, 40, true],
    [1004, 36, false],
    [1090, 44, true],
    [1190, 40, true],
    [1361, 68, false],
    [1390, 48, true],
    [1418, 66, true],
  ],
  clouds: [
    [235, 134, 1.15],
    [660, 112, 1.3],
    [1132, 182, 0.9],
    [1338, 108, 1],
  ],
  sun: { x: 1009, y: 126, r: 40 },
  stars: [
    [60, 110],
    [152, 84],
    [240, 170],
    [318, 96],
    [420, 140],
    [505, 80],
    [588, 170],
    [640, 104],
    [742, 152],
    [820, 90],
    [884, 190],
    [940, 100],
    [1098, 88],
    [1150, 190],
    [1216, 120],
    [1300, 82],
    [1362, 170],
    [1404, 110],
  ],
  bushes: [
    [86, 366, 18],
    [115, 364, 24],
    [514, 374, 17],
    [540, 373, 24],
    [952, 380, 20],
    [1172, 372, 20],
    [1384, 364, 24],
  ],
  depot: { x: 108, scale: 1 },
  door: { x: 1208, scale: 1 },
  van: 1,
  close: { scale: 1.5, door: [704, -3], depot: [150, 4], sun: [520, 132] },
};

/** The road runs beyond both edges by this much. */
const overhang = 10;
const rise = ({ road }: Stage) => road.controlY - road.y;
const span = ({ width }: Stage) => width + 2 * overhang;

/** The y of the road's centre line, a parabola. */
export function roadAt(stage: Stage, x: number): number {
  const part = (x + overhang) / span(stage);
  return stage.road.y + 2 * part * (1 - part) * rise(stage);
}

/** The road's slope, as dy/dx. */
export const slopeAt = (stage: Stage, x: number): number =>
  (2 * (1 - (2 * (x + overhang)) / span(stage)) * rise(stage)) / span(stage);

/** The road's centre line between two x. */
export function roadPath(stage: Stage, from = -overhang, to = stage.width + overhang): string {
  const middle = (from + to) / 2;
  const start = roadAt(stage, from);
  const controlY = start + slopeAt(stage, from) * (middle - from);
  return `M${round(from)} ${round(start)}Q${round(middle)} ${round(controlY)} ${round(to)} ${round(roadAt(stage, to))}`;
}

/** A smooth ridge through heights at equal distances, closed at the bottom. */
export function ridge({ width, height }: Stage, heights: readonly number[]): string {
  const step = (width + 40) / (heights.length - 1);
  const [first = 0, ...rest] = heights;
  const curve = rest.map((y, index) => {
    const x = -20 + (index + 1) * step;
    const controls = index === 0 ? `C${round(-20 + step / 2)} ${first} ` : 'S';
    return `${controls}${round(x - step / 2)} ${y} ${round(x)} ${y}`;
  });
  return `M-20 ${first}${curve.join('')}V${height}H-20z`;
}

/** Conifers and leafy trees as one path each, with their trunks; all stand on the upper edge of the road. */
export function treePaths(stage: Stage): { conifers: string; leaves: string; trunks: string } {
  const paths = { conifers: '', leaves: '', trunks: '' };
  for (const [x, size, conifer] of stage.trees) {
    const y = round(roadAt(stage, x) - stage.road.half + 1);
    const part = (share: number) => round(size * share);
    paths.trunks += `M${x - 1} ${round(y - size * 0.2)}h2V${y}h-2z`;
    if (conifer)
      paths.conifers += `M${x} ${round(y - size)}l${part(0.22)} ${part(0.4)}h${-part(0.08)}l${part(0.18)} ${part(0.46)}h${-part(0.64)}l${part(0.18)} ${-part(0.46)}h${-part(0.08)}z`;
    else
      paths.leaves += `M${x} ${round(y - size)}a${part(0.27)} ${part(0.4)} 0 0 1 0 ${part(0.8)}a${part(0.27)} ${part(0.4)} 0 0 1 0 ${-part(0.8)}z`;
  }
  return paths;
}

export const round = (value: number): number => Math.round(value * 10) / 10;
