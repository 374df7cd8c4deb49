import { texts } from '../platform/texts.ts';
import { legalLinks } from './legal-links.ts';

/** The public pages, which every footer and menu links to. */
export const quickLinks = (): readonly { label: string; href: string }[] => [
  { label: texts.frame.homePage, href: '/' },
  { label: texts.frame.trackPackage, href: '/track' },
  { label: texts.frame.about, href: '/about' },
  { label: texts.frame.contact, href: '/contact' },
];

/** What a footer links to beside the pages of a role: in the menu of the user, where the application has no footer. */
export const footerLinks = (apiDocs: boolean) => [...quickLinks(), ...legalLinks(apiDocs)];
