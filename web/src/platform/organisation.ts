import type { Organisation } from '@waybill/contract';
import { api } from './api.ts';
import { pageData } from './page-data.ts';
import { createStore, useStore } from './store.ts';

const organisation = createStore<Organisation>(
  pageData?.organisation ?? { name: 'Waybill', logo: null, timeZone: 'UTC' },
);

/** Who runs this installation: name and logo. */
export const useOrganisation = () => useStore(organisation);

/** Reads them again after they were changed; a page that cannot shows the former ones. */
export async function refreshOrganisation(): Promise<void> {
  organisation.set(await api.settings.organisation().catch(organisation.get));
}
