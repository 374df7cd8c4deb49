import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { geocoderKinds, openGeocoder, type GeocoderKind } from './geocoder.ts';

let answer: (response: ServerResponse) => void;
const server = createServer(({ url: path }, response) =>
  path === '/elsewhere' ? response.end('[]') : answer(response),
);
let url: string;

beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});

const feature = (properties: object, coordinates: unknown = [9.97, 53.55]) => ({
  features: [{ type: 'Feature', geometry: { type: 'Point', coordinates }, properties }],
});
const harbour = { road: 'Hafenstraße', house_number: '12', postcode: '20457', city: 'Hamburg' };
/** One address as each engine writes it. */
const known: Record<GeocoderKind, object> = {
  nominatim: [{ lon: '9.97', lat: '53.55', category: 'building', address: harbour }],
  photon: feature({ type: 'house', street: 'Hafenstraße', housenumber: '12', postcode: '20457', city: 'Hamburg' }),
  pelias: feature({
    layer: 'address',
    street: 'Hafenstraße',
    housenumber: '12',
    postalcode: '20457',
    locality: 'Hamburg',
  }),
};
/** The same at a place that is not on Earth. */
const nowhere: Record<GeocoderKind, object> = {
  nominatim: [{ lon: '9.97', lat: '153.55', category: 'building', address: harbour }],
  photon: feature({ type: 'house', city: 'Hamburg' }, [9.97, 153.55]),
  pelias: feature({ layer: 'address', locality: 'Hamburg' }, [9.97, 153.55]),
};
const answers = (body: string, status = 200) => {
  answer = (response) => response.writeHead(status, { 'content-type': 'application/json' }).end(body);
};

describe.each(geocoderKinds)('%s', (kind) => {
  const search = (timeoutMs?: number) => openGeocoder(kind, url, timeoutMs).search('Hafenstraße 12, Hamburg', null);

  test('an address is read with its place', async () => {
    answers(JSON.stringify(known[kind]));
    expect(await search()).toEqual([
      expect.objectContaining({
        street: 'Hafenstraße 12',
        postalCode: '20457',
        city: 'Hamburg',
        place: { lon: 9.97, lat: 53.55, accuracy: 'rooftop', source: kind },
      }),
    ]);
  });

  test('an answer with an error status is none, whatever it says', async () => {
    answers(JSON.stringify(known[kind]), 500);
    await expect(search()).rejects.toThrow('answered 500');
  });

  test('what is not an answer of it, or names no place on Earth, is none', async () => {
    for (const body of ['', '<html>', '[1]', '{"features":[{}]}', JSON.stringify(nowhere[kind])]) {
      answers(body);
      await expect(search(), body).rejects.toThrow();
    }
  });

  test('an answer that leads elsewhere, or does not end, is none', async () => {
    answer = (response) => response.writeHead(302, { location: '/elsewhere' }).end();
    await expect(search()).rejects.toThrow('fetch failed');
    answers(`[${' '.repeat(1_000_001)}]`);
    await expect(search()).rejects.toThrow('too long');
  });

  test('one that does not answer, or stops in the middle, is given up in time', async () => {
    answer = () => {};
    await expect(search(50)).rejects.toThrow('timeout');
    answer = (response) => response.writeHead(200).write('[');
    await expect(search(50)).rejects.toThrow('timeout');
  });
});
