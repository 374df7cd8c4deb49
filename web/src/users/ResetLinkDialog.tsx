import type { User } from '@waybill/contract';
import { Button } from '../ui/Button.tsx';
import { CopyButton } from '../ui/CopyButton.tsx';
import { Dialog } from '../ui/Dialog.tsx';
import { DialogClose } from '../ui/DialogClose.tsx';
import { LocalTime } from '../ui/LocalTime.tsx';
import { useMakeResetLink } from './admin-queries.ts';

interface ResetLinkDialogProps {
  user: Pick<User, 'id' | 'name' | 'email'>;
  open: boolean;
  onClose: () => void;
}

/** Creates a password reset link and shows it once. */
export function ResetLinkDialog({ user, open, onClose }: ResetLinkDialogProps) {
  const make = useMakeResetLink(user.id);
  const link = make.data;
  return (
    <Dialog
      open={open}
      onOpenChange={onClose}
      title="Link for a new password"
      description={
        link
          ? `Give it only to ${user.email}: whoever opens it can sign in as this user. It is not shown again.`
          : `Lets ${user.name} set a new password. It works once, within one hour, and replaces any earlier link.`
      }
      footer={
        link ? (
          <Button size="lg" onClick={onClose}>
            Done
          </Button>
        ) : (
          <>
            <DialogClose />
            <Button size="lg" loading={make.isPending} loadingText="Creating link..." onClick={() => make.mutate()}>
              Create Link
            </Button>
          </>
        )
      }
    >
      {make.error && (
        <p role="alert" className="text-ui text-danger">
          {make.error.message}
        </p>
      )}
      {link && (
        <>
          <p className="flex items-center justify-between gap-2 rounded-card bg-sunken py-2 pr-2 pl-4">
            <span className="code text-table wrap-anywhere">{link.url}</span>
            <CopyButton text={link.url} label="Copy link" />
          </p>
          <p className="mt-3 text-ui text-ink-2">
            Works once, until <LocalTime value={link.expiresAt} />.
          </p>
        </>
      )}
    </Dialog>
  );
}
