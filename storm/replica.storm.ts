import { setTimeout as sleep } from 'node:timers/promises';
import type { Client, Package } from '@waybill/contract';
import { afterEach, describe, expect, test } from 'vitest';
import { startProduct, type RunningProduct } from '../e2e/product.ts';
import { eventually, packageInput } from '../server/src/testing/test-product.ts';
import { followPackage, type Follower } from './follow-package.ts';
import { hasPostgres15, startPostgres15 } from './postgres15.ts';
import { size, runsLong } from './storm-size.ts';

const cleanUps: (() => unknown)[] = [];
afterEach(async () => {
  for (const cleanUp of cleanUps.splice(0).toReversed()) await cleanUp();
});

const token = 'a-token-of-some-length';

/** How many reads each server has answered. */
async function readShares({ url }: RunningProduct): Promise<{ replica: number; primary: number }> {
  const metrics = await (await fetch(`${url}/metrics`, { headers: { authorization: `Bearer ${token}` } })).text();
  const of = (server: string) =>
    Number(new RegExp(`^waybill_replica_reads_total\\{server="${server}".*\\} (\\d+)$`, 'm').exec(metrics)?.[1] ?? 0);
  return { replica: of('replica'), primary: of('primary') };
}

async function lookUp({ url }: RunningProduct, { trackingId }: Package): Promise<string> {
  const response = await fetch(`${url}/api/track/${trackingId}`);
  return response.status === 200 ? ((await response.json()) as { status: string }).status : String(response.status);
}

describe.skipIf(!hasPostgres15)('with a read replica (only where Debian has installed PostgreSQL 15)', () => {
  const packages = size(40, 500);

  test.runIf(runsLong)(
    'lookups are never stale and never fail, whether the replica is fresh, 300 ms behind, stopped, killed or back, and no stream goes backwards',
    async () => {
      const primary = await startPostgres15();
      cleanUps.push(() => primary.stop());
      const standby = await primary.openStandby();
      cleanUps.push(() => standby.stop());
      const product = await startProduct({
        DATABASE_URL: primary.url,
        DATABASE_READ_URL: standby.url,
        METRICS_TOKEN: token,
      });
      cleanUps.push(() => product.stop());
      const register = async (role: 'owner' | 'driver' | 'admin'): Promise<Client> => {
        const body = { name: `The ${role}`, email: `${role}@example.com`, password: 'pond-heron-7', role };
        return product.api((await product.api().auth.register({ body })).token);
      };
      const [owner, driver, admin] = [await register('owner'), await register('driver'), await register('admin')];

      const first = await owner.packages.create({ body: packageInput() });
      await eventually('the replica answers lookups', async () => {
        expect(await lookUp(product, first)).toBe('processing');
        return (await readShares(product)).replica > 0;
      });
      const { id } = await owner.users.me();
      const reads: Record<string, () => Promise<unknown>> = {
        statistics: () => admin.stats.read(),
        exports: async () => {
          const file = await (await owner.packages.exportOfUser({ params: { id } })).text();
          expect(file).toContain(first.trackingId);
        },
      };
      for (const [what, read] of Object.entries(reads))
        await eventually(`the replica answers ${what}`, async () => {
          const { replica } = await readShares(product);
          await read();
          return (await readShares(product)).replica > replica;
        });

      await standby.query("alter system set recovery_min_apply_delay = '300ms'");
      await standby.query('select pg_reload_conf()');
      const before = await readShares(product);
      const stale: string[] = [];
      const followers: Follower[] = [];
      let lateLookups = 0;
      for (let n = 0; n < packages; n++) {
        const pkg = await owner.packages.create({ body: packageInput() });
        const created = await lookUp(product, pkg);
        if (created !== 'processing') stale.push(`created, shown as ${created}`);
        if (n % (packages / 10) === 0) {
          const follower = followPackage(product, pkg.trackingId);
          cleanUps.push(() => follower.stop());
          followers.push(follower);
        }
        await driver.deliveries.start({ params: { id: pkg.id } });
        const started = await lookUp(product, pkg);
        if (started !== 'in transit') stale.push(`started, shown as ${started}`);
        // Sooner or later than the replica has the change: it is asked in vain, or answers.
        if (n % 3 > 0) continue;
        lateLookups++;
        await sleep((n * 97) % 1000);
        const later = await lookUp(product, pkg);
        if (later !== 'in transit') stale.push(`started a while ago, shown as ${later}`);
      }
      const after = await readShares(product);
      const [byReplica, byPrimary] = [after.replica - before.replica, after.primary - before.primary];
      console.log(
        `300 ms behind: ${stale.length} of ${2 * packages + lateLookups} lookups stale; the replica answered ${byReplica}, the primary ${byPrimary}`,
      );
      expect(stale).toEqual([]);
      expect(byReplica).toBeGreaterThan(0);
      expect(byPrimary).toBeGreaterThanOrEqual(2 * packages);
      await eventually('every stream shows the truth', () =>
        followers.every((follower) => follower.status() === 'in transit'),
      );
      for (const follower of followers)
        expect([['processing', 'in transit'], ['in transit']]).toContainEqual(follower.statuses());

      // Lookups and statistics go on all the time while the replica goes and comes back. An export that has begun on it would break off.
      const answers: string[] = [];
      let isOver = false;
      const goOn = async (read: () => Promise<string>) => {
        while (!isOver) answers.push(await read().catch(String));
      };
      const readers = [
        ...Array.from({ length: 8 }, () => goOn(() => lookUp(product, first))),
        goOn(async () => {
          await admin.stats.read();
          return 'processing';
        }),
      ];
      const answersMore = async (what: string, server: 'replica' | 'primary') => {
        const counted = (await readShares(product))[server];
        await eventually(what, async () => (await readShares(product))[server] > counted + 20);
      };
      await standby.query('alter system reset recovery_min_apply_delay');
      await standby.query('select pg_reload_conf()');
      await answersMore('the replica answers without a delay', 'replica');
      await standby.kill();
      await answersMore('the primary answers in place of a killed replica', 'primary');
      await standby.restart();
      await answersMore('the replica answers again after its start', 'replica');
      await standby.restart();
      await answersMore('the replica answers again after an orderly restart', 'replica');
      isOver = true;
      await Promise.all(readers);
      console.log(`killed and restarted: ${answers.length} reads, all answered`);
      expect(new Set(answers)).toEqual(new Set(['processing']));
      expect((await driver.users.me()).role).toBe('driver');
    },
  );
});
