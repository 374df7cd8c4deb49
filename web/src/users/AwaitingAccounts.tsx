import { useQuery } from '@tanstack/react-query';
import { Hourglass } from 'lucide-react';
import { formatCount } from '../platform/formats.ts';
import { Banner } from '../ui/Banner.tsx';
import { LinkButton } from '../ui/LinkButton.tsx';
import { QueryNote } from '../ui/QueryNote.tsx';
import { awaitingCountQuery, useLiveUsers } from './admin-queries.ts';

/** Tells user administrators how many accounts await approval; renders nothing if there are none. */
export function AwaitingAccounts() {
  useLiveUsers();
  const query = useQuery(awaitingCountQuery());
  const count = query.data;
  if (count === undefined) return <QueryNote query={query} title="Accounts that await approval could not be counted" />;
  if (count === 0) return null;
  return (
    <Banner
      tone="yellow"
      icon={<Hourglass />}
      live
      title={count === 1 ? '1 account awaits approval' : `${formatCount(count)} accounts await approval`}
      action={
        <LinkButton variant="secondary" size="sm" href="/admin/users?awaitsApproval=true">
          Show
        </LinkButton>
      }
    >
      They cannot begin before somebody activates them.
    </Banner>
  );
}
