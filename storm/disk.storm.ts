import { spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { chmodSync, closeSync, mkdtempSync, openSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import sharp from 'sharp';
import { afterAll, expect, test } from 'vitest';
import { startProduct, type RunningProduct } from '../e2e/product.ts';
import { full, size } from './storm-size.ts';

const cleanUps: (() => unknown)[] = [];
afterAll(async () => {
  for (const cleanUp of cleanUps.toReversed()) await cleanUp();
});

/** Mounts a file system of this size; null where this machine does not allow it. */
function mountSmallDisk(megabytes: number): string | null {
  const folder = mkdtempSync(join(tmpdir(), 'waybill-disk-'));
  const { status } = spawnSync('mount', ['-t', 'tmpfs', '-o', `size=${megabytes}m`, 'tmpfs', folder]);
  cleanUps.push(() => {
    if (status === 0) spawnSync('umount', ['-l', folder]);
    rmSync(folder, { recursive: true, force: true });
  });
  if (status !== 0) return null;
  chmodSync(folder, 0o755);
  return folder;
}
const disk = mountSmallDisk(200);

/** Fills the file system to the last byte. */
function fill(file: string): void {
  const descriptor = openSync(file, 'w');
  for (let bytes = 1 << 20; bytes >= 1;) {
    try {
      writeSync(descriptor, Buffer.alloc(bytes));
    } catch {
      bytes >>= 1;
    }
  }
  closeSync(descriptor);
}

test.skipIf(!disk)(
  'on a full disk reads succeed and writes get 503s; none that was acknowledged is lost, and writes succeed once space is free (only where a file system can be mounted)',
  async () => {
    const folder = disk ?? '';
    const product: RunningProduct = await startProduct({ DATA_DIR: join(folder, 'data') });
    cleanUps.push(() => product.stop());
    const { id: ownerId, token } = await product.api().auth.register({
      body: { name: 'The owner', email: 'owner@example.com', password: 'pond-heron-7', role: 'owner' },
    });
    const api = product.api(token);
    const authorization = `Bearer ${token}`;

    const acknowledged: string[] = [];
    const refusals = new Set<string>();
    let number = 0;
    /** Creates a package with incompressible text, which soon needs disk space. */
    const write = async (): Promise<number> => {
      const description = Array.from({ length: 1900 }, () => String.fromCharCode(97 + Math.random() * 26)).join('');
      const name = `Package ${number++}`;
      const body = JSON.stringify({
        name,
        description,
        category: 'Other',
        weight: 1,
        recipientName: 'Anna Berg',
        recipientContact: '+49 151 2345678',
      });
      const answer = await fetch(`${product.url}/api/packages`, {
        method: 'POST',
        headers: { authorization, 'content-type': 'application/json' },
        body,
      });
      await answer.arrayBuffer();
      if (answer.status === 201) acknowledged.push(name);
      else refusals.add(`${answer.status}, ${answer.headers.get('retry-after')}`);
      return answer.status;
    };
    for (let written = 0; written < 20; written++) expect(await write()).toBe(201);
    const { trackingId } = (await api.packages.listOfUser({ params: { id: ownerId } })).items[0] ?? {};
    const { width, height, channels } = { width: 800, height: 800, channels: 3 } as const;
    const photo = await sharp(randomBytes(width * height * channels), { raw: { width, height, channels } })
      .jpeg()
      .toBuffer();
    // Announced while there is space, so that only the upload of the file fails.
    const upload = await api.images.announce({ body: { name: 'photo.jpg', type: 'image/jpeg', size: photo.length } });

    for (let round = 0; round < size(1, 5); round++) {
      const filler = join(folder, 'filler');
      fill(filler);
      let refused = 0;
      for (const deadline = performance.now() + 30_000; refused < size(40, 400) && performance.now() < deadline;) {
        const statuses = await Promise.all(Array.from({ length: 4 }, write));
        refused += statuses.filter((status) => status === 503).length;
        const view = await fetch(`${product.url}/api/track/${trackingId}`);
        expect([view.status, ((await view.json()) as { name: string }).name]).toEqual([200, 'Package 19']);
        expect((await api.packages.listOfUser({ params: { id: ownerId } })).items).toHaveLength(
          50 < acknowledged.length ? 50 : acknowledged.length,
        );
      }
      expect(refused).toBeGreaterThan(0);
      const put = await fetch(new URL(upload.url, product.url), {
        method: 'PUT',
        headers: upload.headers,
        body: new Uint8Array(photo),
      });
      expect([put.status, await put.text()]).toEqual([503, expect.stringContaining('"unavailable"')]);

      rmSync(filler);
      const freed = performance.now();
      while ((await write()) !== 201) await sleep(20);
      console.log(
        `disk full: ${refused} writes refused, ${acknowledged.length} acknowledged in all; taken again ${Math.round(performance.now() - freed)} ms after there was room`,
      );
      if (full) expect(performance.now() - freed).toBeLessThan(5000);
    }
    const again = await fetch(new URL(upload.url, product.url), {
      method: 'PUT',
      headers: upload.headers,
      body: new Uint8Array(photo),
    });
    expect(again.status).toBe(200);
    expect([...refusals]).toEqual(['503, 1']);

    const names: string[] = [];
    for (let cursor: string | null | undefined; cursor !== null;) {
      const page: { items: { name: string }[]; next: string | null } = await api.packages.listOfUser({
        params: { id: ownerId },
        query: { limit: 200, cursor },
      });
      names.push(...page.items.map(({ name }) => name));
      cursor = page.next;
    }
    expect(names.toSorted()).toEqual(acknowledged.toSorted());
    expect(product.output()).not.toContain('PANIC');
  },
);
