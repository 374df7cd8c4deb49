import { Search } from 'lucide-react';
import { useState } from 'react';
import type { FormEvent } from 'react';
import { Button } from '../ui/Button.tsx';
import { Field } from '../ui/Field.tsx';
import { Input } from '../ui/Input.tsx';

const minIdLength = 5;
const tooShort = 'Tracking ID must be at least 5 characters.';

interface TrackFormProps {
  /** The ID being looked up. */
  id?: string;
  /** Rejected input that is no valid ID: stays in the field, with the reason. */
  typed?: string;
  loading?: boolean;
  onTrack: (id: string) => void;
}

/** A plain form: without JavaScript it submits to `/track?id=…`. */
export function TrackForm({ id = '', typed: rejected, loading, onTrack }: TrackFormProps) {
  const [error, setError] = useState(rejected === undefined ? undefined : tooShort);
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const value = new FormData(event.currentTarget).get('id');
    const typed = typeof value === 'string' ? value.trim() : '';
    if (typed.length < minIdLength) return setError(tooShort);
    setError(undefined);
    onTrack(typed);
  };
  return (
    <form
      action="/track"
      method="get"
      noValidate
      onSubmit={submit}
      className="flex flex-col gap-3 sm:flex-row sm:items-start"
    >
      <div className="min-w-0 grow">
        <Field label="Tracking ID" error={error}>
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
          />
        </Field>
      </div>
      <div className="sm:mt-[1.625rem]">
        <Button
          type="submit"
          size="xl"
          fullWidth
          loading={loading}
          icon={<Search aria-hidden="true" className="size-5" />}
        >
          Track
        </Button>
      </div>
    </form>
  );
}
