import { useMutation } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { ContrastChoice } from '../deliveries/ContrastChoice.tsx';
import { DriverBar } from '../deliveries/DriverBar.tsx';
import { NavigatorChoice } from '../deliveries/NavigatorChoice.tsx';
import { usePageTitle } from '../platform/page-title.ts';
import { useSession } from '../platform/session.ts';
import { translated } from '../platform/texts.ts';
import { toast } from '../platform/toasts.ts';
import { Button } from '../ui/Button.tsx';
import { Card } from '../ui/Card.tsx';
import { LinkButton } from '../ui/LinkButton.tsx';
import { PageTitle } from '../ui/PageTitle.tsx';
import { TextLink } from '../ui/TextLink.tsx';
import { useDialogState } from '../ui/useDialogState.ts';
import { accountTexts } from '../users/account-texts.ts';
import { DeleteAccountDialog } from '../users/DeleteAccountDialog.tsx';
import { NewPasswordForm } from '../users/NewPasswordForm.tsx';
import { ProfileForm } from '../users/ProfileForm.tsx';
import { changePasswordMutation } from '../users/queries.ts';
import { SecondFactorSettings } from '../users/SecondFactorSettings.tsx';
import { SessionList } from '../users/SessionList.tsx';
import { useCan } from '../users/useCan.ts';
import { OwnFigures } from './parts/LazyOwnFigures.tsx';

/** Awaited before the page is shown. */
export { loadAccountTexts } from '../users/account-texts.ts';

/** The user's own account: profile, password, second factor, sessions and deletion. */
export function AccountPage() {
  const { user } = useSession();
  const navigate = useNavigate();
  const texts = accountTexts();
  usePageTitle(texts.title);
  const deleting = useDialogState<'account'>();
  const hasAddressBook = useCan({ permissions: ['packages.create'] });
  const [changes, setChanges] = useState(0);
  const changePassword = useMutation({
    ...changePasswordMutation,
    onSuccess: () => {
      // Remounts the form, so that no password stays in its inputs.
      setChanges((count) => count + 1);
      toast({ title: texts.password.changed, description: texts.password.changedText });
    },
    onError: (error) =>
      toast({ title: texts.password.notChanged, description: translated(error.message), variant: 'destructive' }),
  });
  if (!user) return null;
  return (
    <div className="page py-6 md:py-8">
      <div className="mx-auto flex lg:max-w-[46rem] flex-col gap-4 md:gap-6">
        <PageTitle
          title={texts.title}
          subtitle={texts.lead}
          actions={<TextLink href="/first-day">{texts.firstDay}</TextLink>}
        />
        <Card title={texts.profile.title}>
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
          <Card title={texts.navigation.title} description={texts.navigation.lead}>
            <div className="max-w-[24rem]">
              <NavigatorChoice words={texts.navigation} />
            </div>
          </Card>
        )}
        {user.role === 'driver' && (
          <Card title={texts.display.title} description={texts.display.lead}>
            <div className="-my-2.5">
              <ContrastChoice words={texts.display} />
            </div>
          </Card>
        )}
        <Card title={texts.password.title}>
          <div className="max-w-[24rem]">
            <NewPasswordForm
              key={changes}
              currentLabel={texts.password.current}
              isMain={false}
              loading={changePassword.isPending}
              error={changePassword.error}
              onSubmit={({ currentPassword = '', password }) =>
                changePassword.mutate({ currentPassword, newPassword: password })
              }
            />
          </div>
        </Card>
        <Card title={texts.secondFactor.title} description={texts.secondFactor.lead}>
          <div className="max-w-[24rem]">
            <SecondFactorSettings user={user} words={texts.secondFactor} />
          </div>
        </Card>
        <Card title={texts.sessions.title} description={texts.sessions.lead}>
          <SessionList />
        </Card>
        <Card title={texts.remove.title} description={texts.remove.lead}>
          <Button variant="secondary" onClick={() => deleting.show('account')}>
            {texts.remove.open}
          </Button>
        </Card>
      </div>
      <DeleteAccountDialog
        key={deleting.opening}
        open={deleting.open}
        onClose={deleting.close}
        hasPackages={user.role !== 'driver'}
        onDeleted={() => void navigate({ to: '/login' })}
      />
      {user.role === 'driver' && <DriverBar at="profile" labels={texts.bar} />}
    </div>
  );
}
