import { X } from 'lucide-react';
import { useEffect, useEffectEvent, useId, useRef } from 'react';
import { texts } from '../platform/texts.ts';
import { IconButton } from '../ui/IconButton.tsx';
import { Scanner } from './Scanner.tsx';
import type { ScannerProps } from './Scanner.tsx';

export interface ScanDialogProps extends ScannerProps {
  /** 'Scan a label' without one. */
  title?: string;
  onClose: () => void;
}

/**
 * A scanner over the page, mounted while it is open: after a click, since it asks for the camera. It stays open after a scan until the
 * caller closes it. A native dialog, since the tracker has it too.
 */
export function ScanDialog({ title = texts.scan.title, onFound, onClose }: ScanDialogProps) {
  const sheet = useRef<HTMLDialogElement>(null);
  const titleId = useId();
  const closeOnBackdrop = useEffectEvent((event: MouseEvent) => event.target === sheet.current && onClose());
  useEffect(() => {
    const dialog = sheet.current;
    dialog?.showModal();
    dialog?.addEventListener('click', closeOnBackdrop);
    return () => dialog?.removeEventListener('click', closeOnBackdrop);
  }, []);
  return (
    <dialog
      ref={sheet}
      lang={texts.locale}
      aria-labelledby={titleId}
      onClose={onClose}
      className="fixed inset-x-0 top-auto bottom-0 m-0 max-h-[94dvh] w-full max-w-none overflow-y-auto overscroll-contain rounded-t-sheet border-0 bg-surface p-0 text-left text-ink shadow-float backdrop:bg-scrim md:inset-0 md:m-auto md:h-fit md:w-[30rem] md:rounded-sheet print:hidden transition-opacity duration-180 ease-calm starting:opacity-0"
    >
      <div className="px-5 pt-3 pb-[max(1.25rem,env(safe-area-inset-bottom))] md:px-6">
        <div className="mb-3 flex items-center justify-between gap-4">
          <h2 id={titleId} className="text-section font-semibold">
            {title}
          </h2>
          <span className="-mr-3">
            <IconButton label={texts.scan.close} icon={<X aria-hidden="true" />} onClick={onClose} />
          </span>
        </div>
        <Scanner onFound={onFound} />
      </div>
    </dialog>
  );
}
