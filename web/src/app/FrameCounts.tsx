import { useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { openMessagesQuery, useLiveMessages } from '../contact/queries.ts';
import { rememberCounts } from '../platform/last-session.ts';
import { needsQuery, useLiveNeeds } from '../stats/queries.ts';
import { awaitingCountQuery, useLiveUsers } from '../users/admin-queries.ts';
import { useCan } from '../users/useCan.ts';

/** Keeps the numbers of the administrators' navigation up to date; renders nothing. */
export function FrameCounts() {
  useLiveMessages();
  useLiveUsers();
  useLiveNeeds();
  // One call has both, and what the dashboard shows beside them.
  const seesNeeds = useCan({ permissions: ['admin.view_analytics'] });
  const seesMessages = useCan({ permissions: ['admin.access'] });
  const seesAccounts = useCan({ permissions: ['admin.manage_users'] });
  const needs = useQuery({ ...needsQuery(), enabled: seesNeeds }).data;
  const openMessages = useQuery({ ...openMessagesQuery(), enabled: seesMessages && !seesNeeds }).data;
  const awaiting = useQuery({ ...awaitingCountQuery(), enabled: seesAccounts && !seesNeeds }).data;
  const messages = needs?.messages?.count ?? openMessages;
  const accounts = needs?.accounts?.count ?? awaiting;
  useEffect(() => {
    if (messages !== undefined) rememberCounts({ messages });
    if (accounts !== undefined) rememberCounts({ accounts });
  }, [messages, accounts]);
  return null;
}
