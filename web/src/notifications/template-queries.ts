import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import type { Template, TemplateDraft } from '@waybill/contract';
import { api } from '../platform/api.ts';
import { newIdempotencyKey } from '../platform/idempotency.ts';
import { refresh, useInvalidation } from '../platform/invalidation.ts';
import { queryClient } from '../platform/query-client.ts';
import { useSingleMutation } from '../platform/single-mutation.ts';

const key = ['templates'];

/** A kind of message in one language. */
export type TemplateName = Pick<Template, 'kind' | 'language'>;
const paramsOf = ({ kind, language }: TemplateName) => ({ kind, language });

export const templatesQuery = () =>
  queryOptions({ queryKey: [...key, 'list'], queryFn: ({ signal }) => api.templates.list({ signal }) });

export const templateQuery = (name: TemplateName) =>
  queryOptions({
    queryKey: [...key, 'one', name.kind, name.language],
    queryFn: ({ signal }) => api.templates.read({ params: paramsOf(name), signal }),
  });

/** A draft as its reader gets it. The previous one stays until the new one is there. */
export const previewQuery = (name: TemplateName, draft: TemplateDraft) =>
  queryOptions({
    queryKey: ['template preview', name.kind, name.language, draft],
    queryFn: ({ signal }) => api.templates.preview({ params: paramsOf(name), body: draft, signal }),
    placeholderData: keepPreviousData,
    retry: false,
    meta: { showsError: true },
  });

export const useLiveTemplates = () => useInvalidation('settings', () => refresh(key));

const keep = (saved: Template) => {
  queryClient.setQueryData(templateQuery(saved).queryKey, saved);
  refresh(templatesQuery().queryKey);
};

export const useSaveTemplate = (name: TemplateName) =>
  useSingleMutation({
    mutationFn: (body: TemplateDraft & { version: number }, signal) =>
      api.templates.update({ params: paramsOf(name), body, signal }),
    onSuccess: keep,
    meta: { showsError: true },
  });

/** Back to the built-in text. */
export const useResetTemplate = (name: TemplateName) =>
  useSingleMutation({
    mutationFn: async (_, signal) => {
      await api.templates.remove({ params: paramsOf(name), signal });
      return api.templates.read({ params: paramsOf(name), signal });
    },
    onSuccess: keep,
    meta: { showsError: true },
  });

export const useSendTest = (name: TemplateName) =>
  useSingleMutation({
    mutationFn: (body: TemplateDraft, signal) =>
      api.templates.test({ params: paramsOf(name), body, idempotencyKey: newIdempotencyKey(), signal }),
    meta: { showsError: true },
  });
