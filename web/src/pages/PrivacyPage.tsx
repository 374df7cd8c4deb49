import { usePageTitle } from '../platform/page-title.ts';
import { TextLink } from '../ui/TextLink.tsx';
import { Prose } from '../ui/Prose.tsx';

export function PrivacyPage() {
  usePageTitle('Privacy Policy');
  return (
    <Prose title="Privacy Policy" intro="What is stored, who sees it, and when it goes.">
      <h2>What is stored</h2>
      <p>
        Of an account: name, email address, a hash of the password, role, times of sign-in and which browsers are signed
        in. Drivers may add a phone number, a vehicle, a picture and where they are; administrators plan their shifts.
      </p>
      <p>
        Of a package: what it is, its pictures, the recipient&apos;s name, contact and address, how it is to be handled,
        every step it took with its time, what was reported about it, what proves its delivery (who took it, a note, a
        photo, a signature) and how it was rated.
      </p>
      <p>
        Of a message to the administrators: the name, email address and text you wrote, and a tracking ID if you gave
        one. Of a visitor: a hash of the network address, for an hour at most, against misuse. Of sign-ins and changes
        of rights: from which network address, for 90 days. Of whoever looks at a recipient&apos;s contact: that they
        did, for a year. All of it stays on this server.
      </p>
      <h2>Who sees it</h2>
      <ul>
        <li>Owners see their own packages, and the driver who carries one.</li>
        <li>
          Drivers see the town of a waiting delivery, and the recipient&apos;s name, contact and address only after they
          have started it.
        </li>
        <li>Administrators see everything that their permissions name.</li>
        <li>
          Whoever holds a tracking ID sees the public page of that package: what it is, where it is, its steps, and the
          recipient&apos;s name unless the owner or this server hides it; the owner&apos;s name where the owner shows
          it, and on the road the driver&apos;s first name. Never a contact, an address or an account.
        </li>
      </ul>
      <h2>When it goes</h2>
      <p>
        30 days after a delivery the recipient&apos;s name and the places disappear from the public page. Sessions end
        after 7 days without use, and after 30 days in any case. When an account is deleted, by you on the account page
        or by an administrator, its personal data goes; the history of its packages stays without its name, and messages
        sent from its email address go too. Other messages go some months after they were resolved. The operator can
        have the recipient and the proof of a delivery removed for good after a time.
      </p>
      <h2>Who else gets it</h2>
      <p>
        Nobody, unless the operator connects a service such as mail or a storage provider. There are no advertisements,
        no counters and no scripts of others on these pages. What your browser keeps is told in the{' '}
        <TextLink href="/cookies">cookie policy</TextLink>.
      </p>
      <h2>Your rights</h2>
      <p>
        Delete your account on the account page. Ask the administrators of this server what is stored about you, or to
        correct it. The <TextLink href="/contact">contact page</TextLink> says how they are reached.
      </p>
    </Prose>
  );
}
