import { usePageTitle } from '../platform/page-title.ts';
import { TextLink } from '../ui/TextLink.tsx';
import { Prose } from '../ui/Prose.tsx';

export function TermsPage() {
  usePageTitle('Terms of Service');
  return (
    <Prose title="Terms of Service" intro="What whoever runs this server and whoever uses it may expect of each other.">
      <h2>Who runs this service</h2>
      <p>
        Waybill is software. This installation is run by an operator of its own, who answers for it and for the
        deliveries made with it. &apos;We&apos; means that operator here.
      </p>
      <h2>Your account</h2>
      <p>
        Give a true name and an email address that reaches you, keep your password to yourself, and tell us when
        somebody else may know it. An administrator can suspend an account that is misused. You can delete yours at any
        time on the account page; a driver first completes or gives back what is under way.
      </p>
      <h2>Packages</h2>
      <p>
        Register only packages that may lawfully be carried, and describe them truthfully: what is in them, how heavy
        they are, what care they need. Give a recipient&apos;s name and contact only as far as the delivery needs them.
      </p>
      <h2>Deliveries</h2>
      <p>
        A driver who starts a delivery carries it until it is completed, handed back or taken over by another driver.
        Completing one certifies that the package was handed over as described. Times of arrival are estimates.
      </p>
      <h2>Tracking</h2>
      <p>
        Whoever holds a tracking ID can see the public page of that package. Hand it only to people who should. What the
        page shows is told in the <TextLink href="/privacy">privacy policy</TextLink>.
      </p>
      <h2>Availability</h2>
      <p>
        We keep the service running as well as we can, without promising that it never stops. What you do while it is
        unreachable is kept where the screen says so; otherwise repeat it.
      </p>
    </Prose>
  );
}
