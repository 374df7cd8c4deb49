import type { ContactPageData } from '@waybill/contract';
import { ContactForm } from '../contact/ContactForm.tsx';
import { TextLink } from '../ui/TextLink.tsx';
import { Prose } from '../ui/Prose.tsx';

/** In the application the props are empty: the form is sent without a page load, so the server renders no result. */
export function ContactPage(form: Omit<ContactPageData, 'name'>) {
  return (
    <Prose title="Contact" intro="Who can help depends on what you are waiting for.">
      <h2>You wait for a package</h2>
      <p>
        The <TextLink href="/track">tracking page</TextLink> shows what is known about it. For anything else ask whoever
        sent it: they see the driver and can reach them.
      </p>
      <h2>You sent a package</h2>
      <p>
        Open the package on your dashboard. &apos;Carrier Info&apos; shows who carries it and how to reach them;
        &apos;Report Issue&apos; tells the administrators what went wrong.
      </p>
      <h2>Anything else</h2>
      <p>Write to the administrators of this server, also when you cannot sign in. They answer by email.</p>
      <ContactForm {...form} />
    </Prose>
  );
}
