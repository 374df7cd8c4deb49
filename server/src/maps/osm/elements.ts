import type { PbfReader } from 'pbf';
import { readBytes, readFields, readNumbers, textOf, type Block } from './blocks.ts';

export type Tags = ReadonlyMap<string, string>;

/** Coordinates are ten-millionths of a degree. */
export interface Elements {
  /** Nodes that have tags. */
  node?: (lon: number, lat: number, tags: Tags) => void;
  /** Every node, with its id alone. */
  point?: (id: number, lon: number, lat: number) => void;
  way?: (refs: number[], tags: Tags) => void;
}

/** Calls back for the nodes and ways of a block; relations are left out. */
export function readElements(block: Block, on: Elements): void {
  const known: (string | undefined)[] = [];
  const text = (index: number): string => (known[index] ??= textOf(block.texts[index] ?? new Uint8Array()));
  const tagsOf = (keys: number[], values: number[]): Tags =>
    new Map(keys.map((key, index) => [text(key), text(values[index] ?? 0)]));
  const scaled = (value: number, offset: number) => Math.round((offset + block.granularity * value) / 100);
  const found = (id: number, lon: number, lat: number, tags: Tags | null) => {
    const at: [number, number] = [scaled(lon, block.lonOffset), scaled(lat, block.latOffset)];
    if (!(Math.abs(at[0]) <= 1_800_000_000 && Math.abs(at[1]) <= 900_000_000)) return;
    on.point?.(id, ...at);
    if (tags && tags.size > 0) on.node?.(...at, tags);
  };

  const readNode = (bytes: Uint8Array) => {
    const node = { id: 0, lat: 0, lon: 0, keys: [] as number[], values: [] as number[] };
    readFields(bytes, (tag, reader) => {
      if (tag === 1) node.id = reader.readSVarint();
      else if (tag === 2) node.keys = readNumbers(reader);
      else if (tag === 3) node.values = readNumbers(reader);
      else if (tag === 8) node.lat = reader.readSVarint();
      else if (tag === 9) node.lon = reader.readSVarint();
    });
    found(node.id, node.lon, node.lat, on.node ? tagsOf(node.keys, node.values) : null);
  };
  const readDense = (bytes: Uint8Array) => {
    const dense: Record<number, number[]> = {};
    readFields(bytes, (tag, reader) => {
      if (tag === 1 || tag === 8 || tag === 9) dense[tag] = readNumbers(reader, { signed: true, summed: true });
      else if (tag === 10 && on.node) dense[tag] = readNumbers(reader);
    });
    const { 1: ids = [], 8: lats = [], 9: lons = [], 10: pairs = [] } = dense;
    let at = 0;
    for (const [index, id] of ids.entries()) {
      const [keys, values]: [number[], number[]] = [[], []];
      // A zero ends the tags of a node.
      for (; at < pairs.length && pairs[at] !== 0; at += 2) {
        keys.push(pairs[at] ?? 0);
        values.push(pairs[at + 1] ?? 0);
      }
      at += 1;
      found(id, lons[index] ?? NaN, lats[index] ?? NaN, keys.length > 0 ? tagsOf(keys, values) : null);
    }
  };
  const readWay = (bytes: Uint8Array) => {
    const way = { keys: [] as number[], values: [] as number[], refs: [] as number[] };
    readFields(bytes, (tag, reader) => {
      if (tag === 2) way.keys = readNumbers(reader);
      else if (tag === 3) way.values = readNumbers(reader);
      else if (tag === 8) way.refs = readNumbers(reader, { signed: true, summed: true });
    });
    if (way.keys.length > 0 && way.refs.length > 1) on.way?.(way.refs, tagsOf(way.keys, way.values));
  };
  const readers: Record<number, ((bytes: Uint8Array) => void) | undefined> = {
    1: on.point || on.node ? readNode : undefined,
    2: on.point || on.node ? readDense : undefined,
    3: on.way ? readWay : undefined,
  };
  for (const group of block.groups) readFields(group, (tag, reader: PbfReader) => readers[tag]?.(readBytes(reader)));
}
