import type { Role } from '@waybill/contract';
import { roles } from '@waybill/contract';
import { ArrowDown, ArrowRight, Search } from 'lucide-react';
import type { ComponentType } from 'react';
import { texts } from '../../platform/texts.ts';
import { Button } from '../../ui/Button.tsx';
import { Input } from '../../ui/Input.tsx';
import { LinkButton } from '../../ui/LinkButton.tsx';
import { FeatureCard } from './FeatureCard.tsx';
import { features } from './features.ts';
import { InstallProof } from './InstallProof.tsx';
import type { PictureName } from './picture.ts';
import { RoleCard } from './RoleCard.tsx';
import { useReplay } from './useReplay.ts';

interface LandingProps {
  /** The role of the signed-in user, whose card links to the dashboard. */
  role: Role | null;
  /** Stores a role for the registration form. Absent: the link passes the role in its URL. */
  onChooseRole?: (role: Role) => void;
  /** Draws a picture: LandingPicture, or what the server has drawn with it. */
  Picture: ComponentType<{ name: PictureName }>;
}

export function Landing({ role, onChooseRole, Picture }: LandingProps) {
  const { landing } = texts;
  const picture = useReplay();
  return (
    <div className="landing">
      <section className="landing-hero">
        <div className="page landing-grid">
          <div className="landing-words">
            <h1>{landing.title}</h1>
            <p className="landing-lead">{landing.lead}</p>
            {/* A plain form, so that it works without JavaScript; left empty, it leads to the tracker as well. */}
            <form action="/track" method="get" role="search" className="landing-form">
              <Input
                name="id"
                aria-label={landing.trackingId}
                icon={<Search />}
                code
                size="lg"
                placeholder="PKG-XXXXXXXX"
                autoComplete="off"
                autoCapitalize="characters"
                spellCheck={false}
                enterKeyHint="search"
                maxLength={200}
              />
              <Button type="submit" size="xl">
                {landing.track}
              </Button>
            </form>
            <p className="mt-5 flex flex-wrap items-center gap-x-6 gap-y-1">
              <a
                href="#features"
                className="inline-flex min-h-11 items-center gap-2 text-body font-semibold hover:underline"
              >
                {landing.more}
                <ArrowDown aria-hidden="true" className="size-4.5" />
              </a>
              <span className="text-ui text-kraft-ink">{landing.sample}</span>
            </p>
          </div>
          <figure className="landing-picture">
            <div ref={picture} aria-hidden="true" inert>
              <Picture name="hero" />
            </div>
            <figcaption className="sr-only">{landing.picture}</figcaption>
          </figure>
        </div>
      </section>

      <section aria-labelledby="roles" className="bg-surface">
        <div className="page py-16 md:py-28">
          <h2 id="roles">{landing.rolesTitle}</h2>
          <p className="landing-sublead">{landing.rolesLead}</p>
          <ul className="mt-9 grid grid-cols-1 gap-5 md:mt-12 lg:grid-cols-3">
            {roles.map((roleName) => (
              <RoleCard
                key={roleName}
                role={roleName}
                own={roleName === role}
                onChoose={() => onChooseRole?.(roleName)}
                Picture={Picture}
              />
            ))}
          </ul>
        </div>
      </section>

      <section id="features" aria-labelledby="features-title" className="bg-kraft">
        <div className="page py-16 md:py-28">
          <h2 id="features-title">{landing.featuresTitle}</h2>
          <p className="landing-sublead">{landing.featuresLead}</p>
          <ul className="landing-bento">
            {features.map((feature) => (
              <FeatureCard key={feature} name={feature} Picture={Picture} />
            ))}
          </ul>
        </div>
      </section>

      <InstallProof />

      <section aria-labelledby="start" className="landing-start">
        <div className="page flex flex-col items-start justify-between gap-6 py-16 md:flex-row md:items-center md:py-24">
          <div>
            <h2 id="start">{landing.startTitle}</h2>
            <p className="landing-sublead">{landing.start}</p>
          </div>
          <LinkButton size="xl" href="/register">
            {landing.createAccount}
            <ArrowRight aria-hidden="true" className="size-5" />
          </LinkButton>
        </div>
      </section>
    </div>
  );
}
