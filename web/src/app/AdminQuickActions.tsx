import { useSession } from '../platform/session.ts';
import { AdminIcon } from './AdminIcon.tsx';
import { adminPagesFor } from './navigation.ts';

/** Links from the overview to the other administrators' pages. */
export function AdminQuickActions() {
  const actions = adminPagesFor(useSession()).filter(({ action }) => action);
  if (actions.length === 0) return null;
  return (
    <nav aria-labelledby="quick-actions">
      <h2 id="quick-actions" className="mb-2 text-ui font-semibold text-ink">
        Quick Actions
      </h2>
      <ul className="pairs gap-2 md:grid-cols-3 lg:grid-cols-6">
        {actions.map(({ name, action, href }) => (
          <li key={name}>
            <a
              href={href}
              className="flex h-full min-h-12 items-center gap-2.5 rounded-card border border-line bg-surface px-3.5 py-2 text-ui font-medium text-ink transition-colors hover:border-control"
            >
              <AdminIcon page={name} className="size-5 shrink-0 text-ink-3" />
              {action}
            </a>
          </li>
        ))}
      </ul>
    </nav>
  );
}
