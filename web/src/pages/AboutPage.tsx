import { texts } from '../platform/texts.ts';
import { Filled } from '../ui/Filled.tsx';
import { Prose } from '../ui/Prose.tsx';
import { TextLink } from '../ui/TextLink.tsx';

export function AboutPage() {
  const { about } = texts;
  return (
    <Prose title={about.title} intro={about.intro}>
      <p>{about.data}</p>
      <h2>{about.howTitle}</h2>
      <p>{about.how}</p>
      <h2>{about.visitorsTitle}</h2>
      <p>
        <Filled
          text={about.visitors}
          values={{ trackingPage: <TextLink href="/track">{about.trackingPage}</TextLink> }}
        />
      </p>
    </Prose>
  );
}
