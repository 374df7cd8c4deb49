import { fill } from '@waybill/contract';
import type { Texts } from '@waybill/contract/texts/en';
import { Eraser, X } from 'lucide-react';
import { useCallback, useEffect, useRef, useState } from 'react';
import type Pad from 'signature_pad';
import { drawingOf } from '../platform/drawing-files.ts';
import { importWithRetry } from '../platform/import-with-retry.ts';
import { texts } from '../platform/texts.ts';
import { Button } from './Button.tsx';

interface SignaturePadProps {
  label: string;
  /** Not marked as optional. */
  required?: boolean;
  /** The current drawing; may be a restored draft. */
  value: File | null;
  /** Called with the drawing as a PNG file after each stroke, and with null when it is erased. */
  onChange: (signature: File | null) => void;
  /** On a page in other languages. */
  words?: Pick<Texts['driver'], 'signHere' | 'signed' | 'erase' | 'signatureNotLoaded' | 'retry'>;
}

const english = {
  signHere: '{label}: sign here',
  signed: '{label}: signed',
  erase: 'Erase',
  signatureNotLoaded: 'The signature field could not be loaded.',
  retry: 'Retry',
};

/** A field to sign in with finger, pen or mouse. Always offer an alternative, such as typing a name: not everybody can draw. */
export function SignaturePad({ label, required = false, value, onChange, words = english }: SignaturePadProps) {
  const pad = useRef<Pad>(null);
  const latest = useRef({ value, onChange });
  /** The drawing on the canvas. */
  const shown = useRef<File>(null);
  const canvasRef = useRef<HTMLCanvasElement>(null);
  const show = useCallback((drawing: File | null) => {
    if (!canvasRef.current || !drawing || drawing === shown.current) return;
    shown.current = drawing;
    void restoreDrawing(drawing, canvasRef.current);
  }, []);
  useEffect(() => {
    latest.current = { value, onChange };
    show(value);
  });
  const signed = value !== null;
  const [failed, setFailed] = useState(false);

  const prepare = useCallback(
    (canvas: HTMLCanvasElement) => {
      let unmounted = false;
      void importWithRetry(() => import('signature_pad')).then(
        ({ default: SignaturePadLibrary }) => {
          if (unmounted) return;
          const { width, height } = canvas.getBoundingClientRect();
          const scale = Math.max(devicePixelRatio, 1);
          canvas.width = width * scale;
          canvas.height = height * scale;
          canvas.getContext('2d')?.scale(scale, scale);
          // Dark on white in every theme: the drawing is printed on the receipt.
          const created = new SignaturePadLibrary(canvas, { backgroundColor: 'white', penColor: '#101828' });
          created.addEventListener('endStroke', () => {
            shown.current = drawingOf(canvas.toDataURL('image/png'));
            latest.current.onChange(shown.current);
          });
          pad.current = created;
          canvasRef.current = canvas;
          show(latest.current.value);
        },
        () => !unmounted && setFailed(true),
      );
      return () => {
        unmounted = true;
        pad.current?.off();
        pad.current = null;
        canvasRef.current = null;
        shown.current = null;
      };
    },
    [show],
  );
  const erase = () => {
    pad.current?.clear();
    onChange(null);
  };
  return (
    <div className="flex flex-col gap-1.5">
      <div className="relative">
        <span className="block text-ui font-medium text-ink">
          {label}
          {!required && !signed && <span className="font-normal text-ink-3"> {texts.optional}</span>}
        </span>
        {signed && (
          <span className="absolute -top-2 right-0">
            <Button variant="ghost" size="sm" icon={<Eraser aria-hidden="true" className="size-4" />} onClick={erase}>
              {words.erase}
            </Button>
          </span>
        )}
      </div>
      {failed ? (
        <div
          role="alert"
          className="flex min-h-36 flex-col items-center justify-center gap-3 rounded-control border border-control bg-sunken p-4 text-center text-ui text-ink-2"
        >
          {words.signatureNotLoaded}
          <Button variant="secondary" size="sm" onClick={() => setFailed(false)}>
            {words.retry}
          </Button>
        </div>
      ) : (
        <div className="relative">
          <canvas
            ref={prepare}
            role="img"
            aria-label={fill(signed ? words.signed : words.signHere, { label })}
            className="block h-36 w-full touch-none rounded-control border border-control bg-paper"
          />
          {/* The line to sign on: over the canvas, so that it is not in the picture. One colour, as the paper is white in every theme. */}
          <span
            aria-hidden="true"
            className="pointer-events-none absolute inset-x-4 bottom-9 border-b border-current pb-0.5 text-[#5f6b7e] forced-color-adjust-none"
          >
            <X className="size-4" />
          </span>
        </div>
      )}
    </div>
  );
}

/** Scales the drawing to fit the canvas, without distortion: the screen may have been rotated since. */
async function restoreDrawing(drawing: File, canvas: HTMLCanvasElement) {
  const area = canvas.getBoundingClientRect();
  const picture = await createImageBitmap(drawing);
  const scale = Math.min(area.width / picture.width, area.height / picture.height);
  canvas.getContext('2d')?.drawImage(picture, 0, 0, picture.width * scale, picture.height * scale);
  picture.close();
}
