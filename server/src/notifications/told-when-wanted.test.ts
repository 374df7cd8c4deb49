import type { NotificationKind } from '@waybill/contract';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openMailServer, type MailServer, type ReceivedMail } from '../testing/mail-server.ts';
import { runsAll } from '../testing/suite.ts';
import {
  createPackage,
  eventually,
  openTestProduct,
  untilJobsDone,
  type TestProduct,
  type TestUser,
} from '../testing/test-product.ts';

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;

let clock = Date.parse('2026-03-01T12:00:00Z');
let mailServer: MailServer;
let product: TestProduct;
let owner: TestUser;
let driver: TestUser;
beforeAll(async () => {
  mailServer = await openMailServer();
  product = await openTestProduct({
    now: () => new Date(clock),
    config: {
      TIME_ZONE: 'Europe/Berlin',
      SMTP_URL: mailServer.url,
      MAIL_FROM: 'parcels@example.org',
      PUBLIC_URL: 'https://parcels.example',
      // The default, as nobody has set it.
      RECIPIENT_QUIET_HOURS: '',
      DRIVER_SIGNUP: 'open',
    },
  });
  owner = await product.register('owner');
  driver = await product.register('driver');
});
afterAll(async () => {
  await product.close();
  await mailServer.close();
});

const sql = <Row extends object>(text: string, params?: unknown[]) => product.ctx.db.query<Row>(text, params);

/** Kinds of notifications that a driver's three steps make. */
const kinds = ['delivery.started', 'delivery.next', 'delivery.completed'] as const satisfies NotificationKind[];
type Kind = (typeof kinds)[number];

interface Wishes {
  kinds: Kind[];
  quiet: { from: string; to: string; timeZone: string };
}

// The hours before clocks are put forward or back in each zone, in spring and autumn of 2026, and a night without a change.
const changes = {
  'Europe/Berlin': ['2026-03-28T18:00:00Z', '2026-10-24T18:00:00Z'],
  'America/St_Johns': ['2026-03-08T00:00:00Z', '2026-11-01T00:00:00Z'],
  'Australia/Lord_Howe': ['2026-04-04T10:00:00Z', '2026-10-03T10:00:00Z'],
  'Pacific/Chatham': ['2026-04-04T09:00:00Z', '2026-09-26T09:00:00Z'],
  'Asia/Kathmandu': ['2026-06-10T12:00:00Z'],
} as const;
const zones = Object.keys(changes) as (keyof typeof changes)[];
const time = fc
  .tuple(fc.integer({ min: 0, max: 23 }), fc.constantFrom(0, 15, 30, 59))
  .map((parts) => parts.map((part) => String(part).padStart(2, '0')).join(':'));
const wishes = (timeZone: string): fc.Arbitrary<Wishes> =>
  fc.record({
    kinds: fc.subarray([...kinds]),
    quiet: fc.record({ from: time, to: time, timeZone: fc.constant(timeZone) }),
  });
const act = fc.oneof(
  { weight: 3, arbitrary: fc.record({ is: fc.constant('drive' as const) }) },
  {
    weight: 4,
    arbitrary: fc.record({ is: fc.constant('wait' as const), minutes: fc.constantFrom(7, 29, 45, 61, 150, 400, 700) }),
  },
  { weight: 1, arbitrary: fc.record({ is: fc.constant('choose' as const), kinds: fc.subarray([...kinds]) }) },
);
const day = fc.constantFrom(...zones).chain((zone) =>
  fc.record({
    start: fc.constantFrom(...changes[zone]),
    wishes: wishes(zone),
    ownersChoice: fc.subarray([...kinds]),
    acts: fc.array(act, { minLength: 4, maxLength: 12 }),
  }),
);

/** The wall clock as PostgreSQL tells it, so that the product's own rules are not their own witness. */
async function isNight(at: number, { from, to, timeZone }: Wishes['quiet']): Promise<boolean> {
  const [row] = await sql<{ now: string }>("select to_char($1::timestamptz at time zone $2, 'HH24:MI') as now", [
    new Date(at),
    timeZone,
  ]);
  const now = row?.now ?? '';
  return from <= to ? now >= from && now < to : now >= from || now < to;
}

/** Everything that is due by the clock has been sent or put off. */
async function settle(): Promise<void> {
  await untilJobsDone(product);
  await product.ctx.db.transaction(async (tx) => {
    await tx.query("insert into outbox (type, user_id) values ('notification.progressed', $1)", [owner.id]);
    tx.notifyAfterCommit();
  });
  await eventually('nothing is due', async () => {
    const due = await sql("select from messages where channel = 'email' and (due_at <= $1 or lease is not null)", [
      new Date(clock),
    ]);
    return due.length === 0;
  });
}

const kindOf = async ({ id }: ReceivedMail): Promise<string> => {
  const [row] = await sql<{ type: string }>('select type from messages where id = $1', [/<([\w-]+)@/.exec(id)?.[1]]);
  return row?.type ?? '';
};

/** Each generated day takes a second, on a busy machine three. */
const timeoutMs = runsAll ? 600_000 : 120_000;

test(
  'nobody is told by email what they do not want at that moment, nor at night, in any zone and when clocks change',
  async () => {
    let told = 0;
    let putOff = 0;
    await fc.assert(
      fc.asyncProperty(day, async ({ start, wishes: { quiet, ...first }, ownersChoice, acts }) => {
        clock = Date.parse(start);
        let wanted = first.kinds;
        const choose = (chosen: Kind[]) => {
          wanted = chosen;
          return owner.api.notifications.setPreferences({
            body: {
              email: kinds.map((kind) => ({ kind, on: chosen.includes(kind) })),
              quietHours: quiet,
            },
          });
        };
        await choose(wanted);
        await sql("delete from notification_preferences where user_id = $1 and channel = 'recipient'", [owner.id]);
        await sql(
          "insert into notification_preferences (user_id, channel, kind, enabled) select $1, 'recipient', kind, kind = any($3) from unnest($2::text[]) as kind",
          [owner.id, kinds, ownersChoice],
        );
        const packages: { id: string; step: number }[] = [];
        const since = mailServer.mails.length;
        /** Whether each new mail was wanted at this moment. */
        const check = async (from: number) => {
          for (const mail of mailServer.mails.slice(from)) {
            const kind = await kindOf(mail);
            const isOwners = mail.to === owner.email;
            // Recipients are always told of what was registered for them, and accounts of themselves.
            if (kind === 'package.created' || kind === 'account.registered') continue;
            told++;
            expect(isOwners ? wanted : ownersChoice, mail.subject).toContain(kind);
            const hours = isOwners ? quiet : { from: '21:00', to: '07:00', timeZone: 'Europe/Berlin' };
            expect(await isNight(clock, hours), `${mail.to}, ${mail.subject} at ${new Date(clock).toISOString()}`).toBe(
              false,
            );
          }
        };
        for (const one of acts) {
          const before = mailServer.mails.length;
          if (one.is === 'wait') {
            for (let left = one.minutes; left > 0; left -= 31) {
              clock += Math.min(left, 31) * minuteMs;
              const seen = mailServer.mails.length;
              await settle();
              await check(seen);
            }
            continue;
          }
          if (one.is === 'choose') await choose(one.kinds);
          else {
            let pkg = packages.at(-1);
            if (!pkg || pkg.step === kinds.length) {
              const { id } = await createPackage(owner, {
                recipientContact: 'At the front desk',
                recipientEmail: 'anna@example.com',
              });
              packages.push((pkg = { id, step: 0 }));
            }
            const params = { id: pkg.id };
            const { deliveries } = driver.api;
            const steps = [deliveries.start, deliveries.next, deliveries.complete];
            await steps[pkg.step++]?.({ params });
          }
          await settle();
          await check(before);
        }
        // The morning after: what is still true comes, and nothing comes twice.
        const evening = mailServer.mails.length;
        clock += 26 * hourMs;
        await settle();
        await check(evening);
        const ids = mailServer.mails.slice(since).map(({ id }) => id);
        expect(new Set(ids).size).toBe(ids.length);
        const [row] = await sql<{ put_off: string }>(
          "select count(*) as put_off from messages where package_id = any($1) and reason = 'quiet_hours'",
          [packages.map(({ id }) => id)],
        );
        putOff += Number(row?.put_off);
        await sql("update messages set due_at = null, state = 'suppressed' where due_at is not null");
      }),
      { numRuns: runsAll ? 150 : 6, seed: runsAll ? undefined : 20260329 },
    );
    // Else it has shown nothing.
    expect(told).toBeGreaterThan(0);
    expect(putOff).toBeGreaterThan(0);
  },
  timeoutMs,
);
