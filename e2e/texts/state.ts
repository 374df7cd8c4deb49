import type { Page } from 'playwright-core';
import type { RunningProduct } from '../product.ts';
import type { Fixtures } from '../fixtures.ts';

export interface Scene {
  page: Page;
  world: Fixtures;
  product: RunningProduct;
}

/** A screen in one state, and the texts of the specification that stand on it then. */
export interface State {
  name: string;
  texts: (string | { ends: string })[];
  /** May answer what has to be done afterwards. */
  bring(scene: Scene): Promise<void | (() => Promise<void>)>;
}

// What can happen outside of the product.

/** Nothing gets through. */
export const cutOff = (page: Page, address: RegExp) => page.route(address, (route) => route.abort('connectionrefused'));

/** Something in between answers with a page of its own. */
export const breakUp = (page: Page, address: RegExp, status = 502) =>
  page.route(address, (route) => route.fulfill({ status, contentType: 'text/html', body: '<h1>Bad Gateway</h1>' }));

/** Something in between answers without a word. */
export const silence = (page: Page, address: RegExp) =>
  page.route(address, (route) =>
    route.fulfill({ status: 500, contentType: 'application/json', body: '{"message":""}' }),
  );

export const press = (page: Page, name: string | RegExp) => page.getByRole('button', { name }).first().click();

export const inDialog = (page: Page) => page.getByRole('dialog').or(page.getByRole('alertdialog'));
