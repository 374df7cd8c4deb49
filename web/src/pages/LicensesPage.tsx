import { usePageTitle } from '../platform/page-title.ts';
import { Prose } from '../ui/Prose.tsx';
import type { LicensedPackage } from '@waybill/contract';

/**
 * Generated from the installed npm packages, so that it is always up to date. Not in the monospaced font: lower case would load all of
 * it, 31 kB, and shift the list.
 */
export function LicensesPage({ packages }: { packages: readonly LicensedPackage[] }) {
  usePageTitle('Licenses');
  const byLicense = Map.groupBy(packages, ({ license }) => license);
  const licenses = [...byLicense].toSorted(([, a], [, b]) => b.length - a.length);
  return (
    <Prose
      title="Licenses"
      intro={`Waybill stands on ${packages.length} packages of open-source software. The full text of each license comes with the package, in the installation of this server.`}
    >
      {licenses.map(([license, users]) => (
        <section key={license}>
          <h2>{license}</h2>
          <ul className="mt-3 grid grid-cols-1 gap-x-6 sm:grid-cols-2">
            {users.map(({ name, version }) => (
              <li key={`${name} ${version}`} className="text-table figures wrap-anywhere">
                {name} <span className="text-ink-3">{version}</span>
              </li>
            ))}
          </ul>
        </section>
      ))}
    </Prose>
  );
}
