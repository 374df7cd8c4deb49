import { ApiError } from '@waybill/contract';
import type { MessageFormState, PublicView } from '@waybill/contract';
import { CircleAlert, CircleCheck, MessageSquare } from 'lucide-react';
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
import { Fold } from './Fold.tsx';

const noFaults: Readonly<Record<string, string>> = {};

/** As long as the public page names the recipient: afterwards the sender takes no messages. */
const openForMs = 30 * 86_400_000;

export const takesMessages = ({ status, completedAt }: PublicView): boolean =>
  status !== 'cancelled' &&
  status !== 'inactive' &&
  (completedAt === null || Date.parse(completedAt) > Date.now() - openForMs);

interface MessageFormProps {
  trackingId: string;
  /** After a submission without JavaScript. */
  initial?: MessageFormState;
}

/** A message to the sender, folded. A plain form: without JavaScript the server answers with the page. */
export function MessageForm({ trackingId, initial }: MessageFormProps) {
  const [{ sent = false, faults = noFaults, failed }, setState] = useState<MessageFormState>(initial ?? {});
  const [sending, setSending] = useState(false);
  const [dirty, setDirty] = useState(false);
  useUnsavedChanges(dirty && !sent);
  const form = useRef<HTMLFormElement>(null);
  const confirmation = useRef<HTMLDivElement>(null);
  const submits = useRef(0);
  const { message } = texts.track;

  // The focus follows a submit, not the first paint: the visitor may be typing by then.
  useEffect(() => {
    if (submits.current === 0) return;
    if (sent) confirmation.current?.focus();
    // Neither sent nor refused: another message is to be written.
    else if (failed === undefined)
      form.current?.querySelector<HTMLElement>(faults === noFaults ? 'textarea' : '[aria-invalid]')?.focus();
  }, [sent, faults, failed]);

  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    if (sending) return;
    const data = new FormData(event.currentTarget);
    const wordOf = (name: string) => {
      const value = data.get(name);
      return typeof value === 'string' ? value : '';
    };
    const body = { text: wordOf('text'), replyTo: wordOf('replyTo'), website: wordOf('website') };
    setSending(true);
    void api.tracking
      .message({ params: { id: trackingId }, body })
      .then(
        () => ({ sent: true }),
        (error: unknown) => refusalOf(error),
      )
      .then((state) => {
        submits.current++;
        setState(state);
        setSending(false);
        if (state.sent) setDirty(false);
      });
  };

  return (
    <Fold icon={<MessageSquare />} title={message.title} open={initial !== undefined} className="print:hidden">
      {sent ? (
        <div ref={confirmation} tabIndex={-1} className="flex flex-col items-start gap-3 pb-5 outline-none">
          <Banner tone="green" icon={<CircleCheck />} title={message.sent} live>
            {message.sentHint}
          </Banner>
          <span className="noscript:hidden">
            <Button variant="secondary" onClick={() => setState({})}>
              {message.another}
            </Button>
          </span>
        </div>
      ) : (
        <form
          ref={form}
          action={`/track/${encodeURIComponent(trackingId)}/message?lang=${new Intl.Locale(texts.locale).language}`}
          method="post"
          noValidate
          onInput={() => setDirty(true)}
          onSubmit={submit}
          className="flex flex-col gap-4 pt-1 pb-5"
        >
          {failed && (
            <Banner tone="red" icon={<CircleAlert />} title={message.notSent} live>
              {translated(failed)}
            </Banner>
          )}
          <p className="text-table text-ink-2">{message.hint}</p>
          <Field label={message.text} error={faults.text} required>
            <Textarea name="text" rows={4} defaultValue={initial?.typed?.text} maxLength={2000} />
          </Field>
          <Field label={message.replyTo} error={faults.replyTo} hint={message.replyToHint} required>
            <Input
              name="replyTo"
              type="email"
              defaultValue={initial?.typed?.replyTo}
              maxLength={254}
              autoComplete="email"
              inputMode="email"
              spellCheck={false}
            />
          </Field>
          {/* Honeypot: hidden from people, filled in by bots. */}
          <div hidden>
            <label>
              {message.honeypot}
              <input name="website" tabIndex={-1} autoComplete="off" />
            </label>
          </div>
          <div>
            <Button type="submit" size="lg" loading={sending} loadingText={message.sending}>
              {message.send}
            </Button>
          </div>
        </form>
      )}
    </Fold>
  );
}

function refusalOf(error: unknown): MessageFormState {
  const faults = error instanceof ApiError ? error.fields : {};
  if (Object.keys(faults).length > 0) return { faults };
  return { failed: (error instanceof Error && error.message) || texts.track.failed };
}
