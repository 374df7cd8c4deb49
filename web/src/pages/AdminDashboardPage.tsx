import { HardHat } from 'lucide-react';
import { usePageTitle } from '../platform/page-title.ts';
import { Card } from '../ui/Card.tsx';
import { EmptyState } from '../ui/EmptyState.tsx';
import { PageTitle } from '../ui/PageTitle.tsx';

export function AdminDashboardPage() {
  usePageTitle('Admin Dashboard');
  return (
    <div className="page py-8">
      <PageTitle title="Admin Dashboard" />
      <Card>
        <EmptyState
          icon={<HardHat />}
          title="The admin dashboard is being built"
          description="Until it is here, administrators work through the API and the command line."
        />
      </Card>
    </div>
  );
}
