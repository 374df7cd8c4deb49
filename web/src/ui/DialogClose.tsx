import { Dialog } from '@base-ui/react/dialog';
import { Button } from './Button.tsx';

/** The button of a Dialog's footer that closes it, as its cross does: asking first when something would be lost. */
export function DialogClose({ children = 'Cancel' }: { children?: string }) {
  return <Dialog.Close render={<Button variant="secondary" size="lg" />}>{children}</Dialog.Close>;
}
