import { deflateSync } from 'node:zlib';
import { PbfWriter } from 'pbf';
import type { LonLat } from '../maps/features.ts';
import { buildTown } from '../maps/town.ts';

type Tags = Record<string, string>;
export interface OsmNode {
  id: number;
  at: LonLat;
  tags?: Tags;
}
export interface OsmWay {
  refs: number[];
  tags: Tags;
}

/** A length as 4 bytes, the header of a blob, and the blob. */
export function blob(type: string, content: Uint8Array, fake: { rawSize?: number; zipped?: Uint8Array } = {}): Buffer {
  const body = new PbfWriter();
  body.writeTag(2, 0);
  body.writeVarint(fake.rawSize ?? content.length);
  body.writeTag(3, 2);
  body.writeBytes(fake.zipped ?? deflateSync(content));
  const bytes = body.finish();
  const header = new PbfWriter();
  header.writeTag(1, 2);
  header.writeString(type);
  header.writeTag(3, 0);
  header.writeVarint(bytes.length);
  const head = header.finish();
  const length = Buffer.alloc(4);
  length.writeUInt32BE(head.length);
  return Buffer.concat([length, head, bytes]);
}

export function osmHeader(...features: string[]): Buffer {
  const header = new PbfWriter();
  for (const feature of ['OsmSchema-V0.6', 'DenseNodes', ...features]) {
    header.writeTag(4, 2);
    header.writeString(feature);
  }
  return blob('OSMHeader', header.finish());
}

const blockSize = 8000;

/** Blocks of dense nodes, then of ways, as the extracts of others have them. */
export function osmBlocks(nodes: OsmNode[], ways: OsmWay[]): Buffer {
  const blocks: Buffer[] = [];
  for (let n = 0; n < nodes.length; n += blockSize) blocks.push(block(nodes.slice(n, n + blockSize), []));
  for (let n = 0; n < ways.length; n += blockSize) blocks.push(block([], ways.slice(n, n + blockSize)));
  return Buffer.concat(blocks);
}

const units = ([lon, lat]: LonLat): [number, number] => [Math.round(lon * 1e7), Math.round(lat * 1e7)];
const differences = (numbers: number[]) => numbers.map((number, index) => number - (numbers[index - 1] ?? 0));

function block(nodes: OsmNode[], ways: OsmWay[]): Buffer {
  const texts = new Map<string, number>([['', 0]]);
  const textOf = (text: string): number => {
    const known = texts.get(text);
    if (known !== undefined) return known;
    texts.set(text, texts.size);
    return texts.size - 1;
  };
  const pairs = nodes.flatMap(({ tags = {} }) => [...Object.entries(tags).flat().map(textOf), 0]);
  const tagged = ways.map(({ refs, tags }) => ({
    refs: differences(refs),
    keys: Object.keys(tags).map(textOf),
    values: Object.values(tags).map(textOf),
  }));
  const at = nodes.map((node) => units(node.at));
  const writer = new PbfWriter();
  writer.writeMessage(
    1,
    (_, table) => {
      for (const text of texts.keys()) {
        table.writeTag(1, 2);
        table.writeString(text);
      }
    },
    null,
  );
  writer.writeMessage(
    2,
    (_, group) => {
      if (nodes.length > 0)
        group.writeMessage(
          2,
          (__, dense) => {
            dense.writePackedSVarint(1, differences(nodes.map(({ id }) => id)));
            dense.writePackedSVarint(8, differences(at.map(([, lat]) => lat)));
            dense.writePackedSVarint(9, differences(at.map(([lon]) => lon)));
            dense.writePackedVarint(10, pairs);
          },
          null,
        );
      for (const [index, { refs, keys, values }] of tagged.entries())
        group.writeMessage(
          3,
          (__, way) => {
            way.writeTag(1, 0);
            way.writeVarint(index + 1);
            way.writePackedVarint(2, keys);
            way.writePackedVarint(3, values);
            way.writePackedSVarint(8, refs);
          },
          null,
        );
    },
    null,
  );
  return blob('OSMData', writer.finish());
}

const highways: Record<string, string> = { highway: 'trunk', major_road: 'secondary', minor_road: 'residential' };
const areas: Record<string, Tags> = {
  building: { building: 'yes' },
  lake: { natural: 'water' },
  river: { natural: 'water' },
  park: { leisure: 'park' },
  residential: { landuse: 'residential' },
};

/** The demo's town as an extract of OpenStreetMap: its addresses name their street, but not their town. */
export function townExtract(): Buffer {
  const { features, addresses } = buildTown();
  const nodes: OsmNode[] = [];
  const known = new Map<string, number>();
  const nodeAt = (at: LonLat): number => {
    const key = units(at).join();
    const id = known.get(key) ?? nodes.length + 1;
    if (!known.has(key)) {
      known.set(key, id);
      nodes.push({ id, at });
    }
    return id;
  };
  const ways: OsmWay[] = [];
  for (const { kind, name, geometry } of features) {
    const tags: Tags = {
      ...(areas[kind] ?? { highway: highways[kind] ?? 'service' }),
      ...(name !== undefined && { name }),
    };
    if (geometry.type === 'LineString') ways.push({ refs: geometry.coordinates.map(nodeAt), tags });
    else if (geometry.type === 'MultiLineString')
      for (const line of geometry.coordinates) ways.push({ refs: line.map(nodeAt), tags });
    else if (geometry.type === 'Polygon' && geometry.coordinates[0])
      ways.push({ refs: geometry.coordinates[0].map(nodeAt), tags });
    else if (geometry.type === 'Point')
      nodes.push({ id: nodes.length + 1, at: geometry.coordinates, tags: { place: 'town', name: name ?? '' } });
  }
  for (const { street, postalCode, place } of addresses) {
    const [, name = '', number = ''] = /^(.*) (\S+)$/.exec(street) ?? [];
    const tags = { 'addr:street': name, 'addr:housenumber': number, 'addr:postcode': postalCode };
    nodes.push({ id: nodes.length + 1, at: [place.lon, place.lat], tags });
  }
  return Buffer.concat([osmHeader(), osmBlocks(nodes, ways)]);
}
