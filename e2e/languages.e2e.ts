import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { packageInput } from './fixtures.ts';
import { startProduct, type RunningProduct } from './product.ts';
import { expectAccessible, openBrowser, openWindow } from './window.ts';

let product: RunningProduct;
let browser: Browser;
beforeAll(async () => {
  [product, browser] = await Promise.all([startProduct(), openBrowser()]);
});
afterAll(async () => {
  await browser.close();
  await product.stop();
});

test('a page is in the language of the browser, until another one is chosen, which stays', async () => {
  const { page } = await openWindow(browser, { baseURL: product.url, locale: 'de-AT', expectFailures: /login/ });
  // The choice is kept even if it is made before the page is hydrated.
  await page.route(/\/hydrate-/, () => {}, { times: 1 });
  await page.goto('/about', { waitUntil: 'commit' });
  await page.getByRole('heading', { name: 'Über uns' }).waitFor();
  expect(await page.locator('html').getAttribute('lang')).toBe('de');
  await expectAccessible(page, 'about, in German');

  await page.getByRole('navigation', { name: 'Sprache' }).getByRole('link', { name: 'Français' }).click();
  await page.getByRole('heading', { name: 'À propos' }).waitFor();
  await page.goto('/contact');
  await page.getByRole('heading', { name: 'Vous attendez un colis ?' }).waitFor();
  expect(await page.locator('html').getAttribute('lang')).toBe('fr');

  await page.goto('/login');
  await page.getByRole('heading', { name: 'Bon retour' }).waitFor();
  await page.getByLabel('E-mail').fill('nobody');
  await page.getByLabel('Mot de passe', { exact: true }).fill('not the right one');
  await page.getByRole('main').getByRole('button', { name: 'Se connecter' }).click();
  await page.getByText('Saisissez une adresse e-mail valable').waitFor();
  await page.getByLabel('E-mail').fill('nobody@example.com');
  await page.getByRole('main').getByRole('button', { name: 'Se connecter' }).click();
  await page.getByText('E-mail ou mot de passe incorrect. Veuillez réessayer.').first().waitFor();
  await expectAccessible(page, 'login, in French');
});

test('the tracker answers in the reader’s language: its sentence, days, status, history and frame', async () => {
  const { token } = await product.api().auth.register({
    body: { name: 'Olga Owner', email: 'olga@example.com', password: 'pond-heron-7', role: 'owner' },
  });
  const pkg = await product.api(token).packages.create({ body: packageInput });
  const { page } = await openWindow(browser, {
    baseURL: product.url,
    locale: 'de-DE',
  });
  await page.setViewportSize({ width: 320, height: 700 });
  await page.goto(`/track/${pkg.trackingId}`);
  await page.getByRole('heading', { level: 1, name: /^Kommt So\., 4\. Mai 2031$/ }).waitFor();
  await page.getByText('In Bearbeitung').waitFor();
  await page.getByText('Für den Versand angemeldet').filter({ visible: true }).waitFor();
  await page.getByText('Live', { exact: true }).waitFor();
  expect(await page.title()).toContain(`Kommt Sonntag, 4. Mai 2031 · ${pkg.trackingId}`);
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(320);
  await expectAccessible(page, 'tracker, in German');
  await page.getByRole('button', { name: 'Menü öffnen' }).click();
  await page.getByRole('dialog', { name: 'Menü' }).getByRole('link', { name: 'Anmelden' }).waitFor();

  const plain = await openWindow(browser, { baseURL: product.url, locale: 'de-DE', javaScriptEnabled: false });
  await plain.page.goto('/track?lang=fr');
  await plain.page.getByRole('textbox', { name: 'Numéro de suivi' }).fill(pkg.trackingId);
  await plain.page.getByRole('main').getByRole('button', { name: 'Suivre' }).click();
  await plain.page.getByRole('heading', { level: 1, name: 'Arrive dim. 4 mai 2031' }).waitFor();
  expect(await plain.page.locator('meta[property="og:description"]').getAttribute('content')).toBe(
    `${pkg.name}: En préparation · Riverton depot`,
  );
  await plain.page.getByRole('navigation', { name: 'Mentions légales' }).getByText('Confidentialité').waitFor();
});

test("a driver's phone speaks the driver's language: the stop, a dialog, and what is missing in it", async () => {
  const register = (name: string, role: 'owner' | 'driver') =>
    product.api().auth.register({ body: { name, email: `${role}.de@example.com`, password: 'pond-heron-7', role } });
  const [owner, driver] = [await register('Oda Owner', 'owner'), await register('Dora Driver', 'driver')];
  const handling = { fragile: true, signatureRequired: true };
  const pkg = await product.api(owner.token).packages.create({ body: { ...packageInput, handling } });
  await product.api(driver.token).deliveries.start({ params: { id: pkg.id } });
  const { page, faults } = await openWindow(browser, {
    baseURL: product.url,
    locale: 'de-DE',
    width: 320,
    token: driver.token,
  });
  await page.goto('/driver/dashboard');
  await page.getByRole('region', { name: 'Nächster Halt' }).getByText('Zerbrechlich').waitFor();
  await page.getByRole('button', { name: 'Als Nächstes anfahren' }).waitFor();
  expect(await page.title()).toContain('Fahrerübersicht');
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(320);
  await expectAccessible(page, "the driver's stop, in German");
  await page.getByRole('button', { name: 'Menü öffnen' }).click();
  await page.getByRole('menuitem', { name: 'Zustellung abschließen' }).click();
  const dialog = page.getByRole('dialog', { name: 'Zustellung abschließen?' });
  await dialog.getByRole('button', { name: 'Zustellung abschließen' }).click();
  await dialog.getByText('Diese Sendung braucht eine Unterschrift oder den Namen der Person').waitFor();
  await page.route('**/api/deliveries/*/complete', (route) => route.abort());
  await dialog.getByLabel('Angenommen von').fill('Rita');
  await dialog.getByRole('button', { name: 'Zustellung abschließen' }).click();
  await dialog.getByText(/^(Keine Verbindung|Die Verbindung ist abgebrochen).*Ihre Eingaben sind noch da/).waitFor();
  expect(faults.splice(0)).toEqual([expect.stringContaining('/complete')]);
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(320);
});

test('where a package is, a driver reads and reports in their language; stored it is the same in all', async () => {
  const register = (name: string, role: 'owner' | 'driver') =>
    product.api().auth.register({ body: { name, email: `${role}.ort@example.com`, password: 'pond-heron-7', role } });
  const [owner, driver] = [await register('Ottilie Owner', 'owner'), await register('Doris Driver', 'driver')];
  const pkg = await product.api(owner.token).packages.create({ body: packageInput });
  const params = { id: pkg.id };
  await product.api(driver.token).deliveries.start({ params });
  const { page } = await openWindow(browser, {
    baseURL: product.url,
    locale: 'de-DE',
    width: 390,
    token: driver.token,
    expectFailures: /\/api\//,
  });
  await page.goto('/driver/dashboard');
  await page.getByRole('button', { name: 'Details' }).click();
  const details = page.getByRole('dialog', { name: 'Sendungsdetails' });
  await details.getByText('Beim Fahrer').waitFor();
  await details.getByRole('button', { name: 'Schließen' }).first().click();
  for (const [typed, stored] of [
    ['Lübeck', 'Lübeck'],
    ['beim Fahrer', 'With the driver'],
  ] as const) {
    await page.getByRole('button', { name: 'Problem' }).click();
    await page.getByRole('menuitem', { name: 'Ort melden' }).click();
    const dialog = page.getByRole('dialog', { name: 'Ort melden' });
    await dialog.getByText('„Beim Fahrer“ nimmt ihn zurück').waitFor();
    await dialog.getByLabel('Ort').fill(typed);
    await dialog.getByRole('button', { name: 'Ort melden' }).click();
    await dialog.waitFor({ state: 'detached' });
    expect((await product.api(owner.token).packages.read({ params })).location).toBe(stored);
  }

  await product.api(driver.token).auth.logout();
  await page.goto('/driver/dashboard');
  await page.getByText('Anmeldung nötig').first().waitFor();
  await page.getByText('Bitte melden Sie sich noch einmal an.').first().waitFor();
});

test("a driver's account, notifications and reported issues are in the driver's language, with their messages and times", async () => {
  const { token } = await product.api().auth.register({
    body: { name: 'Dirk Driver', email: 'dirk.de@example.com', password: 'pond-heron-7', role: 'driver' },
  });
  const { page } = await openWindow(browser, { baseURL: product.url, locale: 'de-DE', width: 320, token });
  await page.goto('/account');
  await page.getByRole('heading', { name: 'Konto', exact: true }).waitFor();
  expect(await page.title()).toContain('Konto');
  await page.getByText('Dieses Gerät', { exact: true }).waitFor();
  await page.getByText('Angemeldet jetzt').waitFor();
  await page.getByLabel('Halte je Tour, höchstens').fill('0');
  await page.getByLabel('Telefon').fill('0151');
  await page.getByRole('button', { name: 'Profil speichern' }).click();
  await page.getByText('Bitte in internationaler Form angeben').waitFor();
  await page.getByText('Bitte eine Zahl von 1 bis 500 eingeben').waitFor();
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(320);
  // No English is left: these words are on the page in no other language.
  expect(await page.locator('main').innerText()).not.toMatch(/\b(the|your|with|password|session|save|vehicle)\b/i);
  await expectAccessible(page, 'account, in German');
  await page.getByLabel('Halte je Tour, höchstens').fill('80');
  await page.getByLabel('Telefon').fill('+4915112345678');
  await page.getByRole('button', { name: 'Profil speichern' }).click();
  await page.getByText('Profil gespeichert').first().waitFor();

  await page.goto('/notifications/preferences');
  await page.getByRole('heading', { name: 'Mitteilungen einstellen' }).waitFor();
  expect(await page.title()).toContain('Mitteilungen einstellen');
  await page.getByRole('checkbox', { name: /^Zustellung zugeteilt/ }).waitFor();
  await page.getByText('SMS gehen an +4915112345678').waitFor();
  await page.getByRole('checkbox', { name: /^Nachts nichts senden/ }).click();
  await page.getByText(/^Uhrzeit in /).waitFor();
  expect(await page.locator('main').innerText()).not.toMatch(/\b(the|your|with|delivery|package|account|told)\b/i);
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(320);
  await expectAccessible(page, 'notification preferences, in German');
  await page.getByRole('main').getByRole('link', { name: 'Mitteilungen' }).click();
  await page.getByRole('tab', { name: 'Ungelesen' }).click();
  await page.getByText('Nichts ist ungelesen').waitFor();

  const owner = await product.api().auth.register({
    body: { name: 'Otto Owner', email: 'otto.de@example.com', password: 'pond-heron-7', role: 'owner' },
  });
  const pkg = await product.api(owner.token).packages.create({ body: { ...packageInput, name: 'Lampe' } });
  await product.api(token).deliveries.start({ params: { id: pkg.id } });
  await product
    .api(owner.token)
    .incidents.reportOnPackage({ params: { id: pkg.id }, body: { issue: 'Karton eingerissen' } });
  await page.goto('/driver/incidents');
  await page.getByRole('heading', { name: 'Gemeldete Probleme' }).waitFor();
  expect(await page.title()).toContain('Gemeldete Probleme');
  await page.getByText('Karton eingerissen').waitFor();
  await page.getByText('Offen', { exact: true }).waitFor();
  expect(await page.locator('body').innerText()).not.toMatch(
    /\b(the|your|open|issue|issues|reported|delivery|ago|what)\b/i,
  );
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(320);
  await expectAccessible(page, 'reported issues, in German');
});

test('without JavaScript a page can be read in another language by a link', async () => {
  const { page } = await openWindow(browser, { baseURL: product.url, javaScriptEnabled: false });
  await page.goto('/contact');
  await page.getByRole('heading', { name: 'Waiting for a package?' }).waitFor();
  await page.getByRole('link', { name: 'Español' }).click();
  await page.getByRole('heading', { name: '¿Espera un paquete?' }).waitFor();
});

test('a page loads one language, and its document says how it was chosen', async () => {
  const { page } = await openWindow(browser, { baseURL: product.url, locale: 'es-MX' });
  const loaded: string[] = [];
  page.on('request', (request) => {
    const [, language] = /\/assets\/(en|de|fr|es)-[^/]*\.js$/.exec(request.url()) ?? [];
    if (language) loaded.push(language);
  });
  const response = await page.goto('/about', { waitUntil: 'networkidle' });
  expect(response?.headers()).toMatchObject({ 'content-language': 'es' });
  expect(response?.headers().vary).toContain('accept-language');
  await page.goto('/login', { waitUntil: 'networkidle' });
  expect(loaded).toEqual(['es', 'es']);
});
