import type { KnownPlace } from '../places/gazetteer.ts';

/** The middle of the demo's fictional town, where there are only fields. */
const middle = { lon: -98.21, lat: 39.61 };
const metresPerDegree = 111_320;
const blockMetres = 120;
const houses = 60;
const houseMetres = 14;

const firsts = 'Alder Ash Birch Cedar Elm Fern Hazel Ivy Juniper Larch Maple Oak Poplar Rowan Willow'.split(' ');
const seconds = ['Street', 'Lane', 'Road', 'Avenue', 'Row', 'Close'];

/**
 * The addresses of Riverton: streets on a jittered grid, half of them from west to east, with 60 houses each on both sides. The same at each
 * call.
 *
 * @param named the streets that exist in any case
 * @param random from 0 to 1, seeded
 */
export function buildTown(named: readonly string[], random: () => number): KnownPlace[] {
  const names = [...new Set([...named, ...firsts.flatMap((first) => seconds.map((second) => `${first} ${second}`))])];
  const rows = Math.ceil(names.length / 2);
  return names.flatMap((name, index) => {
    const isAcross = index % 2 === 0;
    // Spread the named streets over the town: 37 is prime, and no divisor of the number of rows.
    const row = (((index >> 1) * 37) % rows) - rows / 2;
    const across = row * blockMetres + (random() - 0.5) * 40;
    const from = (random() - 0.5) * rows * blockMetres * 0.8 - (houses * houseMetres) / 4;
    return Array.from({ length: houses }, (_, house): KnownPlace => {
      const along = from + house * houseMetres * 0.5 + random() * 4;
      const side = across + (house % 2 === 0 ? 9 : -9);
      const [x, y] = isAcross ? [along, side] : [side, along];
      return {
        street: `${name} ${house + 1}`,
        postalCode: '40112',
        city: 'Riverton',
        country: null,
        place: {
          lon: round(middle.lon + x / (metresPerDegree * Math.cos((middle.lat * Math.PI) / 180))),
          lat: round(middle.lat + y / metresPerDegree),
          accuracy: 'rooftop',
          source: 'demo town',
        },
      };
    });
  });
}

const round = (degrees: number) => Math.round(degrees * 1e6) / 1e6;
