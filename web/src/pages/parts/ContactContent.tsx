import type { PageContentProps } from './page-content.ts';
import { ContactPage } from '../ContactPage.tsx';

export const ContactContent = ({ page }: PageContentProps) =>
  page.name === 'contact' ? <ContactPage {...page} /> : null;
