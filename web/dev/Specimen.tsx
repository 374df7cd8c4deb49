import type { ReactNode } from 'react';

interface SectionProps {
  title: string;
  children: ReactNode;
}

/** A group of components, with an anchor: `/dev/gallery#forms`. */
export function Section({ title, children }: SectionProps) {
  return (
    <section id={title.toLowerCase()} aria-labelledby={`${title}-title`} className="mt-10">
      <h2 id={`${title}-title`} className="text-section font-semibold">
        {title}
      </h2>
      <div className="mt-4 flex flex-col gap-6">{children}</div>
    </section>
  );
}

interface SpecimenProps {
  /** The component's name. */
  name: string;
  children: ReactNode;
}

/** One component: its States side by side. */
export function Specimen({ name, children }: SpecimenProps) {
  return (
    <section aria-label={name} className="rounded-card border border-line bg-surface p-5">
      <h3 className="code text-ui text-ink-2">{name}</h3>
      <div className="mt-4 flex flex-wrap items-start gap-6">{children}</div>
    </section>
  );
}

interface StateProps {
  name: string;
  /** Takes the whole width. */
  wide?: boolean;
  children: ReactNode;
}

export function State({ name, wide = false, children }: StateProps) {
  return (
    <figure className={wide ? 'w-full min-w-0' : 'max-w-full min-w-0'}>
      <figcaption className="mb-2 text-meta text-ink-3">{name}</figcaption>
      {children}
    </figure>
  );
}
