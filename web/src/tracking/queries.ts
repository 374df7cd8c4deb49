import { queryOptions } from '@tanstack/react-query';
import { ApiError } from '@waybill/contract';
import { api } from '../platform/api.ts';

export const publicViewQuery = (id: string) =>
  queryOptions({
    queryKey: ['tracking', id],
    queryFn: ({ signal }) => api.tracking.view({ params: { id }, signal }),
    // An ID that is not there stays so, and every miss counts against the visitor's limit.
    retry: (failures, error) =>
      failures < 1 && !(error instanceof ApiError && error.status >= 400 && error.status < 500),
    meta: { showsError: true },
  });
