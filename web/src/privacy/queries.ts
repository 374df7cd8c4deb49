import type { PersonInput, PersonSearchInput } from '@waybill/contract';
import { api } from '../platform/api.ts';
import { saveResponse } from '../platform/download.ts';
import { newIdempotencyKey } from '../platform/idempotency.ts';
import { useSingleMutation } from '../platform/single-mutation.ts';

/** A mutation: what is searched for is personal data, which is neither cached nor in the address of the page. */
export const useFindPersons = () =>
  useSingleMutation({
    mutationFn: (body: PersonSearchInput, signal) => api.persons.search({ body, signal }),
    meta: { showsError: true },
  });

export const useExportPerson = () =>
  useSingleMutation({
    mutationFn: async (body: PersonInput, signal) =>
      saveResponse(await api.persons.exportAll({ body, signal }), 'person.zip'),
  });

export const useErasePerson = () =>
  useSingleMutation({
    mutationFn: (body: PersonInput & { confirm: 'erase' }, signal) =>
      api.persons.erase({ body, idempotencyKey: newIdempotencyKey(), signal }),
    meta: { showsError: true },
  });
