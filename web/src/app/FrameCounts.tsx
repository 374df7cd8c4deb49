import { useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { openMessagesQuery, useLiveMessages } from '../contact/queries.ts';
import { rememberCounts } from '../platform/last-session.ts';
import { awaitingCountQuery, useLiveUsers } from '../users/admin-queries.ts';
import { useCan } from '../users/useCan.ts';

/** Keeps the numbers of the administrators' navigation up to date; renders nothing. */
export function FrameCounts() {
  useLiveMessages();
  useLiveUsers();
  const messages = useQuery({ ...openMessagesQuery(), enabled: useCan({ permissions: ['admin.access'] }) }).data;
  const accounts = useQuery({ ...awaitingCountQuery(), enabled: useCan({ permissions: ['admin.manage_users'] }) }).data;
  useEffect(() => {
    if (messages !== undefined) rememberCounts({ messages });
    if (accounts !== undefined) rememberCounts({ accounts });
  }, [messages, accounts]);
  return null;
}
