import { Button } from '../ui/Button.tsx';
import { CopyButton } from '../ui/CopyButton.tsx';
import { Dialog } from '../ui/Dialog.tsx';

interface TemporaryPasswordDialogProps {
  email: string;
  password: string;
  open: boolean;
  onClose: () => void;
}

/** The one-time password of a new account, which is shown only once. */
export function TemporaryPasswordDialog({ email, password, open, onClose }: TemporaryPasswordDialogProps) {
  return (
    <Dialog
      open={open}
      onOpenChange={onClose}
      title="One-time password"
      description={`Hand it to ${email}. It is not shown again, works for 7 days, and has to be changed at the first sign-in.`}
      footer={
        <Button size="lg" onClick={onClose}>
          Done
        </Button>
      }
    >
      <p className="flex items-center justify-between gap-2 rounded-card bg-sunken py-2 pr-2 pl-4">
        <span className="code text-section wrap-anywhere">{password}</span>
        <CopyButton text={password} label="Copy password" />
      </p>
    </Dialog>
  );
}
