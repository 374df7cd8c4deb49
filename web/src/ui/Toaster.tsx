import * as RadixToast from '@radix-ui/react-toast';
import { X } from 'lucide-react';
import { createPortal } from 'react-dom';
import { closeToast, toasts } from '../platform/toasts.ts';
import { useStore } from '../platform/store.ts';
import { classes } from './classes.ts';

/** Renders the toasts of `toast()`: shown for 5 seconds, focused by F8, dismissed by a swipe of 50 px. */
export function Toaster() {
  const shown = useStore(toasts);
  return (
    <RadixToast.Provider duration={5000} swipeDirection="right" swipeThreshold={50}>
      {shown.map(({ id, title, description, variant, action, open }) => (
        <RadixToast.Root
          key={id}
          open={open}
          onOpenChange={(next) => !next && closeToast(id)}
          className={classes(
            'pointer-events-auto flex items-start gap-3 rounded-card p-4 pr-2 shadow-float transition-opacity duration-180',
            'data-[state=open]:animate-toast-in data-[swipe=cancel]:translate-x-0 data-[swipe=cancel]:transition-transform',
            'data-[swipe=move]:translate-x-(--radix-toast-swipe-move-x)',
            variant === 'destructive' ? 'bg-danger text-on-danger' : 'bg-surface text-ink',
          )}
        >
          <div className="min-w-0 grow py-0.5">
            <RadixToast.Title className="text-ui font-semibold">{title}</RadixToast.Title>
            {description && (
              <RadixToast.Description className="mt-0.5 text-ui wrap-anywhere opacity-90">
                {description}
              </RadixToast.Description>
            )}
            {action && (
              <RadixToast.Action
                altText={action.label}
                onClick={action.act}
                className="mt-2 inline-flex min-h-9 items-center rounded-control border border-control/60 px-3 text-ui font-medium hover:bg-current/10"
              >
                {action.label}
              </RadixToast.Action>
            )}
          </div>
          <RadixToast.Close
            aria-label="Close"
            className="-my-1.5 inline-flex size-9 shrink-0 items-center justify-center rounded-control hover:bg-current/10 focus-visible:outline-current"
          >
            <X aria-hidden="true" className="size-4" />
          </RadixToast.Close>
        </RadixToast.Root>
      ))}
      {createPortal(
        // aria-live keeps an open modal from hiding this from screen readers; off, because each toast announces itself.
        <div aria-live="off">
          {/* At the top on phones: the bottom, in reach of the thumb, is for the primary action. */}
          <RadixToast.Viewport className="pointer-events-none fixed inset-x-0 top-0 z-60 print:hidden flex flex-col gap-2 p-4 pt-[max(1rem,env(safe-area-inset-top))] outline-none md:inset-x-auto md:top-auto md:right-0 md:bottom-0 md:w-full md:max-w-[26rem]" />
        </div>,
        document.body,
      )}
    </RadixToast.Provider>
  );
}
