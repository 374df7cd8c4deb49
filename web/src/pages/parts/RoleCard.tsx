import { fill, type Role } from '@waybill/contract';
import { ArrowRight } from 'lucide-react';
import { texts } from '../../platform/texts.ts';
import { dashboardOf } from '../../users/dashboards.ts';
import { roleIcons } from '../../users/role-icons.ts';

interface RoleCardProps {
  role: Role;
  /** Whether the signed-in user has this role. */
  own: boolean;
  onChoose: () => void;
}

export function RoleCard({ role, own, onChoose }: RoleCardProps) {
  const Icon = roleIcons[role];
  return (
    <li>
      <a
        href={own ? dashboardOf(role) : `/register?role=${role}`}
        onClick={own ? undefined : onChoose}
        className="group flex h-full flex-col rounded-card border border-line bg-canvas p-6 transition-[border-color] hover:border-control"
      >
        <span className="inline-flex size-12 items-center justify-center rounded-card bg-brand-soft text-brand">
          <Icon aria-hidden="true" className="size-6" />
        </span>
        <h3 className="mt-5 text-section font-semibold">{texts.roles[role]}</h3>
        <p className="mt-1.5 mb-6 text-ui text-ink-2">{texts.landing.roles[role]}</p>
        <span className="mt-auto inline-flex items-center gap-2 text-ui font-medium text-brand">
          {own ? texts.landing.toDashboard : fill(texts.landing.continueAs, { role: texts.roles[role] })}
          <ArrowRight aria-hidden="true" className="size-4 transition-[translate] group-hover:translate-x-0.5" />
        </span>
      </a>
    </li>
  );
}
