import { useNavigate } from '@tanstack/react-router';
import { AdminPage } from '../app/AdminPage.tsx';
import { usePageSearch } from '../app/usePageSearch.ts';
import { MessageFilters } from '../contact/MessageFilters.tsx';
import { MessageList } from '../contact/MessageList.tsx';
import { useLiveMessages } from '../contact/queries.ts';
import type { MessageSearch } from '../contact/search.ts';
import { replacesHistory } from '../platform/search-params.ts';
import { PageTitle } from '../ui/PageTitle.tsx';

/** What visitors wrote on the contact page. */
export function AdminMessagesPage() {
  useLiveMessages();
  const search = usePageSearch('adminMessages');
  const navigate = useNavigate();
  const change = (next: MessageSearch) =>
    void navigate({
      to: '/admin/messages',
      search: { ...search, pages: undefined, ...next },
      replace: replacesHistory(next),
      resetScroll: false,
    });
  return (
    <AdminPage>
      <PageTitle title="Messages" subtitle="What visitors write on the contact page" />
      <div className="flex flex-col gap-3">
        <MessageFilters search={search} onSearch={change} />
        <MessageList
          search={search}
          onPages={(pages) => change({ pages })}
          onClear={() => change({ q: undefined, status: undefined, date: undefined })}
        />
      </div>
    </AdminPage>
  );
}
