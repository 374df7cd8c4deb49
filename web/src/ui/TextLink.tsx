import type { ComponentPropsWithRef } from 'react';

/** A link inside running text. */
export function TextLink({
  children,
  ...rest
}: Omit<ComponentPropsWithRef<'a'>, 'className' | 'style'> & { href: string }) {
  return (
    <a
      {...rest}
      className="rounded-control font-medium text-brand underline decoration-brand/40 underline-offset-4 transition-colors hover:decoration-brand"
    >
      {children}
    </a>
  );
}
