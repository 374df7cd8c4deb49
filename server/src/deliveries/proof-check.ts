// Its functions run in the page of a bundle, in any browser and without a network: proof-page.ts puts their text there. So they use nothing
// from outside but `checks` and each other.

export interface ProofBundle {
  /** Its link in the chain; null for a delivery from before there was one. `salt` is null once the texts were removed. */
  link: { number: number; content: string; salt: string | null; hash: string; previousHash: string } | null;
  /** SHA-256 of the contents of the links after it, in order, up to `head`. Hashes are hexadecimal. */
  following: string[];
  head: { number: number; hash: string } | null;
  receivedBy: string | null;
  note: string | null;
  /** Base64. */
  photo: string | null;
  signature: string | null;
}

export const checks = ['photo', 'signature', 'texts', 'chain'] as const;
export type Check = (typeof checks)[number];

/** Recomputes every hash. @returns per check whether it holds; null where nothing was recorded that could be compared */
export async function checkProof(bundle: ProofBundle): Promise<Record<Check, boolean | null>> {
  const { link, head } = bundle;
  if (!link) return { photo: null, signature: null, texts: null, chain: null };
  const encoder = new TextEncoder();
  const hashOf = async (...parts: Uint8Array[]): Promise<string> => {
    const all = Uint8Array.from(parts.flatMap((part) => [...part]));
    return [...new Uint8Array(await crypto.subtle.digest('SHA-256', all))]
      .map((byte) => byte.toString(16).padStart(2, '0'))
      .join('');
  };
  const bytesOf = (hex: string) => Uint8Array.from(hex.match(/../g) ?? [], (byte) => Number.parseInt(byte, 16));
  const recorded = JSON.parse(link.content) as Record<string, string | null | undefined>;
  const isFile = async (field: 'photo' | 'signature') => {
    const hash = recorded[field] ?? null;
    const image = bundle[field];
    if (hash === 'unknown' || (hash === null && image === null)) return null;
    // Removed after its retention period, as the texts were.
    if (image === null) return link.salt === null ? null : false;
    return hash === (await hashOf(Uint8Array.from(atob(image), (char) => char.charCodeAt(0))));
  };
  const isText = async (field: 'receivedBy' | 'note') => {
    const text = bundle[field];
    const hash = text === null ? null : await hashOf(bytesOf(link.salt ?? ''), encoder.encode(text));
    return hash === (recorded[field] ?? null);
  };
  let hash = await hashOf(bytesOf(link.previousHash), bytesOf(await hashOf(encoder.encode(link.content))));
  const follows = hash === link.hash;
  for (const next of bundle.following) hash = await hashOf(bytesOf(hash), bytesOf(next));
  return {
    photo: await isFile('photo'),
    signature: await isFile('signature'),
    texts: link.salt === null ? null : (await isText('receivedBy')) && (await isText('note')),
    chain: follows && head?.hash === hash && head.number === link.number + bundle.following.length,
  };
}

interface PageElement {
  textContent: string | null;
  dataset: Record<string, string | undefined>;
}

/** Checks what the page has, and shows the result. */
export async function showResult(page: { getElementById(id: string): PageElement | null }): Promise<void> {
  const verdict = page.getElementById('verdict');
  const say = (state: string) => {
    if (!verdict) return;
    verdict.dataset.state = state;
    verdict.textContent = verdict.dataset[state] ?? '';
  };
  try {
    const bundle = JSON.parse(page.getElementById('bundle')?.textContent ?? '') as ProofBundle;
    const results = await checkProof(bundle);
    for (const check of checks) {
      const item = page.getElementById(check);
      if (item) item.dataset.state = results[check] === null ? 'none' : results[check] ? 'holds' : 'fails';
    }
    const failed = Object.values(results).includes(false);
    say(bundle.link === null ? 'without' : failed ? 'changed' : 'intact');
  } catch {
    say('unable');
  }
}
