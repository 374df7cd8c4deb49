import { z } from 'zod';
import { ById, Instant, PageQuery } from './common.ts';
import { group } from './endpoint.ts';

export const Notification = z.object({
  id: z.string(),
  type: z.string(),
  title: z.string(),
  body: z.string(),
  packageId: z.string().nullable(),
  /** The number of the incident it is about. */
  incidentId: z.int().nullable(),
  createdAt: Instant,
  readAt: Instant.nullable(),
});
export type Notification = z.output<typeof Notification>;

export const notifications = group({
  list: {
    method: 'GET',
    path: '/notifications',
    access: 'active',
    scope: 'self',
    query: PageQuery.extend({ unread: z.stringbool().optional() }),
    reply: z.array(Notification),
    list: true,
  },
  read: {
    method: 'POST',
    path: '/notifications/:id/read',
    access: 'active',
    scope: 'self',
    params: ById,
    reply: Notification,
  },
  readAll: { method: 'POST', path: '/notifications/read-all', access: 'active', scope: 'self', reply: 'none' },
});
