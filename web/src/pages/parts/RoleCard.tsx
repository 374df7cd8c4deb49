import { fill, type Role } from '@waybill/contract';
import { ArrowRight } from 'lucide-react';
import type { ComponentType } from 'react';
import { texts } from '../../platform/texts.ts';
import { dashboardOf } from '../../users/dashboards.ts';
import type { PictureName } from './picture.ts';

interface RoleCardProps {
  role: Role;
  /** Whether the signed-in user has this role. */
  own: boolean;
  onChoose: () => void;
  Picture: ComponentType<{ name: PictureName }>;
}

export function RoleCard({ role, own, onChoose, Picture }: RoleCardProps) {
  return (
    <li className="landing-role group">
      <div aria-hidden="true" inert className={`landing-role-picture landing-role-${role}`}>
        <Picture name={role} />
      </div>
      <div className="flex grow flex-col p-6">
        <h3 className="text-section font-semibold">{texts.roles[role]}</h3>
        <p className="mt-1.5 mb-5 text-ui text-ink-2">{texts.landing.roles[role]}</p>
        {/* Covers the card. It does not contain it: the picture has links, and a link in a link ends the outer one. */}
        <a
          href={own ? dashboardOf(role) : `/register?role=${role}`}
          onClick={own ? undefined : onChoose}
          className="mt-auto inline-flex items-center gap-2 text-ui font-semibold text-brand after:absolute after:inset-0 after:rounded-[18px] after:content-['']"
        >
          {own ? texts.landing.toDashboard : fill(texts.landing.continueAs, { role: texts.roles[role] })}
          <ArrowRight
            aria-hidden="true"
            className="size-4 shrink-0 transition-[translate] group-hover:translate-x-0.5"
          />
        </a>
      </div>
    </li>
  );
}
