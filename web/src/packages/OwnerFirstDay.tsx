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
    // On phones below the list, which comes first; in a wide head beside the title, where it costs the list no row.
    <div className="order-1 basis-full max-md:mt-4 @6xl:order-none @6xl:[&>*]:py-2 @6xl:mr-auto @6xl:basis-auto">
      <Banner
        action={
          // As low as its text.
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
