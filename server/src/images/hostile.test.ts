import { crc32, deflateSync } from 'node:zlib';
import { imageLimits } from '@waybill/contract';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createPackage, inject, openTestProduct, type TestProduct, type TestUser } from '../testing/test-product.ts';
import { asFile, photo, uploadImage, type TestFile } from '../testing/images.ts';

/** Hidden in the uploaded files; must not appear in any served file. */
const payload = '<script>alert("PAYLOAD")</script>';
const zip = Buffer.from(`PK\x03\x04${payload}PK\x05\x06`, 'latin1');
const traces = [
  'PAYLOAD',
  '<script',
  'PK\x03\x04',
  'Exif',
  'GPS',
  'XML:com.adobe.xmp',
  '<x:xmpmeta',
  'ICC_PROFILE',
  'tEXt',
  'iTXt',
  'eXIf',
];

const nothing = Array.from({ length: 6 }, () => undefined);

const wrongType = 'Invalid file type. Only JPEG, PNG, GIF, and WebP are allowed';
const damaged = /^Failed to upload [\w.-]+: the image is damaged$/;
const tooLarge = 'File size exceeds 10MB limit';
const noFile = 'No file provided';

let product: TestProduct;
let owner: TestUser;
beforeAll(async () => {
  product = await openTestProduct();
  owner = await product.register('owner');
});
afterAll(() => product.close());

const named = (name: string, type: string, bytes: Buffer | string): TestFile => ({
  name,
  type,
  bytes: typeof bytes === 'string' ? Buffer.from(bytes, 'latin1') : bytes,
});

const picture = () => sharp({ create: { width: 60, height: 40, channels: 3, background: 'teal' } });
const jpeg = () => picture().jpeg().toBuffer();
const withGps = () => ({
  IFD0: { Copyright: payload, Make: 'PAYLOAD camera' },
  IFD3: { GPSLatitudeRef: 'N', GPSLatitude: '52/1 31/1 12/1', GPSLongitudeRef: 'E', GPSLongitude: '13/1 24/1 18/1' },
});

/** A JPEG with a comment after its first marker. */
const withComment = (image: Buffer, text: string) => {
  const comment = Buffer.from(text, 'latin1');
  const head = Buffer.from([0xff, 0xfe, (comment.length + 2) >> 8, (comment.length + 2) & 255]);
  return Buffer.concat([image.subarray(0, 2), head, comment, image.subarray(2)]);
};

const chunk = (type: string, data: Buffer) => {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(data.length);
  sum.writeUInt32BE(crc32(body));
  return Buffer.concat([length, body, sum]);
};

/** A PNG of a few bytes whose header declares these dimensions. */
function png(width: number, height: number, more: Buffer[] = [], rows = 1): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([8, 0, 0, 0, 0], 8);
  return Buffer.concat([
    Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'),
    chunk('IHDR', header),
    ...more,
    chunk('IDAT', deflateSync(Buffer.alloc(rows * (width + 1)))),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

/** An animation of three frames of one pixel each. */
const animatedGif = () => {
  const frame = '\x21\xf9\x04\x00\x0a\x00\x00\x00\x2c\x00\x00\x00\x00\x01\x00\x01\x00\x00\x02\x02\x44\x01\x00';
  return `GIF89a\x01\x00\x01\x00\x80\x00\x00\xff\xff\xff\x00\x00\x00${frame.repeat(3)}`;
};

async function padded(size: number): Promise<Buffer> {
  const { bytes } = await photo();
  return Buffer.concat([bytes, Buffer.alloc(size - bytes.length)]);
}

/** Both ways to upload: a multipart form, and a presigned upload that a package then uses. */
const ways = {
  form: async (file: TestFile) => {
    const pkg = await createPackage(owner);
    return (await owner.api.packages.addImage({ params: { id: pkg.id }, file: asFile(file) })).image;
  },
  upload: async (file: TestFile) => {
    const pkg = await createPackage(owner, { images: [await uploadImage(product, owner, file)] });
    return pkg.images[0] ?? '';
  },
};
const bothWays = Object.entries(ways).map(([way, send]) => ({ way, send }));

const served = async (url: string) => {
  const answer = await inject(product.app, url, { method: 'GET' });
  return { status: answer.status, bytes: Buffer.from(await answer.arrayBuffer()) };
};

async function stored(): Promise<string[]> {
  const paths: string[] = [];
  for await (const { path } of product.ctx.storage.list('')) paths.push(path);
  return paths;
}

const refused: Record<string, { file: () => Promise<TestFile> | TestFile; message: string | RegExp; status?: number }> =
  {
    'a text': { file: () => named('a.jpg', 'image/jpeg', 'just words'), message: wrongType },
    'a page': { file: () => named('a.html', 'text/html', `<html>${payload}`), message: wrongType },
    'a page declared as a GIF': { file: () => named('a.gif', 'image/gif', `<html>${payload}`), message: wrongType },
    'an SVG': { file: () => named('a.svg', 'image/svg+xml', `<svg onload="PAYLOAD"/>`), message: wrongType },
    'an SVG declared as a PNG': {
      file: () => named('a.png', 'image/png', `<svg>${payload}</svg>`),
      message: wrongType,
    },
    'a JPEG declared as a PNG': { file: async () => named('a.png', 'image/png', await jpeg()), message: wrongType },
    'a TIFF': {
      file: async () => named('a.webp', 'image/webp', await picture().tiff().toBuffer()),
      message: wrongType,
    },
    'JavaScript that begins like a GIF': {
      file: () => named('a.gif', 'image/gif', `GIF89a/*${'\0'.repeat(20)}*/=1;alert("PAYLOAD")`),
      message: damaged,
    },
    'the first bytes of a JPEG and nothing else': {
      file: () => named('a.jpg', 'image/jpeg', '\xff\xd8\xff\xe0'),
      message: damaged,
    },
    'half a JPEG': {
      file: async () => {
        const { bytes } = await photo();
        return named('a.jpg', 'image/jpeg', bytes.subarray(0, bytes.length / 2));
      },
      message: damaged,
    },
    'half a PNG': {
      file: () => named('a.png', 'image/png', png(2000, 2000, [], 2)),
      message: damaged,
    },
    'a decompression bomb of 256 megapixels': {
      file: () => named('bomb.png', 'image/png', png(16_384, 16_384)),
      message: 'Failed to upload bomb.png: it has more than 40 megapixels',
    },
    'forty megapixels in one long row': {
      file: () => named('long.png', 'image/png', png(4_000_000, 10, [], 10)),
      message: 'Failed to upload long.png: it is more than 16,383 pixels wide or high',
    },
    'one pixel too high': {
      file: async () => named('high.png', 'image/png', png(1, 16_384, [], 16_384)),
      message: 'Failed to upload high.png: it is more than 16,383 pixels wide or high',
    },
    'no bytes': { file: () => named('a.jpg', 'image/jpeg', ''), message: noFile },
    '10 MB and a byte': {
      file: async () => named('a.jpg', 'image/jpeg', await padded(imageLimits.bytes + 1)),
      message: tooLarge,
    },
    'a name of 300 characters': {
      file: async () => named(`${'x'.repeat(296)}.jpg`, 'image/jpeg', await jpeg()),
      message: 'File name must be at most 255 characters',
    },
    'a name with NUL': {
      file: async () => named('a\0b.jpg', 'image/jpeg', await jpeg()),
      message: 'File name contains characters that are not allowed',
    },
  };

const taken: Record<string, { file: () => Promise<TestFile> | TestFile; is: object; name?: RegExp }> = {
  'a photo with GPS position and EXIF orientation': {
    file: async () =>
      named(
        'a.jpg',
        'image/jpeg',
        await picture().jpeg().withExif(withGps()).withMetadata({ orientation: 6 }).toBuffer(),
      ),
    // The pixels are rotated, since the orientation tag is removed.
    is: { format: 'jpeg', width: 40, height: 60 },
  },
  'a JPEG with a page in its comment and a zip appended': {
    file: async () => named('a.jpg', 'image/jpeg', Buffer.concat([withComment(await jpeg(), `*/${payload}`), zip])),
    is: { format: 'jpeg', width: 60, height: 40 },
  },
  'a PNG with text chunks and a page appended': {
    file: () =>
      named(
        'a.png',
        'image/png',
        Buffer.concat([png(3, 2, [chunk('tEXt', Buffer.from(`Comment\0${payload}`))], 2), Buffer.from(payload)]),
      ),
    is: { format: 'png', width: 3, height: 2 },
  },
  'a WebP with EXIF, XMP, ICC profile and orientation': {
    file: async () =>
      named(
        'a.webp',
        'image/webp',
        await picture()
          .webp()
          .withExif(withGps())
          .withMetadata({ orientation: 6 })
          .withIccProfile('p3')
          .withXmp(`<x:xmpmeta>${payload}</x:xmpmeta>`)
          .toBuffer(),
      ),
    is: { format: 'webp', width: 40, height: 60 },
  },
  'an image of the maximum width': {
    file: () => named('long.png', 'image/png', png(16_383, 2, [], 2)),
    is: { format: 'png', width: 16_383, height: 2 },
  },
  'an animated GIF with JavaScript appended': {
    file: () => named('a.gif', 'image/gif', `${animatedGif()};/*${payload}*/`),
    is: { format: 'png', width: 1, height: 1 },
  },
  'exactly 10 MB': {
    file: async () => named('a.jpg', 'image/jpg', await padded(imageLimits.bytes)),
    is: { format: 'jpeg', width: 640, height: 480 },
  },
  'a name with path traversal': {
    file: async () => named('../../../etc/päss wd.jpg.php', 'image/jpeg', await jpeg()),
    is: { format: 'jpeg', width: 60, height: 40 },
    name: /^\/media\/packages\/\d{13}-[a-z0-9]{6}-pa-ss-wd-jpg\.jpg$/,
  },
  'a name of special characters only': {
    file: async () => named('💣%00.jpg', 'image/jpeg', await jpeg()),
    is: { format: 'jpeg', width: 60, height: 40 },
    name: /^\/media\/packages\/\d{13}-[a-z0-9]{6}-00\.jpg$/,
  },
};

describe.each(bothWays)('sent as $way', ({ way, send }) => {
  test.each(Object.entries(refused))(
    '%s is refused with the reason, and no file is left behind',
    async (_what, { file, message }) => {
      const before = await stored();
      const error: unknown = await send(await file()).catch((thrown: unknown) => thrown);
      expect(error).toMatchObject({
        status: message === tooLarge && way === 'form' ? 413 : 422,
        message: typeof message === 'string' ? message : (expect.stringMatching(message) as string),
      });
      expect(await stored()).toEqual(before);
    },
  );

  test.each(Object.entries(taken))(
    '%s is accepted, and only its pixels are stored',
    async (_what, { file, is, name }) => {
      const image = await send(await file());
      if (name) expect(image).toMatch(name);
      const { status, bytes } = await served(image);
      expect(status).toBe(200);
      const found = await sharp(bytes).metadata();
      expect(found).toMatchObject(is);
      expect([found.exif, found.icc, found.xmp, found.iptc, found.orientation, found.pages]).toEqual(nothing);
    },
  );
});

test('a form without a file, with two files or with another field is refused', async () => {
  const pkg = await createPackage(owner);
  const url = `/api/packages/${pkg.id}/images`;
  const headers = { authorization: `Bearer ${owner.token}` };
  const post = async (parts: [string, string | File][]) => {
    const form = new FormData();
    for (const [name, part] of parts) {
      if (typeof part === 'string') form.append(name, part);
      else form.append(name, part);
    }
    const answer = await product.app.inject({ method: 'POST', url, headers, payload: form });
    return [answer.statusCode, answer.json<{ message: string }>().message];
  };
  const file = asFile(await photo());
  const one = "Send one file, in the field 'image', and nothing else";
  expect(await post([['picture', file]])).toEqual([422, one]);
  expect(await post([['image', 'words']])).toEqual([422, one]);
  expect(
    await post([
      ['image', file],
      ['image', file],
    ]),
  ).toEqual([422, one]);
  expect(
    await post([
      ['image', file],
      ['more', 'words'],
    ]),
  ).toEqual([422, one]);
  const send = async (type: string, payload: string) => {
    const answer = await product.app.inject({
      method: 'POST',
      url,
      headers: { ...headers, 'content-type': type },
      payload,
    });
    return [answer.statusCode, answer.json<{ code: string }>().code];
  };
  expect(await send('multipart/form-data; boundary=x', '--x--\r\n')).toEqual([422, 'invalid']);
  expect(
    await send('multipart/form-data; boundary=x', '--x\r\nContent-Disposition: form-data; name="image"; filename="a'),
  ).toEqual([400, 'unreadable']);
  expect(await send('multipart/form-data', 'anything')).toEqual([400, 'unreadable']);
  expect(await send('application/json', '{}')).toEqual([415, 'unsupported_media_type']);
  expect(await stored()).not.toContain('incoming/');
});

test('no stored file contains metadata or hidden payloads', async () => {
  const paths = await stored();
  expect(paths.length).toBeGreaterThan(20);
  for (const path of paths) {
    const url = `/media/${path.replace('.thumbnail.webp', '?size=thumbnail')}`;
    const { status, bytes } = await served(url);
    expect([url, status]).toEqual([url, 200]);
    const text = bytes.toString('latin1');
    expect([path, traces.filter((trace) => text.includes(trace))]).toEqual([path, []]);
  }
});
