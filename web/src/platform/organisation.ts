import type { Organisation } from '@waybill/contract';
import { api } from './api.ts';
import { pageData } from './page-data.ts';
import { createStore, useStore } from './store.ts';

export const organisation = createStore<Organisation>(
  pageData?.organisation ?? { name: 'Waybill', logo: null, timeZone: 'UTC' },
);

/** The organisation that runs this installation: name, logo and time zone. */
export const useOrganisation = () => useStore(organisation);

/** Refetches the organisation after a change; on failure the old values stay. */
export async function refreshOrganisation(): Promise<void> {
  organisation.set(await api.settings.organisation().catch(organisation.get));
}
