import { useState } from 'react';
import { localStorageItem } from '../platform/local-storage.ts';
import { useSession } from '../platform/session.ts';
import { Banner } from '../ui/Banner.tsx';
import { Button } from '../ui/Button.tsx';
import { TextLink } from '../ui/TextLink.tsx';

/** An account is new for this long. */
const newMs = 14 * 86_400_000;
const dismissed = localStorageItem('firstDayDismissed');

/** Points a new administrator to the first day. Not shared with the owners': see there. */
export function AdminFirstDay() {
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
    <div className="mb-4">
      <Banner
        action={
          <Button variant="ghost" size="sm" onClick={dismiss}>
            Dismiss
          </Button>
        }
      >
        New here? <TextLink href="/first-day">A first day</TextLink> leads from the settings to the first six routes.
      </Banner>
    </div>
  );
}
