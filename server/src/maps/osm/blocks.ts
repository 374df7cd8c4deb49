import { open } from 'node:fs/promises';
import { promisify } from 'node:util';
import { inflate } from 'node:zlib';
import { PbfReader } from 'pbf';

/** A file that is refused; the message is for the user. */
export class ExtractError extends Error {}

/** The limits of the format itself (https://wiki.openstreetmap.org/wiki/PBF_Format): nothing larger is read, or inflated. */
const maxHeaderBytes = 64 * 1024;
const maxBlobBytes = 32 * 1024 * 1024;
/** OpenStreetMap allows 255 characters. */
const maxTextBytes = 1024;
/** Ten times what the usual blocks of 8,000 elements have. */
const maxFieldBytes = 4 * 1024 * 1024;
const maxTexts = 1_000_000;
const knownFeatures = new Set(['OsmSchema-V0.6', 'DenseNodes']);

/** A block of elements, with their texts and the scale of their coordinates. */
export interface Block {
  texts: Uint8Array[];
  groups: Uint8Array[];
  granularity: number;
  latOffset: number;
  lonOffset: number;
}

const unzip = promisify(inflate);
const damaged = () => new ExtractError('The file is damaged, or no .osm.pbf extract.');

/** Reads the fields of a message; each that is not read is skipped. @throws ExtractError beyond its end */
export function readFields(bytes: Uint8Array, onField: (tag: number, reader: PbfReader) => void): void {
  const reader = new PbfReader(bytes);
  try {
    reader.readFields((tag) => {
      onField(tag, reader);
      if (reader.pos > bytes.length) throw damaged();
    }, null);
  } catch (error) {
    throw error instanceof ExtractError ? error : damaged();
  }
  if (reader.pos > bytes.length) throw damaged();
}

/** The bytes of a field: of a text, a message, or packed numbers. */
export function readBytes(reader: PbfReader, limit = maxBlobBytes): Uint8Array {
  const length = reader.readVarint();
  if (!(length >= 0) || length > reader.length - reader.pos) throw damaged();
  if (length > limit) throw new ExtractError('The extract has larger elements than OpenStreetMap allows.');
  const bytes = reader.buf.subarray(reader.pos, reader.pos + length);
  reader.pos += length;
  return bytes;
}

/** Packed numbers. `signed`: written as zigzag; `summed`: each is the difference to the one before. */
export function readNumbers(reader: PbfReader, { signed = false, summed = false } = {}): number[] {
  const packed = new PbfReader(readBytes(reader, maxFieldBytes));
  const numbers: number[] = [];
  let last = 0;
  while (packed.pos < packed.length) {
    const number = signed ? packed.readSVarint() : packed.readVarint();
    last = summed ? last + number : number;
    numbers.push(last);
  }
  if (packed.pos > packed.length) throw damaged();
  return numbers;
}

/**
 * Reads the blocks of an extract in their order, one at a time, so that no more than one is in memory.
 * @throws ExtractError for a file that is cut off, damaged, or of another kind
 */
export async function readBlocks(
  file: string,
  onBlock: (block: Block) => void,
  onRead: (bytes: number, of: number) => void = () => undefined,
): Promise<void> {
  const handle = await open(file);
  try {
    const { size } = await handle.stat();
    let at = 0;
    const take = async (length: number): Promise<Buffer> => {
      if (length > size - at) throw new ExtractError('The file is cut off. Please copy or download it again.');
      const bytes = Buffer.alloc(length);
      const { bytesRead } = await handle.read(bytes, 0, length, at);
      if (bytesRead < length) throw new ExtractError('The file is cut off. Please copy or download it again.');
      at += length;
      return bytes;
    };
    let isFirst = true;
    while (at < size) {
      const headerLength = (await take(4)).readUInt32BE();
      if (headerLength > maxHeaderBytes) throw damaged();
      const { type, length } = readHeader(await take(headerLength));
      if (isFirst !== (type === 'OSMHeader')) throw damaged();
      if (length > maxBlobBytes) throw new ExtractError('The extract has larger blocks than the format allows.');
      const content = await readBlob(await take(length));
      if (isFirst) checkFeatures(content);
      else if (type === 'OSMData') onBlock(readBlock(content));
      isFirst = false;
      onRead(at, size);
    }
    if (isFirst) throw damaged();
  } finally {
    await handle.close();
  }
}

function readHeader(bytes: Uint8Array): { type: string; length: number } {
  const header = { type: '', length: -1 };
  readFields(bytes, (tag, reader) => {
    if (tag === 1) header.type = textOf(readBytes(reader));
    else if (tag === 3) header.length = reader.readVarint();
  });
  if (!(header.length >= 0)) throw damaged();
  return header;
}

async function readBlob(bytes: Uint8Array): Promise<Uint8Array> {
  let raw: Uint8Array | null = null;
  let zipped: Uint8Array | null = null;
  let rawSize = 0;
  readFields(bytes, (tag, reader) => {
    if (tag === 1) raw = readBytes(reader);
    else if (tag === 2) rawSize = reader.readVarint();
    else if (tag === 3) zipped = readBytes(reader);
    else if (tag >= 4)
      throw new ExtractError('The extract is compressed by another method than zlib. Please convert it.');
  });
  if (raw) return raw;
  if (!zipped || !(rawSize > 0) || rawSize > maxBlobBytes) throw damaged();
  // One that inflates to more than it says is a bomb, and stops there.
  const content = await unzip(zipped, { maxOutputLength: rawSize }).catch(() => {
    throw damaged();
  });
  if (content.length !== rawSize) throw damaged();
  return content;
}

function checkFeatures(header: Uint8Array): void {
  readFields(header, (tag, reader) => {
    if (tag !== 4) return;
    const feature = textOf(readBytes(reader));
    if (!knownFeatures.has(feature))
      throw new ExtractError(`The extract needs '${feature.slice(0, 40)}', which cannot be read here.`);
  });
}

function readBlock(bytes: Uint8Array): Block {
  const block: Block = { texts: [], groups: [], granularity: 100, latOffset: 0, lonOffset: 0 };
  readFields(bytes, (tag, reader) => {
    if (tag === 1) block.texts = readTexts(readBytes(reader));
    else if (tag === 2) block.groups.push(readBytes(reader));
    else if (tag === 17) block.granularity = reader.readVarint();
    else if (tag === 19) block.latOffset = reader.readVarint(true);
    else if (tag === 20) block.lonOffset = reader.readVarint(true);
  });
  return block;
}

function readTexts(bytes: Uint8Array): Uint8Array[] {
  const texts: Uint8Array[] = [];
  readFields(bytes, (tag, reader) => {
    if (tag !== 1) return;
    const text = readBytes(reader);
    if (text.length > maxTextBytes || texts.length >= maxTexts)
      throw new ExtractError('The extract has longer or more texts than OpenStreetMap allows.');
    texts.push(text);
  });
  return texts;
}

const decoder = new TextDecoder();
/** Without control characters. */
export const textOf = (bytes: Uint8Array): string =>
  decoder
    .decode(bytes)
    .replaceAll(/\p{Cc}/gu, ' ')
    .trim();
