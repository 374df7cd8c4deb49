import { usePageTitle } from '../platform/page-title.ts';
import { Prose } from '../ui/Prose.tsx';

export function CookiesPage() {
  usePageTitle('Cookie Policy');
  return (
    <Prose title="Cookie Policy" intro="Waybill sets no cookies.">
      <p>It keeps a few things in your browser&apos;s local storage, only for itself and never sent to anybody else:</p>
      <ul>
        <li>
          <strong>token</strong>: the key of your session, from signing in until you sign out. The server keeps only a
          hash of it.
        </li>
        <li>
          <strong>lastSession</strong>: your name, email, role and permissions and a few counts while you are signed in,
          so that a reload shows them at once.
        </li>
        <li>
          <strong>theme</strong>: light or dark, once you have chosen one.
        </li>
        <li>
          <strong>shortcuts</strong>: that keyboard shortcuts are off, once you have switched them off.
        </li>
      </ul>
      <p>
        Each is needed for what you asked for, so there is no banner to click away. Clearing site data removes them.
      </p>
    </Prose>
  );
}
