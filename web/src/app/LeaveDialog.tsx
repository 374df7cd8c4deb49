import { ConfirmDialog } from '../ui/ConfirmDialog.tsx';

export function LeaveDialog({ onAnswer }: { onAnswer: (leave: boolean) => void }) {
  return (
    <ConfirmDialog
      open
      onOpenChange={() => onAnswer(false)}
      title="Leave this page?"
      description="What you have typed will be lost."
      confirmLabel="Leave"
      cancelLabel="Stay"
      danger
      onConfirm={() => onAnswer(true)}
    />
  );
}
