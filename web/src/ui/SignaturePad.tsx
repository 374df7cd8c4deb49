import { Eraser } from 'lucide-react';
import { useCallback, useEffect, useRef, useState } from 'react';
import type Pad from 'signature_pad';
import { drawingOf } from '../platform/drawings.ts';
import { importWithRetry } from '../platform/import-with-retry.ts';
import { Button } from './Button.tsx';

interface SignaturePadProps {
  label: string;
  /** What is drawn, maybe before. */
  value: File | null;
  /** Told the drawing as a PNG file after each stroke, and null when it was erased. */
  onChange: (signature: File | null) => void;
}

/** A place to sign with finger, pen or mouse. Who cannot draw gives a name instead: never ask for this alone. */
export function SignaturePad({ label, value, onChange }: SignaturePadProps) {
  const pad = useRef<Pad>(null);
  const drawn = useRef({ value, onChange });
  /** What is on the pad. */
  const shown = useRef<File>(null);
  const paper = useRef<HTMLCanvasElement>(null);
  const show = useCallback((drawing: File | null) => {
    if (!paper.current || !drawing || drawing === shown.current) return;
    shown.current = drawing;
    void drawAgain(drawing, paper.current);
  }, []);
  useEffect(() => {
    drawn.current = { value, onChange };
    show(value);
  });
  const signed = value !== null;
  const [failed, setFailed] = useState(false);

  const prepare = useCallback(
    (canvas: HTMLCanvasElement) => {
      let gone = false;
      void importWithRetry(() => import('signature_pad')).then(
        ({ default: SignaturePadLibrary }) => {
          if (gone) return;
          const { width, height } = canvas.getBoundingClientRect();
          const scale = Math.max(devicePixelRatio, 1);
          canvas.width = width * scale;
          canvas.height = height * scale;
          canvas.getContext('2d')?.scale(scale, scale);
          // On paper it is dark on white, whatever the screen's theme.
          const made = new SignaturePadLibrary(canvas, { backgroundColor: 'white', penColor: '#101828' });
          made.addEventListener('endStroke', () => {
            shown.current = drawingOf(canvas.toDataURL('image/png'));
            drawn.current.onChange(shown.current);
          });
          pad.current = made;
          paper.current = canvas;
          show(drawn.current.value);
        },
        () => !gone && setFailed(true),
      );
      return () => {
        gone = true;
        pad.current?.off();
        pad.current = null;
        paper.current = null;
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
      <div className="flex min-h-9 items-center justify-between gap-3">
        <span className="text-ui font-medium text-ink">
          {label} <span className="font-normal text-ink-3">(optional)</span>
        </span>
        {signed && (
          <Button variant="ghost" icon={<Eraser aria-hidden="true" className="size-4" />} onClick={erase}>
            Erase
          </Button>
        )}
      </div>
      {failed ? (
        <div
          role="alert"
          className="flex min-h-36 flex-col items-center justify-center gap-3 rounded-control border border-control bg-sunken p-4 text-center text-ui text-ink-2"
        >
          The signature field could not be loaded.
          <Button variant="secondary" size="sm" onClick={() => setFailed(false)}>
            Retry
          </Button>
        </div>
      ) : (
        <canvas
          ref={prepare}
          role="img"
          aria-label={signed ? `${label}: signed` : `${label}: sign here`}
          className="h-36 w-full touch-none rounded-control border border-control bg-paper"
        />
      )}
    </div>
  );
}

/** The screen may have been turned since: as large as fits, never stretched. */
async function drawAgain(drawing: File, canvas: HTMLCanvasElement) {
  const room = canvas.getBoundingClientRect();
  const picture = await createImageBitmap(drawing);
  const scale = Math.min(room.width / picture.width, room.height / picture.height);
  canvas.getContext('2d')?.drawImage(picture, 0, 0, picture.width * scale, picture.height * scale);
  picture.close();
}
