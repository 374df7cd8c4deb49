import { useBlocker, useNavigate } from '@tanstack/react-router';
import { useRef } from 'react';
import { CreatePackageForm } from '../packages/CreatePackageForm.tsx';
import { usePageTitle } from '../platform/page-title.ts';
import { getSession, useSession } from '../platform/session.ts';
import { ConfirmDialog } from '../ui/ConfirmDialog.tsx';
import { PageTitle } from '../ui/PageTitle.tsx';

export function CreatePackagePage() {
  usePageTitle('Create New Package');
  const { user } = useSession();
  const navigate = useNavigate();
  const dirty = useRef(false);
  const leaving = useBlocker({
    // Whoever signs out has left already.
    shouldBlockFn: () => dirty.current && getSession().user !== null,
    enableBeforeUnload: () => dirty.current,
    withResolver: true,
  });

  if (!user) return null;
  return (
    <div className="page py-6 md:py-8">
      <div className="mx-auto max-w-[46rem]">
        <PageTitle
          title="Create New Package"
          subtitle="Fill in the details below to register a new package for shipping"
        />
        <CreatePackageForm
          ownerId={user.id}
          onDirty={(now) => {
            dirty.current = now;
          }}
          onCreated={() => {
            dirty.current = false;
            void navigate({ to: '/owner/dashboard' });
          }}
        />
      </div>
      <ConfirmDialog
        open={leaving.status === 'blocked'}
        onOpenChange={() => leaving.reset?.()}
        title="Leave this page?"
        description="What you have typed will be lost."
        confirmLabel="Leave"
        cancelLabel="Stay"
        danger
        onConfirm={() => leaving.proceed?.()}
      />
    </div>
  );
}
