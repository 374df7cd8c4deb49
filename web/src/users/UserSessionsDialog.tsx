import { useQuery } from '@tanstack/react-query';
import type { User } from '@waybill/contract';
import { toast } from '../platform/toasts.ts';
import { Button } from '../ui/Button.tsx';
import { Dialog } from '../ui/Dialog.tsx';
import { DialogClose } from '../ui/DialogClose.tsx';
import { QueryError } from '../ui/QueryError.tsx';
import { Skeleton } from '../ui/Skeleton.tsx';
import { SkeletonGroup } from '../ui/SkeletonGroup.tsx';
import { useDelayedPending } from '../ui/useDelayedPending.ts';
import { userSessionsQuery, useEndSessionsOf } from './admin-queries.ts';
import { accountTexts } from './account-texts.ts';
import { SessionItem } from './SessionItem.tsx';

interface UserSessionsDialogProps {
  user: Pick<User, 'id' | 'name' | 'email'>;
  open: boolean;
  onClose: () => void;
}

/** The sessions of a user, where an administrator can end one or all of them. */
export function UserSessionsDialog({ user, open, onClose }: UserSessionsDialogProps) {
  const sessions = useQuery(userSessionsQuery(user.id));
  const pending = useDelayedPending(sessions.isPending);
  const end = useEndSessionsOf(user.id);
  const shown = sessions.data ?? [];
  const everywhere = end.isPending && end.variables === null;
  return (
    <Dialog
      open={open}
      onOpenChange={onClose}
      title={`Sessions of ${user.name}`}
      description="Ending a session signs out that browser or device at once. The user is notified."
      footer={
        <>
          <DialogClose>Close</DialogClose>
          <Button
            variant="danger"
            size="lg"
            disabled={shown.length === 0}
            loading={everywhere}
            loadingText="Signing out..."
            onClick={() =>
              end.mutate(null, {
                onSuccess: () => toast({ title: 'Success', description: `${user.name} is signed out everywhere.` }),
              })
            }
          >
            Sign Out Everywhere
          </Button>
        </>
      }
    >
      {end.error && (
        <p role="alert" className="mb-3 text-ui text-danger">
          {end.error.message}
        </p>
      )}
      {pending ? (
        <SkeletonGroup label="Loading sessions">
          <Skeleton height="h-24" />
        </SkeletonGroup>
      ) : sessions.data ? (
        <>
          {shown.length === 0 && <p className="text-ui text-ink-2">{user.name} is not signed in anywhere.</p>}
          <ul className="divide-y divide-line">
            {shown.map((session) => (
              <SessionItem
                key={session.id}
                words={accountTexts('en').sessions}
                session={session}
                ending={end.isPending && end.variables === session.id}
                onEnd={() => end.mutate(session.id)}
              />
            ))}
          </ul>
        </>
      ) : (
        <QueryError query={sessions} />
      )}
    </Dialog>
  );
}
