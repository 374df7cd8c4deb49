import { ScanLine } from 'lucide-react';
import { useState } from 'react';
import { importWithRetry } from '../platform/import-with-retry.ts';
import { lazyComponent } from '../platform/lazy-component.tsx';
import { texts } from '../platform/texts.ts';
import { Button } from '../ui/Button.tsx';
import type { ButtonProps } from '../ui/Button.tsx';
import { IconButton } from '../ui/IconButton.tsx';
import type { ScanDialogProps } from './ScanDialog.tsx';

/** The scanner over the page, loaded when it is first opened. */
export const LazyScanDialog = lazyComponent(() =>
  importWithRetry(() => import('./ScanDialog.tsx')).then((module) => module.ScanDialog),
);

interface ScanButtonProps extends Pick<ScanDialogProps, 'title' | 'onFound'>, Pick<ButtonProps, 'size' | 'variant'> {
  /** Stays open after a scan, for the next label. `onFound` answers with what is said over the picture. */
  continuous?: boolean;
  /** `icon`: only that, beside a field. `field`: at the end of one, on a phone without its word. */
  look?: 'button' | 'icon' | 'field';
}

/** Opens the scanner: `<ScanButton onFound={open} />`. Without `continuous` it closes with the first label. */
export function ScanButton({
  title,
  onFound,
  continuous = false,
  look = 'button',
  variant = 'secondary',
  size,
}: ScanButtonProps) {
  const [open, setOpen] = useState(false);
  const close = () => setOpen(false);
  const found: ScanDialogProps['onFound'] = (id) => {
    if (!continuous) close();
    return onFound(id);
  };
  const icon = <ScanLine aria-hidden="true" className="size-5" />;
  const opener = { 'aria-haspopup': 'dialog', onClick: () => setOpen(true) } as const;
  return (
    <>
      {look === 'icon' && <IconButton {...opener} label={title ?? texts.scan.title} icon={icon} />}
      {look === 'button' && (
        <Button {...opener} variant={variant} size={size} icon={icon}>
          {texts.scan.open}
        </Button>
      )}
      {look === 'field' && (
        <Button {...opener} variant="ghost" size="sm" icon={icon}>
          <span className="max-sm:sr-only">{texts.scan.open}</span>
        </Button>
      )}
      {open && <LazyScanDialog title={title} onFound={found} onClose={close} onFailed={close} />}
    </>
  );
}
