import { texts } from '../../platform/texts.ts';
import { CopyButton } from '../../ui/CopyButton.tsx';

const command = 'npm start';
const operations = Number(import.meta.env.VITE_OPERATIONS);

/** What somebody who installs it wants to know. Only what is counted or tested: see public-pages.e2e.ts. */
export function InstallProof() {
  const { landing } = texts;
  const facts = [
    { count: 1, text: landing.commands },
    { count: 0, text: landing.requests },
    { count: operations, text: landing.operations },
  ];
  return (
    <section aria-labelledby="proof" className="landing-proof">
      <div className="page grid gap-12 py-16 md:py-24 lg:grid-cols-2 lg:items-center">
        <div>
          <h2 id="proof" className="whitespace-pre-line">
            {landing.proofTitle}
          </h2>
          <p className="mt-5 max-w-[30rem] text-[1.125rem]/7 text-on-stage/75">{landing.proofLead}</p>
          <dl className="mt-8 grid grid-cols-[auto_minmax(0,1fr)] gap-x-4 gap-y-3 text-body">
            {facts.map(({ count, text }) => (
              <div key={text} className="contents">
                <dt className="text-right font-semibold figures">{count}</dt>
                <dd className="text-balance text-on-stage/75">{text}</dd>
              </div>
            ))}
          </dl>
        </div>
        <div className="landing-terminal">
          <div className="flex min-h-11 items-center justify-between border-b border-on-stage/15 pr-1 pl-5">
            <span className="text-table text-on-stage/75">~/waybill</span>
            <span className="noscript:hidden">
              <CopyButton text={command} label={landing.copyCommand} />
            </span>
          </div>
          <pre className="overflow-x-auto px-5 py-6 text-ui/7">
            <span className="text-on-stage/60">$ </span>
            {command}
            {'\n'}
            <span className="text-on-stage/75">{'  Web   http://127.0.0.1:3000\n  Data  ./data'}</span>
          </pre>
        </div>
      </div>
    </section>
  );
}
