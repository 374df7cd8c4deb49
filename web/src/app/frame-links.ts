import { legalLinks } from './legal-links.ts';

/** The public pages, which every footer and menu links to. */
export const quickLinks: readonly { label: string; href: string }[] = [
  { label: 'Home', href: '/' },
  { label: 'Track Package', href: '/track' },
  { label: 'About Us', href: '/about' },
  { label: 'Contact', href: '/contact' },
];

/** What a footer links to beside the pages of a role: in the menu of the user, where the application has no footer. */
export const footerLinks = (apiDocs: boolean) => [...quickLinks, ...legalLinks(apiDocs)];
