import type { ContactPageData } from '@waybill/contract';
import { ContactForm } from '../contact/ContactForm.tsx';
import { texts } from '../platform/texts.ts';
import { Filled } from '../ui/Filled.tsx';
import { Prose } from '../ui/Prose.tsx';
import { TextLink } from '../ui/TextLink.tsx';

/** In the application the props are empty: the form is sent without a page load, so the server renders no result. */
export function ContactPage(form: Omit<ContactPageData, 'name'>) {
  const { contact } = texts;
  return (
    <Prose title={contact.title} intro={contact.intro}>
      <h2>{contact.waitingTitle}</h2>
      <p>
        <Filled
          text={contact.waiting}
          values={{ trackingPage: <TextLink href="/track">{contact.trackingPage}</TextLink> }}
        />
      </p>
      <h2>{contact.sentTitle}</h2>
      <p>{contact.sentText}</p>
      <h2>{contact.otherTitle}</h2>
      <ContactForm {...form} />
    </Prose>
  );
}
