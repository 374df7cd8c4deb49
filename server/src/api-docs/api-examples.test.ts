import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { errorCodes } from '@waybill/contract';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { eventually, openTestProduct, type TestProduct } from '../testing/test-product.ts';

/** Runs the calls of docs/api.md in order over HTTP, and compares the responses with those on the page. */
const page = readFileSync(join(import.meta.dirname, '../../../docs/api.md'), 'utf8');
const blocks = [...page.matchAll(/^```(\w+) ?(\S*)\n(.*?)\n```$/gms)].map(
  ([, language = '', name = '', text = '']) => ({ language, name, text }),
);

let product: TestProduct;
let api: string;
beforeAll(async () => {
  product = await openTestProduct();
  api = `${await product.listen()}/api`;
  for (const [name, role] of [
    ['Anna Berg', 'owner'],
    ['Jonas Weber', 'driver'],
  ] as const)
    await product.api().auth.register({
      body: { name, email: `${name.toLowerCase().replace(' ', '.')}@example.com`, password: 'pond-heron-7', role },
    });
});
afterAll(() => product.close());

test('every call on the page gets the response that the page shows', async () => {
  const variables: Record<string, string> = {};
  const files: Record<string, string> = {};
  const known = knownNames();
  const streams: (() => Promise<void>)[] = [];
  let calls = 0;
  for (const [index, { language, name, text }] of blocks.entries()) {
    if (language === 'csv') files[name] = `${text}\n`;
    if (language !== 'sh') continue;
    const commands = readShell(text, variables);
    for (const command of commands) {
      const shown = readAnswer(blocks[index + 1]?.language === 'http' ? blocks[index + 1]?.text : undefined);
      const abort = new AbortController();
      const answer = await send(command.map(known.asReal), files, abort.signal);
      const where = `${command.join(' ')}:`;
      calls++;
      expect(`${answer.status}`, where).toBe(shown.status);
      for (const [header, value] of shown.headers)
        known.compare(value, answer.headers.get(header), `${where} ${header}`);
      if (shown.events.length === 0) {
        known.compare(JSON.parse(shown.body), await answer.json(), where);
        continue;
      }
      const came = collectEvents(answer);
      // Later calls of the page cause these events, so wait for them at the end. Hints of other calls may come in between.
      streams.push(async () => {
        await eventually(`${where} ${JSON.stringify(shown.events)}`, () =>
          haveCome(shown.events, came, (one, other) => known.agree(one, other)),
        );
        abort.abort();
      });
    }
  }
  for (const compareEvents of streams) await compareEvents();
  expect(calls).toBeGreaterThan(12);
});

test('the page lists every error code with its status', () => {
  const listed = [...page.matchAll(/^\| `(\w+)` \| (\d+) \|/gm)].map(([, code, status]) => [code, Number(status)]);
  expect(listed).toEqual(Object.entries(errorCodes));
});

/** Parses the commands of a shell block into words. Assignments are stored in `variables` for later commands. */
function readShell(text: string, variables: Record<string, string>): string[][] {
  const commands: string[][] = [];
  for (const line of text.replaceAll('\\\n', ' ').match(/(?:'[^']*'|"[^"]*"|[^'"\n])+/g) ?? []) {
    const [, variable, value] = /^([A-Z]+)=(\S+)$/.exec(line) ?? [];
    if (variable && value) variables[variable] = variable === 'API' ? api : value;
    else if (line.startsWith('curl ')) commands.push(wordsOf(line, variables).slice(1));
    else throw new Error(`neither an assignment nor a call: ${line}`);
  }
  return commands;
}

const wordsOf = (line: string, variables: Record<string, string>): string[] =>
  (line.match(/(?:'[^']*'|"[^"]*"|[^\s'"])+/g) ?? []).map((word) =>
    word.replaceAll(/'([^']*)'|"([^"]*)"|([^'"]+)/g, (_, single?: string, double?: string, bare?: string) =>
      single !== undefined
        ? single
        : (double ?? bare ?? '').replaceAll(/\$([A-Z]+)/g, (_dollar, name: string) => {
            if (!(name in variables)) throw new Error(`$${name} has no value yet`);
            return variables[name] ?? '';
          }),
    ),
  );

/** Sends the request that curl would send with these arguments. */
async function send(words: string[], files: Record<string, string>, signal: AbortSignal): Promise<Response> {
  let url = '';
  let method: string | null = null;
  let body: string | undefined;
  const headers = new Headers();
  for (let at = 0; at < words.length; at++) {
    const word = words[at] ?? '';
    if (/^-[iN]+$/.test(word)) continue;
    if (word.startsWith('http')) {
      url = word;
      continue;
    }
    const value = words[++at] ?? '';
    if (word === '-X') method = value;
    else if (word === '-H') headers.append(value.split(': ')[0] ?? '', value.slice(value.indexOf(': ') + 2));
    else if (word === '-d') body = value;
    else if (word === '--data-binary') body = files[value.slice(1)] ?? '';
    else throw new Error(`the page uses ${word}, which this test does not know`);
  }
  return fetch(url, {
    method: method ?? (body === undefined ? 'GET' : 'POST'),
    headers,
    signal,
    ...(body && { body }),
  });
}

/** Parses a response on the page. */
function readAnswer(text = '') {
  const [head = '', body = ''] = text.split(/\n\n(.*)/s);
  const [first = '', ...headers] = head.split('\n');
  const events = [...body.matchAll(/^event: (.*)\ndata: (.*)$/gm)].map(([, event, data = '']) => ({
    event,
    data: JSON.parse(data) as unknown,
  }));
  const status = /^HTTP\/1\.1 (\d{3}) /.exec(first)?.[1];
  return { status, headers: headers.map((line) => line.split(/: (.*)/s) as [string, string]), body, events };
}

function collectEvents(answer: Response): unknown[] {
  const events: unknown[] = [];
  const read = async () => {
    let rest = '';
    for await (const chunk of answer.body?.pipeThrough(new TextDecoderStream()) ?? []) {
      rest += chunk;
      const whole = rest.slice(0, rest.lastIndexOf('\n\n') + 2);
      rest = rest.slice(whole.length);
      for (const [, event, data = ''] of whole.matchAll(/^event: (.*)\ndata: (.*)$/gm))
        events.push({ event, data: JSON.parse(data) as unknown });
    }
  };
  // It ends when the test aborts the request.
  void read().catch(() => {});
  return events;
}

/** Whether all shown events have arrived, in this order. */
function haveCome(shown: unknown[], came: unknown[], agree: (one: unknown, other: unknown) => boolean): boolean {
  let at = 0;
  return shown.every((event) => {
    while (at < came.length && !agree(event, came[at])) at++;
    return at++ < came.length;
  });
}

const uuid = /^[\da-f]{8}-[\da-f]{4}-7[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/;
const trackingId = /^PKG-[A-Z0-9]{8}$/;
const token = /^[\w-]{40,}$/;
const instant = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/;

/** Maps the ids, tracking IDs and tokens on the page to real ones: each is bound by the first response that has it. */
function knownNames() {
  const real = new Map<string, string>();
  const asReal = (text: string) => [...real].reduce((so, [shown, name]) => so.replaceAll(shown, name), text);

  const compareTexts = (shown: string, came: string, where: string) => {
    if (instant.test(shown)) return expect(came, where).toMatch(instant);
    for (const kind of [uuid, trackingId, token]) {
      if (!kind.test(shown)) continue;
      expect(came, where).toMatch(kind);
      if (!real.has(shown)) real.set(shown, came);
      return expect(came, where).toBe(real.get(shown));
    }
    const pattern = asReal(shown)
      .split('…')
      .map((part) => part.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`))
      .join('.+');
    return expect(came, where).toMatch(new RegExp(`^${pattern}$`, 's'));
  };

  const compare = (shown: unknown, came: unknown, where: string): void => {
    if (typeof shown === 'string' && typeof came === 'string') return compareTexts(shown, came, where);
    if (typeof shown !== 'object' || shown === null || typeof came !== 'object' || came === null)
      return expect(came, where).toEqual(shown);
    expect(Array.isArray(came), where).toBe(Array.isArray(shown));
    const expected = Object.entries(shown).filter(([name]) => name !== '…');
    // A field '…' stands for fields that the page omits.
    if (expected.length === Object.keys(shown).length)
      expect(Object.keys(came).toSorted(), where).toEqual(Object.keys(shown).toSorted());
    for (const [name, value] of expected) {
      expect(came, where).toHaveProperty([name]);
      compare(value, (came as Record<string, unknown>)[name], `${where} ${name}`);
    }
  };
  const agree = (shown: unknown, came: unknown): boolean => {
    try {
      compare(shown, came, '');
      return true;
    } catch {
      return false;
    }
  };
  return { asReal, compare, agree };
}
