import { useState } from 'react';
import { localStorageItem } from '../platform/local-storage.ts';
import { useSession } from '../platform/session.ts';
import { Banner } from '../ui/Banner.tsx';
import { Button } from '../ui/Button.tsx';
import { TextLink } from '../ui/TextLink.tsx';

/** An account is new for this long. */
const newMs = 14 * 86_400_000;
const dismissed = localStorageItem('firstDayDismissed');

/** Points a new owner to the first day. Not shared with the board's: a file that only both had would be one more request of each. */
export function OwnerFirstDay() {
  const { user } = useSession();
  const [isShown, setIsShown] = useState(
    () => user !== null && Date.now() - Date.parse(user.createdAt) < newMs && dismissed.read() === null,
  );
  if (!isShown) return null;
  const dismiss = () => {
    dismissed.write('1');
    setIsShown(false);
  };
  return (
    // On phones below the list, which comes first.
    <div className="mb-3 max-md:order-1 max-md:mt-4 max-md:mb-0">
      <Banner
        action={
          // As low as its text, so that a screen of 900 px shows 13 packages.
          <div className="-my-2">
            <Button variant="ghost" size="sm" onClick={dismiss}>
              Dismiss
            </Button>
          </div>
        }
      >
        New here? <TextLink href="/first-day">A first day for owners</TextLink> goes from your first package to its
        delivery.
      </Banner>
    </div>
  );
}
