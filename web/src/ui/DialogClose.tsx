import { Dialog } from '@base-ui/react/dialog';
import { Button } from './Button.tsx';

/** A button for a Dialog's footer that closes it like its close icon: asks first if there are unsaved changes. */
export function DialogClose({ children = 'Cancel' }: { children?: string }) {
  return <Dialog.Close render={<Button variant="secondary" size="lg" />}>{children}</Dialog.Close>;
}
