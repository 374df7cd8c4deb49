import { queryOptions } from '@tanstack/react-query';
import type { ContactStatus } from '@waybill/contract';
import { dateQuery } from '../packages/search.ts';
import { api } from '../platform/api.ts';
import { pagedQuery } from '../platform/paged-query.ts';
import { refresh, useInvalidation } from '../platform/invalidation.ts';
import { useSingleMutation } from '../platform/single-mutation.ts';
import type { MessageSearch } from './search.ts';

const all = ['messages'];

export const messageListQuery = ({ q, status, date }: MessageSearch) =>
  pagedQuery([...all, 'list', { q, status, date }], (page, signal) =>
    api.contact.list({ query: { q: q || undefined, status, ...dateQuery(date), ...page }, signal }),
  );

/** Number of open messages. */
export const openMessagesQuery = () =>
  queryOptions({
    queryKey: [...all, 'open'],
    queryFn: async ({ signal }) =>
      (await api.contact.list({ query: { limit: 1, count: true, status: 'Open' }, signal })).total ?? 0,
    meta: { showsError: true },
  });

export const useMoveMessage = () =>
  useSingleMutation({
    mutationFn: ({ id, status }: { id: number; status: ContactStatus }) =>
      api.contact.move({ params: { id: String(id) }, body: { status } }),
    onSettled: () => refresh(all),
  });

export const useLiveMessages = () => useInvalidation('message', () => refresh(all));
