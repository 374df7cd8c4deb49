import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startProduct, type RunningProduct } from './product.ts';
import { adminStates } from './texts/admin.ts';
import { driverStates } from './texts/driver.ts';
import { ownerStates, senderStates } from './texts/owner.ts';
import { patternOf, quotedTexts } from './texts/quotes.ts';
import type { State } from './texts/state.ts';
import { visitorStates } from './texts/visitor.ts';
import { nonScreenQuotes, replacedTexts, apiOnlyTexts } from './texts/without-screen.ts';
import { openBrowser, openWatchedWindow } from './watched-window.ts';
import { createFixtures, type Fixtures } from './fixtures.ts';
import { runsAll } from '../server/src/testing/suite.ts';

let product: RunningProduct;
let browser: Browser;
let fixtures: Fixtures;
/** Token by viewer; null: without a session. */
let tokens: Record<'visitor' | 'owner' | 'sender' | 'driver' | 'admin', string | null>;
beforeAll(async () => {
  [product, browser] = await Promise.all([startProduct(), openBrowser()]);
  fixtures = await createFixtures(product);
  const body = { name: 'Saul Sender', email: 'saul@example.com', password: 'pond-heron-7', role: 'owner' } as const;
  const sender = await product.api().auth.register({ body });
  const { owner, idleDriver, admin } = fixtures;
  tokens = { visitor: null, owner: owner.token, sender: sender.token, driver: idleDriver.token, admin: admin.token };
});
afterAll(async () => {
  await browser.close();
  await product.stop();
});

const textOf = (text: State['texts'][number]) => (typeof text === 'string' ? text : text.ends);

test('every quoted text of the specification has a screen or a reason for having none, and there are no others', () => {
  const states = [...visitorStates, ...ownerStates, ...senderStates, ...driverStates, ...adminStates];
  const covered = [
    ...states.flatMap(({ texts }) => texts.map(textOf)),
    ...[nonScreenQuotes, replacedTexts, apiOnlyTexts].flatMap((table) => Object.keys(table)),
  ];
  expect(covered.toSorted()).toEqual(quotedTexts().toSorted());
  expect(covered.length).toBeGreaterThan(100);
});

/** Opens every state of a viewer in turn, and fails with all texts that are not visible. */
async function expectTexts(states: State[], token: string | null): Promise<void> {
  const open = (given?: string) =>
    openWatchedWindow(browser, { baseURL: product.url, token: given, expectFailures: /\/(api|media|nowhere|track)\b/ });
  const shared = token === null ? null : await open(token);
  const missing: string[] = [];
  const waiting = [...states];
  const openAll = async () => {
    for (let state = waiting.shift(); state; state = waiting.shift()) await openOne(state);
  };
  const openOne = async (state: State) => {
    const { page, context, faults } = shared ?? (await open());
    const cleanUp = await state.open({ page, fixtures, product });
    for (const text of state.texts) if (!(await isVisible(page, text))) missing.push(`${textOf(text)} (${state.name})`);
    expect(faults, state.name).toEqual([]);
    await cleanUp?.();
    await (shared ? page.unrouteAll({ behavior: 'ignoreErrors' }) : context.close());
  };
  // States with a window each wait for automatic retries side by side.
  await Promise.all(shared ? [openAll()] : [openAll(), openAll(), openAll()]);
  await shared?.context.close();
  expect(missing).toEqual([]);
}

async function isVisible(page: Page, text: State['texts'][number]): Promise<boolean> {
  const pattern = patternOf(textOf(text), typeof text === 'string' ? 'whole' : 'at the end');
  return page
    .getByText(pattern)
    .or(page.getByPlaceholder(pattern))
    .filter({ visible: true })
    .first()
    .waitFor()
    .then(
      () => true,
      () => false,
    );
}

// Concurrently: most of the time is waiting for automatic retries.
test.concurrent.for([
  { who: 'a visitor', states: visitorStates, person: 'visitor' },
  { who: 'an owner', states: ownerStates, person: 'owner' },
  { who: 'an owner who sends something', states: senderStates, person: 'sender' },
  { who: 'a driver', states: driverStates, person: 'driver' },
  { who: 'an administrator', states: adminStates, person: 'admin' },
] as const)(
  '$who sees the texts of their screens, word for word',
  { timeout: 180_000 },
  async ({ states, person }, { skip }) => {
    skip(!runsAll && person !== 'visitor', 'runs with npm run test:all');
    await expectTexts(states, tokens[person]);
  },
);

test('texts without a screen are returned to API clients', async () => {
  for (const [text, call] of Object.entries(apiOnlyTexts))
    await expect(call(fixtures.owner.api, fixtures.waiting.id)).rejects.toMatchObject({ message: text });
});
