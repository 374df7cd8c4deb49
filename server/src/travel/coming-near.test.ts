import fc from 'fast-check';
import { expect, test } from 'vitest';
import { stayOf, staysAt, type Door, type TrackPoint } from './coming-near.ts';

const door: Door = { lon: 10, lat: 53.55, accuracy: 'rooftop' };
/** A point so many seconds after the begin, so many metres to the north of the door. */
const at = (seconds: number, metres: number, rest: Partial<TrackPoint> = {}): TrackPoint => ({
  lon: 10,
  lat: 53.55 + metres / 111_195,
  at: seconds * 1000,
  accuracy: 8,
  speed: null,
  ...rest,
});
const seconds = (points: TrackPoint[], where = door) =>
  staysAt(points, where).map(({ from, until }) => [from / 1000, until / 1000]);

test('who comes near a door and stays has arrived when they came', () => {
  const drive = [at(0, 900), at(30, 500), at(60, 120), at(70, 30), at(100, 12), at(130, 15)];
  expect(seconds(drive)).toEqual([[70, 130]]);
  expect(seconds([...drive, at(160, 300), at(190, 700)])).toEqual([[70, 130]]);
  // Back later.
  expect(seconds([...drive, at(400, 700), at(430, 900), at(900, 10), at(930, 10), at(960, 10)])).toEqual([
    [70, 130],
    [900, 960],
  ]);
});

test('who passes, waits at a light, is seen once, or not well enough, has not arrived', () => {
  expect(seconds([at(0, 300), at(10, 20), at(20, 300)])).toEqual([]);
  expect(seconds([at(0, 30), at(10, 25), at(20, 30), at(30, 200), at(40, 400)])).toEqual([]);
  expect(seconds([at(0, 10), at(600, 10), at(1200, 10)])).toEqual([]);
  expect(seconds([at(0, 10), at(60, 10)])).toEqual([]);
  const vague = { accuracy: 400 };
  expect(seconds([at(0, 10, vague), at(30, 10, vague), at(60, 10, vague)])).toEqual([]);
  const fast = { speed: 12 };
  expect(seconds([at(0, 10, fast), at(30, 10, fast), at(60, 10, fast)])).toEqual([]);
});

test('how near is near depends on how exactly the door and the point are known', () => {
  const track = (metres: number, accuracy: number | null) =>
    [0, 30, 60].map((second) => at(second, metres, { accuracy }));
  const hasArrived = (metres: number, accuracy: number | null, where: Door['accuracy']) =>
    seconds(track(metres, accuracy), { ...door, accuracy: where }).length === 1;
  expect([hasArrived(45, 8, 'rooftop'), hasArrived(60, 8, 'rooftop'), hasArrived(60, 30, 'pin')]).toEqual([
    true,
    false,
    true,
  ]);
  expect([hasArrived(65, null, 'rooftop'), hasArrived(75, null, 'rooftop')]).toEqual([true, false]);
  expect([hasArrived(120, 8, 'street'), hasArrived(120, 8, 'rooftop'), hasArrived(0, 8, 'town')]).toEqual([
    true,
    false,
    false,
  ]);
});

test('one wild point neither begins nor ends a stay, and the order in which points come does not matter', () => {
  const stay = [at(0, 700), at(30, 400), at(60, 20), at(80, 15), at(110, 10), at(140, 12), at(170, 18)];
  const away = [at(0, 700), at(30, 600), at(60, 650), at(90, 700), at(120, 640)];
  fc.assert(
    fc.property(
      fc.integer({ min: 0, max: 180 }),
      fc.integer({ min: 0, max: 50_000 }),
      fc.array(fc.nat(1000), { minLength: 8, maxLength: 8 }),
      (second, metres, order) => {
        const shuffled = (points: TrackPoint[]) =>
          points
            .map((point, index) => ({ point, by: order[index] ?? 0 }))
            .toSorted((a, b) => a.by - b.by)
            .map(({ point }) => point);
        expect(seconds(shuffled([...away, at(second + 0.5, metres % 30)]))).toEqual([]);
        const [found, ...others] = seconds(shuffled([...stay, at(second + 0.5, metres + 200)]));
        // Right after the first point it makes the second one the first.
        expect([60, 80]).toContain(found?.[0]);
        expect([found?.[1], others]).toEqual([170, []]);
      },
    ),
  );
});

test('a button that was pressed elsewhere does not say when the driver was at the door', () => {
  const stays = [
    { from: 100_000, until: 200_000 },
    { from: 900_000, until: 1_300_000 },
  ];
  expect(stayOf(stays, 210_000)).toEqual(stays[0]);
  expect(stayOf(stays, 5_000_000)).toEqual(stays[1]);
  expect(stayOf([], 0)).toBeNull();
});
