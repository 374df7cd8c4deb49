import type { Role } from '@waybill/contract';
import { roles } from '@waybill/contract';
import { ArrowRight, Search } from 'lucide-react';
import { texts } from '../../platform/texts.ts';
import { LinkButton } from '../../ui/LinkButton.tsx';
import { FeatureCard } from './FeatureCard.tsx';
import { features } from './features.ts';
import { HeroPicture } from './HeroPicture.tsx';
import { RoleCard } from './RoleCard.tsx';

interface LandingProps {
  /** The role of the signed-in user, whose card links to the dashboard. */
  role: Role | null;
  /** Stores a role for the registration form. Absent: the link passes the role in its URL. */
  onChooseRole?: (role: Role) => void;
}

export function Landing({ role, onChooseRole }: LandingProps) {
  const { landing } = texts;
  return (
    <>
      <section className="page grid grid-cols-1 items-center gap-12 pt-12 pb-20 md:pt-20 lg:grid-cols-[1.15fr_1fr] lg:gap-16 lg:pb-28">
        <div>
          <h1 className="text-[min(2.5rem,13vw)] leading-[1.1] font-semibold tracking-[-0.03em] text-ink md:text-hero md:leading-[3.625rem]">
            {landing.title}
          </h1>
          <p className="mt-5 max-w-[34rem] text-body text-ink-2 md:text-[1.125rem] md:leading-7">{landing.lead}</p>
          <div className="mt-8 flex flex-col gap-3 sm:flex-row">
            <LinkButton size="lg" href="/track" icon={<Search aria-hidden="true" className="size-5" />}>
              {landing.track}
            </LinkButton>
            <LinkButton size="lg" variant="secondary" href="#features">
              {landing.more}
            </LinkButton>
          </div>
        </div>
        <HeroPicture />
      </section>

      <section aria-labelledby="roles" className="border-y border-line bg-surface">
        <div className="page py-16 md:py-20">
          <h2 id="roles" className="text-title font-semibold md:text-stat">
            {landing.rolesTitle}
          </h2>
          <p className="mt-2 max-w-prose text-body text-ink-2">{landing.rolesLead}</p>
          <ul className="mt-9 grid grid-cols-1 gap-4 md:grid-cols-3">
            {roles.map((roleName) => (
              <RoleCard
                key={roleName}
                role={roleName}
                own={roleName === role}
                onChoose={() => onChooseRole?.(roleName)}
              />
            ))}
          </ul>
        </div>
      </section>

      <section id="features" aria-labelledby="features-title" className="page py-16 md:py-24">
        <h2 id="features-title" className="text-title font-semibold md:text-stat">
          {landing.featuresTitle}
        </h2>
        <p className="mt-2 max-w-prose text-body text-ink-2">{landing.featuresLead}</p>
        <ul className="mt-9 grid grid-cols-1 gap-x-10 gap-y-10 sm:grid-cols-2 lg:grid-cols-3">
          {features.map((feature) => (
            <FeatureCard key={feature.name} {...feature} />
          ))}
        </ul>
      </section>

      <section aria-labelledby="start" className="page">
        <div className="flex flex-col items-start justify-between gap-6 rounded-sheet bg-stage px-6 py-10 md:flex-row md:items-center md:px-12 md:py-14">
          <div>
            <h2 id="start" className="text-title font-semibold text-on-stage md:text-stat">
              {landing.startTitle}
            </h2>
            <p className="mt-2 max-w-prose text-body text-on-stage/80">{landing.start}</p>
          </div>
          <a
            href="/register"
            className="inline-flex min-h-12 items-center py-2 gap-2 rounded-control bg-on-stage px-5 text-body font-medium text-stage transition-opacity hover:opacity-90"
          >
            {landing.createAccount}
            <ArrowRight aria-hidden="true" className="size-5" />
          </a>
        </div>
      </section>
    </>
  );
}
