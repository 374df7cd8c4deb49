import type { Page } from 'playwright-core';
import type { RunningProduct } from '../product.ts';
import type { Fixtures } from '../fixtures.ts';

export interface ScreenContext {
  page: Page;
  fixtures: Fixtures;
  product: RunningProduct;
}

/** A screen in one state, and the texts of the specification that are visible then. */
export interface State {
  name: string;
  texts: (string | { ends: string })[];
  /** Opens the screen in its state. @returns an optional clean-up */
  open(context: ScreenContext): Promise<void | (() => Promise<void>)>;
}

// Failures of network and proxies.

/** Aborts matching requests with a refused connection. */
export const refuseConnections = (page: Page, address: RegExp) =>
  page.route(address, (route) => route.abort('connectionrefused'));

/** A proxy responds with its own error page. */
export const respondBadGateway = (page: Page, address: RegExp, status = 502) =>
  page.route(address, (route) => route.fulfill({ status, contentType: 'text/html', body: '<h1>Bad Gateway</h1>' }));

/** A proxy responds with an error without a message. */
export const respondEmptyError = (page: Page, address: RegExp) =>
  page.route(address, (route) =>
    route.fulfill({ status: 500, contentType: 'application/json', body: '{"message":""}' }),
  );

export const press = (page: Page, name: string | RegExp) => page.getByRole('button', { name }).first().click();

export const inDialog = (page: Page) => page.getByRole('dialog').or(page.getByRole('alertdialog'));
