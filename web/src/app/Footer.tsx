import type { Language, Organisation, Permission, Role, User } from '@waybill/contract';
import { currentYear } from '../platform/formats.ts';
import { FooterList } from './FooterList.tsx';
import { LanguageChoice } from './LanguageChoice.tsx';
import { quickLinks } from './frame-links.ts';
import { legalLinks } from './legal-links.ts';
import { Logo } from './Logo.tsx';
import { ThemeChoice } from './ThemeChoice.tsx';

interface FooterLink {
  label: string;
  href: string;
  /** The permission without which the link is hidden. */
  requires?: Permission;
}

const roleLinks: Record<Role, readonly FooterLink[]> = {
  owner: [
    { label: 'Package Owner Dashboard', href: '/owner/dashboard' },
    { label: 'Create New Package', href: '/owner/create-package', requires: 'packages.create' },
  ],
  driver: [{ label: 'Driver Dashboard', href: '/driver/dashboard' }],
  admin: [
    { label: 'Admin Dashboard', href: '/admin/dashboard' },
    { label: 'User Management', href: '/admin/users', requires: 'admin.manage_users' },
  ],
};

const visitorLinks: readonly FooterLink[] = [
  { label: 'Sign In', href: '/login' },
  { label: 'Register', href: '/register' },
];

interface FooterProps {
  organisation: Organisation;
  /** Whether the server serves its API reference. */
  apiDocs: boolean;
  languages: readonly Language[];
  user: Pick<User, 'role' | 'permissionsInForce'> | null;
}

export function Footer({ organisation, apiDocs, languages, user }: FooterProps) {
  const links = user
    ? roleLinks[user.role].filter(({ requires }) => !requires || user.permissionsInForce.includes(requires))
    : visitorLinks;
  return (
    <footer className="mt-16 border-t border-line bg-surface print:hidden">
      <div className="page grid grid-cols-[repeat(auto-fit,minmax(min(100%,9rem),1fr))] gap-x-6 gap-y-8 py-12 md:grid-cols-[1fr_auto_auto_auto] md:gap-16">
        <div className="col-span-full min-w-0 md:col-span-1">
          <Logo {...organisation} />
          <p className="mt-3 max-w-[22rem] text-ui text-ink-2">
            Packages registered, delivered and followed live, on your own server.
          </p>
        </div>
        <FooterList title="Quick Links" links={quickLinks} />
        <FooterList title="For Users" links={links} />
        <FooterList title="Legal" links={legalLinks(apiDocs)} />
      </div>
      <div className="page">
        <div className="flex flex-wrap items-center justify-between gap-4 border-t border-line py-5">
          <p className="figures text-ui text-ink-3" suppressHydrationWarning>
            © {currentYear()} {organisation.name}. All rights reserved.
          </p>
          <LanguageChoice languages={languages} />
          <ThemeChoice />
        </div>
      </div>
    </footer>
  );
}
