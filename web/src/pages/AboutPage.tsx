import { TextLink } from '../ui/TextLink.tsx';
import { Prose } from '../ui/Prose.tsx';

export function AboutPage() {
  return (
    <Prose
      title="About Us"
      intro="Waybill registers packages, hands them to drivers and shows everybody who waits where they are."
    >
      <p>
        It is software that runs on a server of its own. Whoever runs this one keeps the data: which packages there are,
        who sends and who receives them, and who carries them. Waybill sends none of it anywhere else.
      </p>
      <h2>How it works</h2>
      <p>
        An owner registers a package and gets a tracking ID. A driver picks the package up, marks it as the next stop
        and completes the delivery at the door. Each of these steps is recorded once, and from this record come the
        timeline, the public tracking page and the owner&apos;s notifications.
      </p>
      <h2>What a visitor can see</h2>
      <p>
        Whoever holds a tracking ID sees the state of that package on its{' '}
        <TextLink href="/track">tracking page</TextLink>, without an account. Contact details and addresses are never on
        it, and 30 days after the delivery the recipient&apos;s name and the places disappear from it too.
      </p>
    </Prose>
  );
}
