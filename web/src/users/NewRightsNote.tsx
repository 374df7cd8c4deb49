import { messages } from '@waybill/contract';
import { KeyRound } from 'lucide-react';
import { Banner } from '../ui/Banner.tsx';
import { Button } from '../ui/Button.tsx';

/** The account has gained permissions since this session started; they apply only after signing in again. */
export function NewRightsNote({ onSignInAgain }: { onSignInAgain: () => void }) {
  return (
    <div className="page pt-4">
      <Banner
        live
        tone="yellow"
        icon={<KeyRound />}
        action={
          <Button variant="secondary" onClick={onSignInAgain}>
            Sign in again
          </Button>
        }
      >
        {messages.signInForNewRights}
      </Banner>
    </div>
  );
}
