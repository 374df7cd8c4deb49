import { useState } from 'react';
import type { FormEvent } from 'react';
import { ScanButton } from '../labels/ScanButton.tsx';
import { scannedId } from '../labels/scanned-id.ts';
import { useNow } from '../platform/clock.ts';
import { useHardwareScanner } from '../platform/keyboard-wedge.ts';
import { texts } from '../platform/texts.ts';
import { Button } from '../ui/Button.tsx';
import { Field } from '../ui/Field.tsx';
import { Input } from '../ui/Input.tsx';

const minIdLength = 5;

interface TrackFormProps {
  /** The ID being looked up. */
  id?: string;
  /** Rejected input that is no valid ID: stays in the field, with the reason. */
  typed?: string;
  loading?: boolean;
  /** The page's main task: the button is filled, and a hint says where to find the ID. */
  isMain?: boolean;
  onTrack: (id: string) => void;
}

/** A plain form: without JavaScript it submits to `/track?id=…`. */
export function TrackForm({ id = '', typed: rejected, loading, isMain = false, onTrack }: TrackFormProps) {
  const [error, setError] = useState(rejected === undefined ? undefined : texts.track.tooShort);
  useHardwareScanner((text) => {
    const scanned = scannedId(text);
    if (scanned) onTrack(scanned);
  });
  const inBrowser = useNow() !== null;
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const value = new FormData(event.currentTarget).get('id');
    const typed = typeof value === 'string' ? value.trim() : '';
    if (typed.length < minIdLength) return setError(texts.track.tooShort);
    setError(undefined);
    onTrack(typed);
  };
  return (
    <form action="/track" method="get" noValidate onSubmit={submit} className="flex flex-wrap items-start gap-2">
      {/* Without JavaScript the answer is in the language of the form. */}
      <input type="hidden" name="lang" value={new Intl.Locale(texts.locale).language} />
      <div className="min-w-0 flex-1 basis-40">
        <Field label={texts.track.fieldLabel} error={error} hint={isMain ? texts.track.fieldHint : undefined}>
          <Input
            key={id}
            name="id"
            code
            size="lg"
            defaultValue={id || rejected}
            placeholder="PKG-XXXXXXXX"
            autoComplete="off"
            autoCapitalize="characters"
            spellCheck={false}
            enterKeyHint="search"
            maxLength={200}
            endIsWord
            // Once it works, after hydration.
            end={<>{inBrowser && <ScanButton look="field" onFound={onTrack} />}</>}
          />
        </Field>
      </div>
      <div className="mt-[1.625rem]">
        <Button type="submit" size="xl" variant={isMain ? 'primary' : 'secondary'} loading={loading}>
          {texts.track.submit}
        </Button>
      </div>
    </form>
  );
}
