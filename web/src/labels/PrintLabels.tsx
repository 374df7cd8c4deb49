import { ApiError } from '@waybill/contract';
import { Check, ChevronDown, Printer, Share2 } from 'lucide-react';
import { useSingleMutation } from '../platform/single-mutation.ts';
import { Button } from '../ui/Button.tsx';
import { Menu } from '../ui/Menu.tsx';
import { MenuItem } from '../ui/MenuItem.tsx';
import { chooseLabelSize, sizeNames, useLabelSize } from './label-size.ts';
import { canShareFile, saveLabels, shareFile } from './print.ts';

interface PrintLabelsProps {
  /** The ids of at most 200 packages. */
  idsOf: (signal: AbortSignal) => Promise<string[]> | string[];
  /** 'Print label'. */
  children: string;
  onPrinted?: () => void;
}

/** Saves labels as a PDF of the chosen size. */
export function PrintLabels({ idsOf, children, onPrinted }: PrintLabelsProps) {
  const size = useLabelSize();
  const print = useSingleMutation({
    mutationFn: async (_: void, signal) => saveLabels(await idsOf(signal), signal),
    onSuccess: onPrinted,
    meta: { showsError: true },
  });
  const { data: file, error } = print;
  return (
    <div className="flex flex-col gap-2 print:hidden">
      <div className="flex gap-2 [&_button]:px-2.5 [&_button]:whitespace-nowrap">
        <div className="min-w-0 grow">
          <Button
            variant="secondary"
            fullWidth
            icon={<Printer aria-hidden="true" className="size-5" />}
            loading={print.isPending}
            loadingText="Preparing..."
            onClick={() => print.mutate()}
          >
            {children}
          </Button>
        </div>
        <Menu
          trigger={
            <Button variant="secondary" aria-label={`Label size: ${sizeNames[size]}`}>
              {size === 'a4' ? 'A4' : 'Label'}
              <ChevronDown aria-hidden="true" className="size-4" />
            </Button>
          }
        >
          {(['label', 'a4'] as const).map((choice) => (
            <MenuItem
              key={choice}
              icon={choice === size ? <Check aria-hidden="true" /> : <span className="size-4" />}
              onSelect={() => chooseLabelSize(choice)}
            >
              {sizeNames[choice]}
              {choice === size && <span className="sr-only">, chosen</span>}
            </MenuItem>
          ))}
        </Menu>
      </div>
      <div role="status" className="text-table text-ink-2 wrap-anywhere empty:hidden">
        {file && !print.isPending && `Saved as ${file.name}. Print it at 100 %.`}
      </div>
      {file && !print.isPending && canShareFile(file) && (
        <Button
          variant="ghost"
          fullWidth
          icon={<Share2 aria-hidden="true" className="size-5" />}
          onClick={() => void shareFile(file)}
        >
          Share or print
        </Button>
      )}
      {error && (
        <p role="alert" className="text-table text-danger wrap-anywhere">
          {error.message}
          {error instanceof ApiError && error.status >= 500 && error.requestId && ` (${error.requestId})`}
        </p>
      )}
    </div>
  );
}
