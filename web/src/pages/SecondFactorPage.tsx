import { useNavigate } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { refreshUser, useSession } from '../platform/session.ts';
import { dashboardOf } from '../users/dashboards.ts';
import { accountTexts } from '../users/account-texts.ts';
import { SetUpSecondFactor } from '../users/SetUpSecondFactor.tsx';
import { AccountCard } from '../users/AccountCard.tsx';
import { PageSkeleton } from '../ui/PageSkeleton.tsx';

/** Awaited before the page is shown. */
export { loadAccountTexts } from '../users/account-texts.ts';

/** Sets up a second factor for administrators who must have one; until then no other page is accessible. */
export function SecondFactorPage() {
  const { user, loading } = useSession();
  const navigate = useNavigate();
  const [settingUp, setSettingUp] = useState(false);
  const due = settingUp || user?.mustSetUpSecondFactor === true;
  useEffect(() => {
    if (!loading && !due) void navigate({ href: user ? dashboardOf(user.role) : '/login', replace: true });
  }, [loading, due, user, navigate]);

  if (!due) return <PageSkeleton />;
  return (
    <AccountCard
      title="Set up a second factor"
      subtitle="Administrators need one here: a code from an authenticator app, in addition to the password."
    >
      <SetUpSecondFactor
        isAlone
        words={accountTexts('en').secondFactor}
        onStart={() => setSettingUp(true)}
        onDone={() => void refreshUser().then(() => setSettingUp(false))}
      />
    </AccountCard>
  );
}
