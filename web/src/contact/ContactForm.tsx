import { ApiError } from '@waybill/contract';
import type { ContactPageData } from '@waybill/contract';
import { CircleAlert, CircleCheck } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import type { FormEvent } from 'react';
import { api } from '../platform/api.ts';
import { texts, translated } from '../platform/texts.ts';
import { useUnsavedChanges } from '../platform/unsaved-changes.ts';
import { Banner } from '../ui/Banner.tsx';
import { Button } from '../ui/Button.tsx';
import { Field } from '../ui/Field.tsx';
import { Input } from '../ui/Input.tsx';
import { Textarea } from '../ui/Textarea.tsx';

const wordOf = (form: FormData, name: string) => {
  const value = form.get(name);
  return typeof value === 'string' ? value : '';
};

const noValues: NonNullable<ContactPageData['typed']> = {};

/** A plain form: without JavaScript the server responds with a page. Fields keep their input until it is sent. */
export function ContactForm({ typed = noValues, ...initialState }: Omit<ContactPageData, 'name'>) {
  const [current, setCurrent] = useState(initialState);
  const { sent = false, faults = {}, failed } = current;
  const [sending, setSending] = useState(false);
  const [dirty, setDirty] = useState(false);
  useUnsavedChanges(dirty && !sent);
  const form = useRef<HTMLFormElement>(null);
  const confirmation = useRef<HTMLDivElement>(null);

  // Focus after a submit only, not for the initial state: the visitor may be typing by then.
  const first = useRef(current);
  useEffect(() => {
    if (current === first.current) return;
    if (current.sent) confirmation.current?.focus();
    else form.current?.querySelector<HTMLElement>('[aria-invalid]')?.focus();
  }, [current]);

  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    if (sending) return;
    const data = new FormData(event.currentTarget);
    const body = {
      name: wordOf(data, 'name'),
      email: wordOf(data, 'email'),
      message: wordOf(data, 'message'),
      trackingId: wordOf(data, 'trackingId'),
      website: wordOf(data, 'website'),
    };
    setSending(true);
    api.contact
      .send({ body })
      .then(
        () => setCurrent({ sent: true }),
        (error: unknown) => setCurrent(toState(error)),
      )
      .finally(() => setSending(false));
  };

  if (sent) {
    return (
      <div ref={confirmation} tabIndex={-1} className="outline-none">
        <Banner tone="green" icon={<CircleCheck />} title={texts.contact.arrived} live>
          {texts.contact.answer}
        </Banner>
      </div>
    );
  }
  return (
    <>
      <p>{texts.contact.other}</p>
      <form
        ref={form}
        action="/contact"
        method="post"
        noValidate
        onInput={() => setDirty(true)}
        onSubmit={submit}
        className="flex flex-col gap-5"
      >
        {failed && (
          <Banner tone="red" icon={<CircleAlert />} title={texts.contact.notSent} live>
            {translated(failed)}
          </Banner>
        )}
        <div className="grid gap-5 sm:grid-cols-2">
          <Field label={texts.contact.name} error={faults.name} required>
            <Input name="name" defaultValue={typed.name} maxLength={120} autoComplete="name" />
          </Field>
          <Field label={texts.contact.email} error={faults.email} required>
            <Input
              name="email"
              type="email"
              defaultValue={typed.email}
              maxLength={254}
              autoComplete="email"
              inputMode="email"
              spellCheck={false}
            />
          </Field>
        </div>
        <Field label={texts.contact.trackingId} optional error={faults.trackingId} hint={texts.contact.trackingIdHint}>
          <Input
            name="trackingId"
            code
            defaultValue={typed.trackingId}
            placeholder="PKG-XXXXXXXX"
            maxLength={40}
            autoComplete="off"
            autoCapitalize="characters"
            spellCheck={false}
          />
        </Field>
        <Field label={texts.contact.message} error={faults.message} required>
          <Textarea name="message" rows={6} defaultValue={typed.message} maxLength={2000} />
        </Field>
        {/* Honeypot: hidden from people, filled in by bots. */}
        <div hidden>
          <label>
            {texts.contact.honeypot}
            <input name="website" tabIndex={-1} autoComplete="off" />
          </label>
        </div>
        <div>
          <Button type="submit" size="lg" loading={sending} loadingText={texts.contact.sending}>
            {texts.contact.send}
          </Button>
        </div>
      </form>
    </>
  );
}

function toState(error: unknown): Omit<ContactPageData, 'name' | 'typed'> {
  const faults = error instanceof ApiError ? error.fields : {};
  if (Object.keys(faults).length > 0) return { faults };
  return { failed: (error instanceof Error && error.message) || texts.contact.failed };
}
