import { useMutation } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { ContrastChoice } from '../deliveries/ContrastChoice.tsx';
import { DriverBar } from '../deliveries/DriverBar.tsx';
import { NavigatorChoice } from '../deliveries/NavigatorChoice.tsx';
import { useSession } from '../platform/session.ts';
import { toast } from '../platform/toasts.ts';
import { Button } from '../ui/Button.tsx';
import { Card } from '../ui/Card.tsx';
import { LinkButton } from '../ui/LinkButton.tsx';
import { PageTitle } from '../ui/PageTitle.tsx';
import { TextLink } from '../ui/TextLink.tsx';
import { useDialogState } from '../ui/useDialogState.ts';
import { DeleteAccountDialog } from '../users/DeleteAccountDialog.tsx';
import { NewPasswordForm } from '../users/NewPasswordForm.tsx';
import { ProfileForm } from '../users/ProfileForm.tsx';
import { changePasswordMutation } from '../users/queries.ts';
import { SecondFactorSettings } from '../users/SecondFactorSettings.tsx';
import { SessionList } from '../users/SessionList.tsx';
import { useCan } from '../users/useCan.ts';
import { OwnFigures } from './parts/LazyOwnFigures.tsx';

/** The user's own account: profile, password, second factor, sessions and deletion. */
export function AccountPage() {
  const { user } = useSession();
  const navigate = useNavigate();
  const deleting = useDialogState<'account'>();
  const hasAddressBook = useCan({ permissions: ['packages.create'] });
  const [changes, setChanges] = useState(0);
  const changePassword = useMutation({
    ...changePasswordMutation,
    onSuccess: () => {
      // Remounts the form, so that no password stays in its inputs.
      setChanges((count) => count + 1);
      toast({ title: 'Password changed', description: 'Your other sessions have ended.' });
    },
    onError: (error) => toast({ title: 'Password not changed', description: error.message, variant: 'destructive' }),
  });
  if (!user) return null;
  return (
    <div className="page py-6 md:py-8">
      <div className="mx-auto flex max-w-[46rem] flex-col gap-4 md:gap-6">
        <PageTitle
          title="Account"
          subtitle="Your profile, your password and where you are signed in"
          actions={<TextLink href="/first-day">A first day</TextLink>}
        />
        <Card title="Profile">
          <ProfileForm user={user} />
        </Card>
        {user.role !== 'admin' && <OwnFigures />}
        {hasAddressBook && (
          <Card title="Address Book" description="The addresses that are suggested to you when you create a package.">
            <LinkButton variant="secondary" href="/owner/addresses">
              Open Address Book
            </LinkButton>
          </Card>
        )}
        {user.role === 'driver' && (
          <Card title="Navigation" description="The app that shows the way to an address, on this device.">
            <div className="max-w-[24rem]">
              <NavigatorChoice />
            </div>
          </Card>
        )}
        {user.role === 'driver' && (
          <Card title="Display" description="For bright sun and tired eyes, on this device.">
            <ContrastChoice />
          </Card>
        )}
        <Card title="Password">
          <div className="max-w-[24rem]">
            <NewPasswordForm
              key={changes}
              currentLabel="Current Password"
              loading={changePassword.isPending}
              error={changePassword.error}
              onSubmit={({ currentPassword = '', password }) =>
                changePassword.mutate({ currentPassword, newPassword: password })
              }
            />
          </div>
        </Card>
        <Card title="Second Factor" description="A code of an authenticator app, asked for beside the password.">
          <div className="max-w-[24rem]">
            <SecondFactorSettings user={user} />
          </div>
        </Card>
        <Card title="Sessions" description="End those that are not yours.">
          <SessionList />
        </Card>
        <Card title="Delete Account" description="Takes your account and your personal data for good.">
          <Button variant="danger" onClick={() => deleting.show('account')}>
            Delete my account
          </Button>
        </Card>
      </div>
      <DeleteAccountDialog
        key={deleting.opening}
        open={deleting.open}
        onClose={deleting.close}
        onDeleted={() => void navigate({ to: '/login' })}
      />
      {user.role === 'driver' && <DriverBar at="profile" />}
    </div>
  );
}
