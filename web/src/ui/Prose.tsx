import type { ReactNode } from 'react';

/** A page of text: a title and prose in one narrow column. */
export function Prose({ title, intro, children }: { title: string; intro: string; children: ReactNode }) {
  return (
    <article className="page py-12 md:py-20">
      <div className="mx-auto max-w-[42rem]">
        <h1 className="text-stat font-semibold md:text-eta">{title}</h1>
        <p className="mt-4 text-section text-ink-2">{intro}</p>
        <div className="mt-10 flex flex-col gap-5 text-body text-ink-2 [&_h2]:mt-5 [&_h2]:text-section [&_h2]:font-semibold [&_h2]:text-ink [&_ul:not([class])]:list-disc [&_ul:not([class])]:pl-5">
          {children}
        </div>
      </div>
    </article>
  );
}
