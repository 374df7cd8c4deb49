import { X } from 'lucide-react';
import { useEffect, useEffectEvent, useRef } from 'react';
import type { ReactNode } from 'react';
import { texts } from '../platform/texts.ts';
import { IconButton } from '../ui/IconButton.tsx';

interface MenuSheetProps {
  id: string;
  label: string;
  onClose: () => void;
  children: ReactNode;
}

/**
 * A sheet at the bottom of a phone; mounted while it is open. The native dialog does the rest: focus, Escape, top layer. (The dialog of
 * ui/ is 30 kB, and the public pages have this menu.)
 */
export function MenuSheet({ id, label, onClose, children }: MenuSheetProps) {
  const sheet = useRef<HTMLDialogElement>(null);
  const closeOnBackdrop = useEffectEvent((event: MouseEvent) => event.target === sheet.current && onClose());
  useEffect(() => {
    const dialog = sheet.current;
    dialog?.showModal();
    // The content fills the dialog's box: a click on the element itself is one on the backdrop.
    dialog?.addEventListener('click', closeOnBackdrop);
    return () => dialog?.removeEventListener('click', closeOnBackdrop);
  }, []);
  return (
    <dialog
      ref={sheet}
      id={id}
      aria-label={label}
      onClose={onClose}
      className="fixed inset-x-0 top-auto bottom-0 m-0 max-h-[85dvh] w-full max-w-none overflow-y-auto overscroll-contain rounded-t-sheet border-0 bg-surface p-0 text-ink shadow-float backdrop:bg-scrim md:hidden print:hidden transition-opacity duration-180 ease-calm starting:opacity-0"
    >
      <div className="px-3 pt-2 pb-[max(1rem,env(safe-area-inset-bottom))]">
        <div className="sticky top-0 z-10 -mx-3 flex justify-end bg-surface px-3">
          <IconButton label={texts.frame.closeMenu} icon={<X aria-hidden="true" />} onClick={onClose} />
        </div>
        {children}
      </div>
    </dialog>
  );
}
