import { useRef, useState } from 'react';
import { ScanButton } from '../labels/ScanButton.tsx';
import { useHardwareScanner } from '../platform/keyboard-wedge.ts';
import { Button } from '../ui/Button.tsx';
import { Field } from '../ui/Field.tsx';
import { Input } from '../ui/Input.tsx';
import { texts } from './round-texts.ts';

interface ScanFieldProps {
  /** A code that was scanned, or typed and confirmed. @returns what became of it, for the driver to read */
  onCode: (text: string, by: 'camera' | 'keys') => { text: string; wrong: boolean };
}

/** Takes the codes of labels, from a hardware scanner, the camera or the driver's fingers. */
export function ScanField({ onCode }: ScanFieldProps) {
  const [typed, setTyped] = useState('');
  const [result, setResult] = useState<ReturnType<ScanFieldProps['onCode']> | null>(null);
  const input = useRef<HTMLInputElement>(null);
  useHardwareScanner((text) => setResult(onCode(text, 'keys')));
  return (
    <form
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        input.current?.focus();
        if (typed.trim() === '') return;
        setResult(onCode(typed, 'keys'));
        setTyped('');
      }}
    >
      <Field label={texts.scanLabel} hint={texts.scanHint}>
        <div className="flex items-center gap-2">
          <div className="min-w-0 grow">
            <Input
              ref={input}
              size="lg"
              code
              value={typed}
              autoComplete="off"
              autoCapitalize="characters"
              spellCheck={false}
              enterKeyHint="done"
              maxLength={200}
              onChange={(event) => setTyped(event.target.value)}
            />
          </div>
          <Button type="submit" variant="secondary" size="xl">
            {texts.add}
          </Button>
          <span className="shrink-0 [&_button]:size-14 [&_button]:border [&_button]:border-control/60 [&_button]:bg-surface high-contrast:[&_button]:border-[3px] high-contrast:[&_button]:border-line">
            <ScanButton
              look="icon"
              continuous
              onFound={(id) => {
                const found = onCode(id, 'camera');
                setResult(found);
                return { ok: !found.wrong, words: found.text };
              }}
            />
          </span>
        </div>
      </Field>
      {/* What is wrong is listed below, in yellow. */}
      <p role="status" className={result?.wrong ? 'sr-only' : 'mt-2 text-body text-green-ink empty:hidden'}>
        {result?.text}
      </p>
    </form>
  );
}
