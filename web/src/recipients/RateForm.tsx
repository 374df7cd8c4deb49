import type { RatePackageInput, RecipientView } from '@waybill/contract';
import { Star } from 'lucide-react';
import { useId, useState } from 'react';
import type { FormEvent } from 'react';
import { classes } from '../ui/classes.ts';
import { Button } from '../ui/Button.tsx';
import { Field } from '../ui/Field.tsx';
import { Textarea } from '../ui/Textarea.tsx';
import { failureOf } from './ChangeForm.tsx';
import { counted, texts } from './recipient-texts.ts';

const choices = [1, 2, 3, 4, 5];
const starClasses = (filled: boolean) =>
  classes('pointer-events-none size-8', filled ? 'fill-yellow-dot text-yellow-dot' : 'text-control');

interface RateFormProps {
  rating: RecipientView['rating'];
  onRate: (rating: RatePackageInput) => Promise<void>;
}

/** One to five stars as radio buttons, with a comment once there are some. Given once. */
export function RateForm({ rating, onRate }: RateFormProps) {
  const name = useId();
  const [stars, setStars] = useState(0);
  const [sending, setSending] = useState(false);
  const [failed, setFailed] = useState<string | null>(null);
  if (rating)
    return (
      <div role="status">
        <span role="img" aria-label={counted(texts.stars, rating.stars)} className="flex">
          {choices.map((star) => (
            <Star key={star} aria-hidden="true" strokeWidth={1.5} className={starClasses(star <= rating.stars)} />
          ))}
        </span>
        <p className="mt-1 text-ui text-ink-2">{texts.thanks}</p>
      </div>
    );
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    if (sending) return;
    const comment = new FormData(event.currentTarget).get('comment');
    setSending(true);
    setFailed(null);
    void onRate({ stars, ...(typeof comment === 'string' && comment.trim() !== '' && { comment }) }).catch(
      (error: unknown) => {
        setSending(false);
        setFailed(failureOf(error));
      },
    );
  };
  return (
    <form onSubmit={submit} noValidate className="flex flex-col gap-3">
      <fieldset>
        <legend className="text-body font-semibold text-ink">{texts.rate}</legend>
        <div className="mt-1 -ml-2 flex">
          {choices.map((star) => (
            <span
              key={star}
              className="relative flex size-11 items-center justify-center rounded-control has-focus-visible:outline-2 has-focus-visible:outline-focus"
            >
              <input
                type="radio"
                name={name}
                checked={stars === star}
                onChange={() => setStars(star)}
                aria-label={counted(texts.stars, star)}
                className="absolute inset-0 cursor-pointer opacity-0"
              />
              <Star aria-hidden="true" strokeWidth={1.5} className={starClasses(star <= stars)} />
            </span>
          ))}
        </div>
      </fieldset>
      {stars > 0 && (
        <>
          <Field label={texts.comment} optional>
            <Textarea name="comment" rows={3} maxLength={2000} />
          </Field>
          {failed !== null && (
            <p role="alert" className="text-ui text-danger">
              {failed}
            </p>
          )}
          <div>
            <Button type="submit" loading={sending} loadingText={texts.saving}>
              {texts.sendRating}
            </Button>
          </div>
        </>
      )}
    </form>
  );
}
