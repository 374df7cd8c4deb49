import { Children } from 'react';
import type { ReactNode } from 'react';

interface FilledProps {
  /** A text with `{name}` placeholders. */
  text: string;
  values: Readonly<Record<string, ReactNode>>;
}

/** A text with elements in place of its placeholders: `<Filled text={texts.contact.waiting} values={{ trackingPage: <TextLink … /> }} />`. */
export function Filled({ text, values }: FilledProps) {
  const parts = text.split(/\{(\w+)\}/).map((part, index) => (index % 2 === 1 ? values[part] : part));
  return Children.toArray(parts);
}
