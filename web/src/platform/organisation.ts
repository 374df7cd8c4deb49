import type { Organisation } from '@waybill/contract';
import { api } from './api.ts';
import { createStore, useStore } from './store.ts';

/** Every page that the server sends carries it, so that nothing has to be asked for before the first paint. */
const given = typeof document === 'undefined' ? null : document.getElementById('page')?.textContent;

const organisation = createStore<Organisation>(
  given
    ? (JSON.parse(given) as { organisation: Organisation }).organisation
    : { name: 'Waybill', logo: null, timeZone: 'UTC' },
);

/** Who runs this installation: name and logo. */
export const useOrganisation = () => useStore(organisation);

/** Reads them again after they were changed; a page that cannot shows the former ones. */
export async function refreshOrganisation(): Promise<void> {
  organisation.set(await api.settings.organisation().catch(organisation.get));
}
