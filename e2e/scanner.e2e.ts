import type { Browser, Page } from 'playwright-core';
import sharp from 'sharp';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { readPages } from '../server/src/testing/printed-pages.ts';
import { packageInput } from '../server/src/testing/test-product.ts';
import { startProduct, type RunningProduct } from './product.ts';
import { expectAccessibleInBothThemes, openBrowser, openWindow } from './window.ts';
import { runsAll } from '../server/src/testing/suite.ts';

declare global {
  interface Window {
    /** What the camera sees: the address of a picture; or the name of the error that opening it ends with. */
    scene: { picture?: string; error?: string };
  }
}

let product: RunningProduct;
let browser: Browser;
beforeAll(async () => {
  [product, browser] = await Promise.all([startProduct(), openBrowser()]);
});
afterAll(async () => {
  await browser.close();
  await product.stop();
});

/** A camera that films a canvas, since a headless browser has none. */
function installCamera(scene: Window['scene']) {
  window.scene = scene;
  navigator.mediaDevices.getUserMedia = async () => {
    if (window.scene.error) throw new DOMException('no picture', window.scene.error);
    const canvas = Object.assign(document.createElement('canvas'), { width: 1280, height: 720 });
    const context = canvas.getContext('2d');
    const image = new Image();
    const draw = () => {
      if (!context) return;
      context.fillStyle = '#a98';
      context.fillRect(0, 0, 1280, 720);
      const { picture } = window.scene;
      if (picture && image.src !== picture) image.src = picture;
      if (picture && image.complete) {
        context.save();
        // As nobody holds a label straight.
        context.translate(640, 360);
        context.rotate(0.06);
        context.drawImage(image, -image.naturalWidth / 2, -image.naturalHeight / 2);
        context.restore();
      }
      requestAnimationFrame(draw);
    };
    draw();
    return canvas.captureStream();
  };
}

/** An owner with a package, and both codes of its printed label as pictures. */
async function ownerWithLabel(email: string) {
  const account = { name: 'Selma Scan', email, password: 'pond-heron-7', role: 'owner' } as const;
  const { token } = await product.api().auth.register({ body: account });
  const api = product.api(token);
  const pkg = await api.packages.create({ body: packageInput({ name: 'Copper kettle' }) });
  const reply = await api.labels.print({ body: { packageIds: [pkg.id], size: 'label' } });
  const [page] = await readPages(new Uint8Array(await reply.arrayBuffer()));
  if (!page) throw new Error('no label was printed');
  const { width, height, data } = page.picture;
  const pictureOf = async (format: string) => {
    const code = page.codes.find((one) => one.format === format);
    if (!code) throw new Error(`the label has no ${format}`);
    const { left, top } = code.box;
    const png = await sharp(Buffer.from(data), { raw: { width, height, channels: 4 } })
      .extract({
        left: left - 8,
        top: top - 8,
        width: Math.min(code.box.width + 16, width - left + 8),
        height: Math.min(code.box.height + 16, height - top + 8),
      })
      .extend({ top: 30, bottom: 30, left: 30, right: 30, background: 'white' })
      .png()
      .toBuffer();
    return `data:image/png;base64,${png.toString('base64')}`;
  };
  return { token, pkg, qr: await pictureOf('QRCode'), bars: await pictureOf('Code128') };
}

const showToCamera = (page: Page, scene: Window['scene']) => page.evaluate((next) => (window.scene = next), scene);

test.runIf(runsAll)(
  'the camera reads both codes of a printed label, with code that is loaded by then from here alone',
  async () => {
    const { token, pkg, qr, bars } = await ownerWithLabel('selma.scan@example.com');
    const { page, context } = await openWindow(browser, { baseURL: product.url, token });
    await context.addInitScript(installCamera, {});
    const files: string[] = [];
    page.on('request', (request) => files.push(request.url()));
    const decoders = () => files.filter((file) => file.endsWith('.wasm'));

    await page.goto('/owner/dashboard');
    await page.getByRole('link', { name: 'Copper kettle' }).waitFor();
    expect(decoders()).toEqual([]);
    await page.getByRole('button', { name: 'Scan a label' }).click();
    const dialog = page.getByRole('dialog', { name: 'Scan a label' });
    await dialog.getByText('Hold the QR code or the bar code of the label into the picture.').waitFor();
    await dialog.locator('video:not(.opacity-0)').waitFor();
    await expectAccessibleInBothThemes(page, 'the scanner');
    await showToCamera(page, { picture: qr });
    await page.waitForURL(`**/owner/package/${pkg.id}`);
    await dialog.waitFor({ state: 'detached' });
    expect(decoders()).toHaveLength(1);

    // The palette has it on every page; and here the bar code.
    await page.goto('/notifications');
    await page.getByRole('heading', { name: 'Notifications', level: 1 }).waitFor();
    await page.keyboard.press('Control+k');
    await page.getByRole('combobox').fill('scan');
    await page.getByRole('option', { name: 'Scan a label' }).click();
    await showToCamera(page, { picture: bars });
    await dialog.waitFor({ state: 'detached' });
    await page.waitForURL(`**/owner/package/${pkg.id}`);

    // The tracker asks with the browser's own reader, where that knows both codes.
    const phone = await openWindow(browser, { baseURL: product.url, width: 390, locale: 'de' });
    await phone.context.addInitScript(installCamera, { picture: qr });
    await phone.context.addInitScript((link) => {
      const Detector = class {
        static getSupportedFormats = async () => ['code_128', 'qr_code'];
        detect = async () => (document.querySelector('dialog[open]') ? [{ rawValue: link }] : []);
      };
      Object.assign(window, { BarcodeDetector: Detector });
    }, `${product.url}/track/${pkg.trackingId}`);
    phone.page.on('request', (request) => files.push(request.url()));
    await phone.page.goto('/track');
    await phone.page.getByRole('button', { name: 'Scannen' }).click();
    await phone.page.waitForURL(`**/track/${pkg.trackingId}`);
    await phone.page.getByRole('heading', { level: 1 }).waitFor();
    expect(decoders().length).toBeLessThanOrEqual(2);
    const elsewhere = files.filter((file) => !file.startsWith(product.url) && !/^(data|blob):/.test(file));
    expect(elsewhere).toEqual([]);
  },
);

test.runIf(runsAll)('without a picture the scanner says why, and takes a typed ID', async () => {
  const { token, pkg } = await ownerWithLabel('sofie.scan@example.com');
  const { page, context } = await openWindow(browser, { baseURL: product.url, token, width: 390 });
  await context.addInitScript(installCamera, { error: 'NotAllowedError' });
  await page.goto('/owner/dashboard');
  await page.getByRole('button', { name: 'Scan a label' }).click();
  const dialog = page.getByRole('dialog', { name: 'Scan a label' });
  await dialog.getByRole('alert').getByText('The camera is blocked for this site.').waitFor();
  await expectAccessibleInBothThemes(page, 'the scanner without a camera');
  for (const [error, words] of [
    ['NotReadableError', 'Another app is using the camera.'],
    ['NotFoundError', 'This device has no camera.'],
  ] as const) {
    await showToCamera(page, { error });
    await dialog.getByRole('button', { name: 'Try again' }).click();
    await dialog.getByRole('alert').getByText(words).waitFor();
  }
  const field = dialog.getByLabel('Type the tracking ID');
  await field.fill('PKG-12');
  await field.press('Enter');
  await dialog.getByText('A tracking ID is PKG- and 8 letters or digits.').waitFor();
  await field.fill(pkg.trackingId.slice(4).toLowerCase());
  await dialog.getByRole('button', { name: 'Open', exact: true }).click();
  await page.waitForURL(`**/owner/package/${pkg.id}`);
});

test('a hardware scanner opens a package wherever no field has the focus, and a fast typist opens none', async () => {
  const { token, pkg } = await ownerWithLabel('hugo.scan@example.com');
  const { page } = await openWindow(browser, { baseURL: product.url, token });
  await page.goto('/owner/dashboard');
  await page.getByRole('link', { name: 'Copper kettle' }).waitFor();
  /** Keys as a scanner or a person presses them, with their times set: this machine may be slow. @returns the keys that pages saw */
  const press = (text: string, gapMs: number, selector = 'body') =>
    page.evaluate(
      ([keys, gap, target]) => {
        const seen: string[] = [];
        const see = ({ key }: KeyboardEvent) => void seen.push(key);
        addEventListener('keydown', see);
        const start = performance.now();
        keys
          .split('')
          .concat('Enter')
          .forEach((key, index) => {
            const event = new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true });
            Object.defineProperty(event, 'timeStamp', { value: start + index * gap });
            document.querySelector(target)?.dispatchEvent(event);
          });
        removeEventListener('keydown', see);
        return seen.join(' ');
      },
      [text, gapMs, selector] as const,
    );
  const everyKey = pkg.trackingId.split('').concat('Enter').join(' ');
  expect(await press(pkg.trackingId, 70)).toBe(everyKey);
  // In a field they are its text.
  expect(await press(pkg.trackingId, 5, 'input[role=searchbox]')).toBe(everyKey);
  // Two keys that are rolled over come late, and not never.
  expect(await press('gd', 30)).toBe('g d Enter');
  expect(page.url()).toBe(`${product.url}/owner/dashboard`);

  expect(await press(`${product.url}/track/${pkg.trackingId}`, 8)).toBe('h');
  await page.waitForURL(`**/owner/package/${pkg.id}`);
});
