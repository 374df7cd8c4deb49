import { ThemeChoice } from '../src/app/ThemeChoice.tsx';
import { PageTitle } from '../src/ui/PageTitle.tsx';
import { LazyToaster } from '../src/ui/LazyToaster.tsx';
import { DomainSection } from './DomainSection.tsx';
import { FeedbackSection } from './FeedbackSection.tsx';
import { FormSection } from './FormSection.tsx';
import { ListSection } from './ListSection.tsx';
import { OverlaySection } from './OverlaySection.tsx';

export function Gallery() {
  return (
    <main className="page py-8">
      <PageTitle title="Components" subtitle="Every UI component in every state" actions={<ThemeChoice />} />
      <FormSection />
      <FeedbackSection />
      <ListSection />
      <OverlaySection />
      <DomainSection />
      <LazyToaster />
    </main>
  );
}
