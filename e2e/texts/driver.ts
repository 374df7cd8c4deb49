import { refuseConnections, inDialog, press, respondEmptyError, type State } from './state.ts';

const dashboard = '/driver/dashboard';

export const driverStates: State[] = [
  {
    name: 'what waits, without connection',
    texts: ['Failed to fetch pending deliveries.'],
    async open({ page }) {
      await refuseConnections(page, /api\/deliveries\?/);
      await page.goto(`${dashboard}?show=pending`);
    },
  },
  {
    name: 'own deliveries, without connection',
    texts: ['Failed to fetch driver deliveries.'],
    async open({ page }) {
      await refuseConnections(page, /deliveries\/driver\?/);
      await page.goto(dashboard);
    },
  },
  {
    name: 'completed deliveries, without connection',
    texts: ['Failed to fetch driver completed deliveries.'],
    async open({ page }) {
      await refuseConnections(page, /deliveries\/driver\/completed\?/);
      await page.goto(`${dashboard}?show=completed`);
    },
  },
  {
    name: 'a search among what waits, without connection',
    texts: ['Failed to fetch available packages.'],
    async open({ page }) {
      await refuseConnections(page, /packages\/available\?/);
      await page.goto(dashboard);
      await page.getByRole('heading', { name: 'Driver Dashboard' }).waitFor();
      await page.keyboard.press('Control+k');
      await page.getByRole('combobox', { name: 'Search and commands' }).fill('whistle');
    },
  },
  {
    name: 'a start without connection',
    texts: ['Failed to start delivery.'],
    async open({ page }) {
      await refuseConnections(page, /\/start$/);
      await page.goto(`${dashboard}?show=pending`);
      await press(page, 'Start Delivery');
      await inDialog(page).getByRole('button', { name: 'Start Delivery' }).click();
    },
  },
  {
    name: 'a start without an answer',
    texts: ['Failed to start delivery'],
    async open({ page }) {
      await respondEmptyError(page, /\/start$/);
      await page.goto(`${dashboard}?show=pending`);
      await press(page, 'Start Delivery');
      await inDialog(page).getByRole('button', { name: 'Start Delivery' }).click();
    },
  },
  {
    name: 'a start',
    texts: ['Delivery Started', 'You have successfully started this delivery'],
    async open({ page }) {
      await page.goto(`${dashboard}?show=pending`);
      await press(page, 'Start Delivery');
      await inDialog(page).getByRole('button', { name: 'Start Delivery' }).click();
    },
  },
  {
    name: 'a completion without connection',
    texts: ['Failed to complete delivery.'],
    async open({ page }) {
      await refuseConnections(page, /\/complete$/);
      await page.goto(dashboard);
      await press(page, 'Complete Delivery');
      await inDialog(page).getByRole('button', { name: 'Complete Delivery' }).click();
    },
  },
  {
    name: 'a completion without an answer',
    texts: ['Failed to complete delivery'],
    async open({ page }) {
      await respondEmptyError(page, /\/complete$/);
      await page.goto(dashboard);
      await press(page, 'Complete Delivery');
      await inDialog(page).getByRole('button', { name: 'Complete Delivery' }).click();
    },
  },
  {
    name: 'a completion',
    texts: ['Delivery Completed'],
    async open({ page }) {
      await page.goto(dashboard);
      await press(page, 'Complete Delivery');
      await inDialog(page).getByRole('button', { name: 'Complete Delivery' }).click();
    },
  },
];
