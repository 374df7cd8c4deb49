import { useMutation } from '@tanstack/react-query';
import { Check } from 'lucide-react';
import { Banner } from '../ui/Banner.tsx';
import { TextLink } from '../ui/TextLink.tsx';
import { ForgotForm } from '../users/ForgotForm.tsx';
import { forgotMutation } from '../users/queries.ts';
import { AccountCard } from '../users/AccountCard.tsx';

export function ForgotPage() {
  const request = useMutation(forgotMutation);
  return (
    <AccountCard
      title="Forgot your password?"
      subtitle="Enter the email address of your account."
      below={<TextLink href="/login">Back to Sign In</TextLink>}
    >
      {request.isSuccess ? (
        <Banner tone="green" icon={<Check />} title="Your request has been received" live>
          {request.data.message}
        </Banner>
      ) : (
        <ForgotForm loading={request.isPending} onSubmit={request.mutate} />
      )}
    </AccountCard>
  );
}
