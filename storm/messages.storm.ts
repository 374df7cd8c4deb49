import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, expect, test } from 'vitest';
import { openMailServer, type Treatment } from '../server/src/testing/mail-server.ts';
import { openSmsGateway } from '../server/src/testing/sms-gateway.ts';
import {
  createPackage,
  eventually,
  openTestProduct,
  untilJobsDone,
  type TestProduct,
} from '../server/src/testing/test-product.ts';
import type { SendingProcess } from './sending-process.ts';
import { runsLong, size } from './storm-size.ts';

const hourMs = 3_600_000;

const cleanUps: (() => unknown)[] = [];
afterEach(async () => {
  for (const cleanUp of cleanUps.splice(0).toReversed()) await cleanUp();
});

/** Packages, each with an email address, every second one with a phone too: 10,000 messages at full size. */
const packages = size(40, 6_667);
const due = packages + Math.ceil(packages / 2);
const processes = 2;
const kills = size(2, 12);
/** An hour in 15 s: a pause of 30 s is over at once, and what fails ten times is sent within minutes. */
const speed = 240;

/** Mishaps of sinks: 25 % refuse for now, 10 % hang, 10 % cut the connection, 10 % take the message and lose the answer. */
function mishap(refusal: number): Treatment {
  const dice = Math.random();
  if (dice < 0.25) return refusal;
  if (dice < 0.35) return 'hang';
  if (dice < 0.45) return 'reset';
  return dice < 0.55 ? 'lose the answer' : 'accept';
}

/** An SMTP server asks twice about a message that it takes: at its address, and at its end. */
function mishapsByMail(lost: (to: string) => void) {
  const decided = new Map<string, Treatment>();
  return (to: string): Treatment => {
    const before = decided.get(to);
    if (before) {
      decided.delete(to);
      if (before === 'lose the answer') lost(to);
      return before;
    }
    const how = mishap(421);
    if (how === 'accept' || how === 'lose the answer') decided.set(to, how);
    return how;
  };
}

const idIn = (messageId: string) => /<([\w-]+)@/.exec(messageId)?.[1] ?? '';

test.runIf(runsLong)(
  `sinks that refuse, hang, break off and lose answers, and processes that are killed, lose none of ${due} messages and double none but whose answer was lost`,
  async () => {
    const [mailServer, gateway] = await Promise.all([openMailServer(), openSmsGateway()]);
    cleanUps.push(
      () => mailServer.close(),
      () => gateway.close(),
    );
    /** Addresses whose sink lost an answer. */
    const lost = new Set<string>();
    mailServer.treat(mishapsByMail((to) => lost.add(to)));
    gateway.treat((to) => {
      const how = mishap(503);
      if (how === 'lose the answer') lost.add(to);
      return how;
    });
    const began = Date.now();
    const config = {
      SMTP_URL: mailServer.url,
      MAIL_FROM: 'parcels@example.org',
      SMS_URL: gateway.url,
      SMS_TOKEN: 'a-token-of-the-gateway',
      SMS_TIMEOUT: '1',
      PUBLIC_URL: 'https://parcels.example',
      RECIPIENT_QUIET_HOURS: 'off',
    };
    // Sends nothing itself.
    const product = await openTestProduct({
      config,
      runsJobs: false,
      now: () => new Date(began + (Date.now() - began) * speed),
    });
    cleanUps.push(() => product.close());
    const owner = await product.register('owner');
    const sql = <Row extends object>(text: string) => product.ctx.db.query<Row>(text);

    const start = async (): Promise<ChildProcess> => {
      const child = fork(new URL('sending-process.ts', import.meta.url));
      const environment = { RATE_LIMITS: 'off', DATA_DIR: product.ctx.config.DATA_DIR, PORT: '0', ...config };
      child.send({
        connection: product.connection,
        config: environment,
        began,
        speed,
      } satisfies SendingProcess);
      await once(child, 'message');
      return child;
    };
    const running = await Promise.all(Array.from({ length: processes }, start));
    cleanUps.push(() => running.forEach((child) => child.kill('SIGKILL')));

    let created = 0;
    const create = async () => {
      while (created < packages) {
        const number = created++;
        await createPackage(owner, {
          recipientContact: 'At the front desk',
          recipientEmail: `recipient${number}@example.com`,
          ...(number % 2 === 0 && { recipientPhone: `+4915${String(100_000_000 + number)}` }),
        });
      }
    };
    const creating = Promise.all(Array.from({ length: 8 }, create));
    /** Of messages whose attempt was under way when a process was killed: nobody knows what became of it. */
    const underWay = new Set<string>();
    for (let kill = 0; kill < kills; kill++) {
      await sleep(1500 + Math.random() * 1500);
      const victim = running[kill % processes];
      if (!victim) throw new Error('there is no process');
      const gone = once(victim, 'exit');
      victim.kill('SIGKILL');
      await gone;
      for (const { id } of await sql<{ id: string }>('select id from messages where lease is not null'))
        underWay.add(id);
      running[kill % processes] = await start();
    }
    await creating;
    await eventually(
      'everything is queued and sent',
      async () => {
        const [row] = await sql<{ all: string; sent: string }>(
          `select count(*) as all, count(*) filter (where state = 'sent') as sent from messages where audience = 'recipient'`,
        );
        return Number(row?.all) === due && Number(row?.sent) === due;
      },
      size(240_000, 1_500_000),
    );

    const rows = await sql<{ id: string; address: string }>(
      "select id, address from messages where audience = 'recipient'",
    );
    const received = Map.groupBy(
      [
        ...mailServer.mails.map(({ to, id }) => ({ to, id: idIn(id) })),
        ...gateway.messages.map(({ to, id }) => ({ to, id: id ?? '' })),
        // The owner is told of the account.
      ].filter(({ to }) => to !== owner.email),
      ({ to }) => to,
    );
    // One message for each address: nothing else was sent, and each under its own id however often.
    expect(new Set(rows.map(({ address }) => address)).size).toBe(due);
    expect(received.size).toBe(due);
    for (const { id, address } of rows) {
      const copies = received.get(address) ?? [];
      expect(copies.length, `${address} was lost`).toBeGreaterThan(0);
      expect(new Set(copies.map((copy) => copy.id)), address).toEqual(new Set([id]));
      if (copies.length > 1)
        expect(lost.has(address) || underWay.has(id), `${address} came ${copies.length} times`).toBe(true);
    }
    // Else the storm has shown nothing.
    expect(lost.size).toBeGreaterThan(0);
    expect(mailServer.offered()).toBeGreaterThan(packages);
  },
);

test('receivers that are down for a day get all that is still true, and nothing that is not', async () => {
  // Half past midnight, so that the day of what is on its way ends before the receivers are back.
  let clock = Date.parse('2026-06-10T22:30:00Z');
  const down = await openMailServer();
  const port = Number(new URL(down.url).port);
  await down.close();
  const gateway = await openSmsGateway();
  gateway.treat('reset');
  cleanUps.push(() => gateway.close());
  const product = await openTestProduct({
    now: () => new Date(clock),
    config: {
      TIME_ZONE: 'Europe/Berlin',
      SMTP_URL: `smtp://127.0.0.1:${port}?timeout=1`,
      MAIL_FROM: 'parcels@example.org',
      SMS_URL: gateway.url,
      SMS_TOKEN: 'a-token-of-the-gateway',
      PUBLIC_URL: 'https://parcels.example',
      RECIPIENT_QUIET_HOURS: 'off',
      DRIVER_SIGNUP: 'open',
    },
  });
  cleanUps.push(() => product.close());
  const [owner, driver] = [await product.register('owner'), await product.register('driver')];
  const create = (number: number) =>
    createPackage(owner, {
      recipientContact: 'At the front desk',
      recipientEmail: `recipient${number}@example.com`,
      recipientPhone: `+491511234567${number}`,
    });
  const [delivered, failed, cancelled, onItsWay] = [await create(1), await create(2), await create(3), await create(4)];
  const { deliveries } = driver.api;
  const of = ({ id }: { id: string }) => ({ params: { id } });
  await deliveries.start(of(delivered));
  await deliveries.next(of(delivered));
  await deliveries.start(of(failed));
  await letTimePass(2 * hourMs);
  await deliveries.complete(of(delivered));
  await deliveries.fail({ ...of(failed), body: { reason: 'Nobody at home' } });
  await owner.api.packages.update({ ...of(cancelled), body: { status: 'cancelled' } });
  await letTimePass(22 * hourMs);
  // After midnight: still true when they are back.
  await deliveries.start(of(onItsWay));
  await settle(product, clock);
  expect(gateway.messages).toEqual([]);

  const mailServer = await openMailServer(port);
  cleanUps.push(() => mailServer.close());
  gateway.treat('accept');
  await letTimePass(2 * hourMs);
  const told = (number: number) =>
    mailServer.mails
      .filter(({ to }) => to === `recipient${number}@example.com`)
      .map(({ subject }) => subject.replace(/:.*/, ''))
      .toSorted();
  expect([1, 2, 3, 4].map(told)).toEqual([
    ['A package for you', 'Delivered'],
    ['A package for you', 'Could not be delivered'],
    ['Cancelled'],
    ['A package for you', 'On its way'],
  ]);
  expect(gateway.messages.map(({ to }) => to.slice(-1)).toSorted()).toEqual(['1', '1', '2', '2', '3', '4', '4']);
  const states = await product.ctx.db.query<{ state: string; reason: string | null }>(
    'select distinct state, reason from messages order by 1, 2',
  );
  expect(states).toEqual([
    { state: 'sent', reason: null },
    { state: 'suppressed', reason: 'late' },
  ]);

  /** By the clock, an hour at a time, in each of which everything that is due is tried. */
  async function letTimePass(ms: number) {
    for (let left = ms; left > 0; left -= hourMs) {
      await settle(product, clock);
      clock += Math.min(left, hourMs);
    }
    await settle(product, clock);
  }
});

async function settle(product: TestProduct, clock: number): Promise<void> {
  await untilJobsDone(product);
  await product.ctx.db.transaction(async (tx) => {
    await tx.query("insert into outbox (type) values ('notification.progressed')");
    tx.notifyAfterCommit();
  });
  await eventually('nothing is due', async () => {
    const due = await product.ctx.db.query('select from messages where due_at <= $1 or lease is not null', [
      new Date(clock),
    ]);
    return due.length === 0;
  });
}
