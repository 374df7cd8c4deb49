import { useId } from 'react';

interface FooterListProps {
  title: string;
  links: readonly { label: string; href: string }[];
}

export function FooterList({ title, links }: FooterListProps) {
  const titleId = useId();
  return (
    <nav aria-labelledby={titleId}>
      <h2 id={titleId} className="text-ui font-semibold text-ink">
        {title}
      </h2>
      <ul className="mt-2">
        {links.map(({ label, href }) => (
          <li key={href}>
            <a
              href={href}
              className="inline-flex min-h-9 items-center rounded-control text-ui text-ink-2 transition-colors hover:text-ink hover:underline hover:underline-offset-4"
            >
              {label}
            </a>
          </li>
        ))}
      </ul>
    </nav>
  );
}
