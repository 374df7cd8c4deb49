import { fill } from '@waybill/contract';
import type { Language, Organisation, Permission, Role, User } from '@waybill/contract';
import { texts } from '../platform/texts.ts';
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

const roleLinks = (): Record<Role, readonly FooterLink[]> => ({
  owner: [
    { label: texts.frame.ownerDashboard, href: '/owner/dashboard' },
    { label: texts.frame.createPackage, href: '/owner/create-package', requires: 'packages.create' },
  ],
  driver: [{ label: texts.frame.driverDashboard, href: '/driver/dashboard' }],
  admin: [
    { label: texts.frame.adminDashboard, href: '/admin/dashboard' },
    { label: texts.frame.userManagement, href: '/admin/users', requires: 'admin.manage_users' },
  ],
});

const visitorLinks = (): readonly FooterLink[] => [
  { label: texts.frame.signIn, href: '/login' },
  { label: texts.frame.register, href: '/register' },
];

/** The server's and the browser's may differ for a day. */
const thisYear = () => new Date().getFullYear();

interface FooterProps {
  organisation: Organisation;
  /** Whether the server serves its API reference. */
  apiDocs: boolean;
  languages: readonly Language[];
  user: Pick<User, 'role' | 'permissionsInForce'> | null;
}

export function Footer({ organisation, apiDocs, languages, user }: FooterProps) {
  const links = user
    ? roleLinks()[user.role].filter(({ requires }) => !requires || user.permissionsInForce.includes(requires))
    : visitorLinks();
  return (
    <footer className="mt-16 border-t border-line bg-surface print:hidden">
      <div className="page grid gap-x-6 min-[22.5rem]:grid-cols-[minmax(calc(50%-0.75rem),max-content)_1fr] sm:grid-cols-3 gap-y-8 py-12 md:grid-cols-[1fr_auto_auto_auto] md:gap-16">
        <div className="col-span-full min-w-0 md:col-span-1">
          <Logo {...organisation} />
          <p className="mt-3 max-w-[22rem] text-ui text-ink-2">{texts.frame.claim}</p>
        </div>
        <FooterList title={texts.frame.quickLinks} links={quickLinks()} />
        <FooterList title={texts.frame.forUsers} links={links} />
        {/* On phones beside both other lists, not alone below them. */}
        <div className="min-[22.5rem]:max-sm:col-start-2 min-[22.5rem]:max-sm:row-span-2 min-[22.5rem]:max-sm:row-start-2">
          <FooterList title={texts.frame.legal} links={legalLinks(apiDocs)} />
        </div>
      </div>
      <div className="page">
        <div className="flex flex-wrap items-center justify-between gap-4 border-t border-line py-5">
          <p className="figures text-ui text-ink-3" suppressHydrationWarning>
            {fill(texts.frame.rights, { year: thisYear(), organisation: organisation.name })}
          </p>
          <LanguageChoice languages={languages} />
          <ThemeChoice />
        </div>
      </div>
    </footer>
  );
}
