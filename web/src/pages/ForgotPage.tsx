import { useMutation } from '@tanstack/react-query';
import { Check } from 'lucide-react';
import { texts } from '../platform/texts.ts';
import { Banner } from '../ui/Banner.tsx';
import { TextLink } from '../ui/TextLink.tsx';
import { ForgotForm } from '../users/ForgotForm.tsx';
import { forgotMutation } from '../users/queries.ts';
import { AccountCard } from '../users/AccountCard.tsx';

export function ForgotPage() {
  const request = useMutation(forgotMutation);
  return (
    <AccountCard
      title={texts.signIn.forgotTitle}
      subtitle={texts.signIn.forgotSubtitle}
      below={<TextLink href="/login">{texts.signIn.back}</TextLink>}
    >
      {request.isSuccess ? (
        <Banner tone="green" icon={<Check />} title={texts.signIn.asked} live>
          {request.data.message}
        </Banner>
      ) : (
        <ForgotForm loading={request.isPending} onSubmit={request.mutate} />
      )}
    </AccountCard>
  );
}
