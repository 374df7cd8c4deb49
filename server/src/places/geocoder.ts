import type { Address, Place, Position } from '@waybill/contract';
import * as z from 'zod/mini';
import { houseNumberOf } from './address-key.ts';

/** An address that a geocoder knows, with its place. */
export interface KnownAddress {
  /** Street with number; null for a town. */
  street: string | null;
  postalCode: string | null;
  city: string | null;
  country: string | null;
  place: Place;
}

export interface Geocoder {
  name: GeocoderKind;
  /** Best first; empty if it knows nothing of the kind. @throws Error when it does not answer in time, or answers nonsense */
  search(text: string, near: Position | null): Promise<KnownAddress[]>;
  /** The address nearest to a place. @throws as `search` */
  reverse(at: Position): Promise<KnownAddress | null>;
}

export const geocoderKinds = ['nominatim', 'photon', 'pelias'] as const;
export type GeocoderKind = (typeof geocoderKinds)[number];

const maxBytes = 1_000_000;
const wanted = '8';

/**
 * @param url the service's address, such as https://nominatim.example.com
 * @param timeoutMs for the whole exchange
 */
export function openGeocoder(kind: GeocoderKind, url: string, timeoutMs = 5000): Geocoder {
  const { paths, read } = engines[kind];
  const ask = async (path: string, query: Record<string, string>): Promise<KnownAddress[]> => {
    const address = new URL(`${url.replace(/\/+$/, '')}${path}`);
    for (const [name, value] of Object.entries(query)) address.searchParams.set(name, value);
    const response = await fetch(address, {
      signal: AbortSignal.timeout(timeoutMs),
      redirect: 'error',
      headers: { accept: 'application/json', 'user-agent': 'Waybill' },
    });
    if (!response.ok) {
      await response.body?.cancel();
      throw new Error(`the geocoder answered ${response.status}`);
    }
    return read(JSON.parse(await textOf(response)));
  };
  return {
    name: kind,
    search: (text, near) => ask(paths.search, paths.ofSearch(text, near)),
    reverse: async (at) => (await ask(paths.reverse, paths.ofReverse(at)))[0] ?? null,
  };
}

/** @throws Error for a body that is too long to be an answer */
async function textOf(response: Response): Promise<string> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of response.body ?? []) {
    size += chunk.byteLength;
    if (size > maxBytes) throw new Error('the answer of the geocoder is too long');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

interface Engine {
  paths: {
    search: string;
    reverse: string;
    ofSearch(text: string, near: Position | null): Record<string, string>;
    ofReverse(at: Position): Record<string, string>;
  };
  /** @throws Error for anything that is not an answer of this engine */
  read(json: unknown): KnownAddress[];
}

const name = z.optional(z.nullable(z.string()));
const lonLat = z.tuple([
  z.number().check(z.minimum(-180), z.maximum(180)),
  z.number().check(z.minimum(-90), z.maximum(90)),
]);
const degrees = z.pipe(z.string(), z.transform(Number));

const NominatimPlace = z.object({
  lon: z.pipe(degrees, lonLat.def.items[0]),
  lat: z.pipe(degrees, lonLat.def.items[1]),
  category: name,
  addresstype: name,
  address: z.optional(
    z.object({
      house_number: name,
      road: name,
      postcode: name,
      city: name,
      town: name,
      village: name,
      municipality: name,
      country: name,
    }),
  ),
});

const features = <P extends z.ZodMiniType>(properties: P) =>
  z.object({ features: z.array(z.object({ geometry: z.object({ coordinates: lonLat }), properties })) });

const PhotonAnswer = features(
  z.object({ type: name, name, housenumber: name, street: name, postcode: name, city: name, country: name }),
);
const PeliasAnswer = features(
  z.object({ layer: name, name, housenumber: name, street: name, postalcode: name, locality: name, country: name }),
);

const orNull = (text: string | null | undefined) => text?.trim() || null;
const lineOf = (street: string | null | undefined, number: string | null | undefined) =>
  orNull([orNull(street), orNull(number)].filter(Boolean).join(' '));

const engines: Record<GeocoderKind, Engine> = {
  nominatim: {
    paths: {
      search: '/search',
      reverse: '/reverse',
      ofSearch: (q, near) => ({
        q,
        format: 'jsonv2',
        addressdetails: '1',
        limit: wanted,
        // It only prefers this box of some 50 km.
        ...(near && { viewbox: [near.lon - 0.4, near.lat + 0.25, near.lon + 0.4, near.lat - 0.25].join(',') }),
      }),
      ofReverse: ({ lon, lat }) => ({ lon: `${lon}`, lat: `${lat}`, format: 'jsonv2', addressdetails: '1' }),
    },
    read(json) {
      // Of nothing near, a reverse search tells an error with the status 200.
      if (z.object({ error: z.string() }).safeParse(json).success) return [];
      const answers = z.array(NominatimPlace).parse(Array.isArray(json) ? json : [json]);
      return answers.map(({ lon, lat, category, addresstype, address = {} }) => ({
        street: lineOf(address.road, address.house_number),
        postalCode: orNull(address.postcode),
        city: orNull(address.city ?? address.town ?? address.village ?? address.municipality),
        country: orNull(address.country),
        place: {
          lon,
          lat,
          accuracy: address.house_number
            ? 'rooftop'
            : category === 'highway' || addresstype === 'road'
              ? 'street'
              : 'town',
          source: 'nominatim',
        },
      }));
    },
  },
  photon: {
    paths: {
      search: '/api',
      reverse: '/reverse',
      ofSearch: (q, near) => ({ q, limit: wanted, ...(near && { lon: `${near.lon}`, lat: `${near.lat}` }) }),
      ofReverse: ({ lon, lat }) => ({ lon: `${lon}`, lat: `${lat}` }),
    },
    read: (json) =>
      PhotonAnswer.parse(json).features.map(({ geometry, properties }) => {
        const { type, housenumber, street, postcode, city, country } = properties;
        const isStreet = type === 'street';
        return {
          street: lineOf(street ?? (isStreet ? properties.name : null), housenumber),
          postalCode: orNull(postcode),
          city: orNull(city ?? (type === 'city' ? properties.name : null)),
          country: orNull(country),
          place: placed('photon', geometry.coordinates, housenumber ? 'rooftop' : isStreet ? 'street' : 'town'),
        };
      }),
  },
  pelias: {
    paths: {
      search: '/v1/search',
      reverse: '/v1/reverse',
      ofSearch: (text, near) => ({
        text,
        size: wanted,
        ...(near && { 'focus.point.lon': `${near.lon}`, 'focus.point.lat': `${near.lat}` }),
      }),
      ofReverse: ({ lon, lat }) => ({ 'point.lon': `${lon}`, 'point.lat': `${lat}`, size: '1' }),
    },
    read: (json) =>
      PeliasAnswer.parse(json).features.map(({ geometry, properties }) => {
        const { layer, housenumber, street, postalcode, locality, country } = properties;
        const isStreet = layer === 'street';
        return {
          street: lineOf(street ?? (isStreet ? properties.name : null), housenumber),
          postalCode: orNull(postalcode),
          city: orNull(locality),
          country: orNull(country),
          place: placed(
            'pelias',
            geometry.coordinates,
            housenumber && layer === 'address' ? 'rooftop' : isStreet ? 'street' : 'town',
          ),
        };
      }),
  },
};

const placed = (source: GeocoderKind, [lon, lat]: [number, number], accuracy: Place['accuracy']): Place => ({
  lon,
  lat,
  accuracy,
  source,
});

const plain = (text: string) =>
  text
    .normalize('NFKD')
    .replace(/[^\p{L}\p{N}]/gu, '')
    .toLowerCase();

/**
 * The place of an address among the answers of a search. Never more exact than it is true: another house number is only the street, an
 * address of another town is none.
 */
export function placeAmong(answers: KnownAddress[], wanted: Address): Place | null {
  const graded = answers.flatMap((answer): Place[] => {
    if (!isSameTown(answer, wanted)) return [];
    const { place, street } = answer;
    if (place.accuracy !== 'rooftop' && place.accuracy !== 'street') return [{ ...place, accuracy: 'town' }];
    if (street === null || !isSameStreet(street, wanted.street)) return [{ ...place, accuracy: 'town' }];
    const isSameHouse = place.accuracy === 'rooftop' && houseNumberOf(street) === houseNumberOf(wanted.street);
    return [{ ...place, accuracy: isSameHouse ? 'rooftop' : 'street' }];
  });
  return graded.toSorted((a, b) => rank[a.accuracy] - rank[b.accuracy])[0] ?? null;
}

const rank = { rooftop: 0, pin: 0, street: 1, town: 2 };

function isSameTown({ postalCode, city }: KnownAddress, wanted: Address): boolean {
  if (postalCode !== null && wanted.postalCode !== null && plain(postalCode) === plain(wanted.postalCode)) return true;
  return city !== null && plain(city) === plain(wanted.city);
}

/** The names of streets without their numbers; 'str.' is short for the German and the Swiss word. */
const streetName = (street: string) =>
  plain(street.replace(/\d+\s?[a-z]?(?![a-z])/gi, '').replace(/(stra(ß|ss)e|str\.)/gi, 'str'));
const isSameStreet = (one: string, other: string) => streetName(one) === streetName(other);
