import { fill, type Receipt } from '@waybill/contract';
import type { Texts } from '@waybill/contract/texts/en';
import { checkProof, checks, showResult, type ProofBundle } from './proof-check.ts';

/** The functions as they run here: JavaScript, without types. */
const script = `const checks = ${JSON.stringify(checks)};
${checkProof.toString()}
${showResult.toString()}
void showResult(document);`;

const escapes: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };
const escape = (text: string) => text.replace(/[&<>"]/g, (char) => escapes[char] ?? char);

const style = `
  :root { color-scheme: light dark; font: 16px/1.5 system-ui, sans-serif; --ink: #1b1f24; --muted: #5c6670; --line: #d9dee3; --surface: #fff; --ok: #17703a; --bad: #b3261e; }
  @media (prefers-color-scheme: dark) { :root { --ink: #eef1f4; --muted: #a3adb7; --line: #38414a; --surface: #14181c; --ok: #6fd697; --bad: #ff9d94; } }
  body { margin: 0 auto; max-width: 46rem; padding: 2rem 1.25rem 4rem; color: var(--ink); background: var(--surface); }
  h1 { font-size: 1.5rem; margin: 0 0 .25rem; } h2 { font-size: 1.125rem; margin: 2rem 0 .5rem; }
  code { font-family: ui-monospace, monospace; overflow-wrap: anywhere; } .muted { color: var(--muted); }
  #verdict { margin: 1.25rem 0; padding: .875rem 1rem; border: 2px solid var(--line); border-radius: .5rem; font-weight: 600; }
  #verdict[data-state=intact] { border-color: var(--ok); color: var(--ok); } #verdict[data-state=changed] { border-color: var(--bad); color: var(--bad); }
  dl { display: grid; grid-template-columns: minmax(8rem, max-content) 1fr; gap: .375rem 1.25rem; margin: 0; }
  dt { color: var(--muted); } dd { margin: 0; overflow-wrap: anywhere; }
  ul { list-style: none; padding: 0; margin: 0; } li { padding: .375rem 0 .375rem 1.75rem; position: relative; }
  li::before { content: '…'; position: absolute; left: 0; font-weight: 700; }
  li[data-state=holds]::before { content: '✓'; color: var(--ok); } li[data-state=fails]::before { content: '✗'; color: var(--bad); } li[data-state=none]::before { content: '–'; }
  img { max-width: 100%; border: 1px solid var(--line); border-radius: .5rem; background: #fff; }`;

/** An image of the bundle. */
export interface ProofImage {
  type: string;
  bytes: Buffer;
}

export interface PageContent {
  bundle: ProofBundle;
  receipt: Receipt;
  organisation: string;
  images: { photo: ProofImage | null; signature: ProofImage | null };
  texts: Texts;
}

/** One file with everything in it: it loads nothing, and says what it checked. */
export function renderProofPage({ bundle, receipt, organisation, images, texts }: PageContent): string {
  const { proofPage: t, locale } = texts;
  const time = (iso: string | null | undefined) =>
    iso &&
    new Intl.DateTimeFormat(locale, { dateStyle: 'long', timeStyle: 'long', timeZone: 'UTC' }).format(new Date(iso));
  const recorded = JSON.parse(bundle.link?.content ?? '{}') as {
    deviceTime?: string | null;
    recordedAt?: string;
    pin?: string | null;
    ageChecked?: number | null;
  };
  const facts = [
    [t.package, `${receipt.packageName} (${receipt.trackingId})`],
    [t.recordedAt, time(recorded.recordedAt ?? receipt.completedAt)],
    [t.deviceTime, time(recorded.deviceTime)],
    [t.receivedBy, bundle.receivedBy],
    [t.note, bundle.note],
    [t.pin, recorded.pin === 'given' ? t.pinGiven : recorded.pin === 'waived' ? t.pinWaived : null],
    [t.age, recorded.ageChecked ? fill(t.ageChecked, { age: recorded.ageChecked }) : null],
    [t.place, receipt.proof.place],
    [t.driver, receipt.driver],
    [t.sender, receipt.sender],
  ].flatMap(([name, value]) => (name && value ? `<dt>${escape(name)}</dt><dd>${escape(value)}</dd>` : []));
  const { link, head } = bundle;
  const results = {
    photo: t.checkPhoto,
    signature: t.checkSignature,
    texts: link?.salt === null ? t.textsRemoved : t.checkTexts,
    chain: fill(t.checkChain, { number: link?.number ?? 0, following: bundle.following.length }),
  };
  const items = Object.entries(results)
    .filter(([name]) => (name === 'photo' || name === 'signature' ? images[name] !== null : link !== null))
    .map(([name, text]) => `<li id="${name}">${escape(text)}</li>`);
  const picture = (name: 'photo' | 'signature') => {
    const image = images[name];
    return image
      ? `<h2>${escape(t[name])}</h2><img alt="${escape(t[name])}" src="data:${image.type};base64,${image.bytes.toString('base64')}">`
      : '';
  };
  const shown =
    link && head ? new Map([link, head].map(({ number, hash }) => [number, hash])) : new Map<number, string>();
  const hashes = Array.from(
    shown,
    ([number, hash]) => `<dt>${escape(fill(t.linkAt, { number }))}</dt><dd><code>${hash}</code></dd>`,
  );
  const comparison = hashes.length > 0 ? `<p>${escape(t.compare)}</p><dl>${hashes.join('')}</dl>` : '';
  const states = { intact: t.intact, changed: t.changed, without: t.without, unable: t.unable };
  return `<!doctype html>
<html lang="${locale}">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; img-src data:; style-src 'unsafe-inline'; script-src 'unsafe-inline'">
<title>${escape(`${t.title} ${receipt.trackingId}`)}</title>
<style>${style}</style>
<h1>${escape(t.title)}</h1>
<p class="muted">${escape(organisation)} · ${escape(receipt.number)}</p>
<p id="verdict" role="status" ${Object.entries(states)
    .map(([state, text]) => `data-${state}="${escape(text)}"`)
    .join(' ')}>${escape(t.checking)}</p>
<dl>${facts.join('')}</dl>
${picture('photo')}${picture('signature')}
<h2>${escape(t.checksTitle)}</h2>
<ul>${items.join('')}</ul>
<p class="muted">${escape(t.how)}</p>
${comparison}
<script id="bundle" type="application/json">${JSON.stringify(bundle).replaceAll('<', String.raw`\u003c`)}</script>
<script type="module">${script}</script>
</html>
`;
}
