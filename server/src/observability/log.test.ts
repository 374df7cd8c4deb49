import { expect, test } from 'vitest';
import { asSentence, openLog } from './log.ts';

function logging(write: (log: ReturnType<typeof openLog>) => void): { text: string; line: Record<string, unknown> } {
  let text = '';
  write(openLog('info', { write: (line: string) => void (text += line) }));
  return { text, line: JSON.parse(text) as Record<string, unknown> };
}

const secret = 'quill@example.com';
const error = Object.assign(new Error(`duplicate key: ${secret}`), {
  code: '23505',
  detail: `Key (email)=(${secret}) already exists.`,
  where: secret,
});

test('only allow-listed fields are logged', () => {
  const { text, line } = logging((log) =>
    log.warn(
      {
        requestId: 'abc',
        status: 503,
        reason: 'busy',
        email: secret,
        user: { email: secret },
        headers: { authorization: secret },
        body: secret,
        route: { url: secret },
        id: [secret],
      },
      'a request failed',
    ),
  );
  expect(text).not.toContain(secret);
  expect(line).toEqual({
    level: 40,
    time: expect.any(String) as string,
    requestId: 'abc',
    status: 503,
    reason: 'busy',
    msg: 'a request failed',
  });
});

test('requests, replies and errors are logged without their contents', () => {
  const { text, line } = logging((log) =>
    log.error(
      {
        req: {
          id: 'abc',
          method: 'GET',
          url: `/api/users?q=${secret}`,
          headers: { authorization: secret },
          routeOptions: { url: '/users' },
          body: secret,
        },
        res: { statusCode: 500, payload: secret },
        err: error,
      },
      'a request failed',
    ),
  );
  expect(text).not.toContain(secret);
  expect(line).toMatchObject({
    req: { id: 'abc', method: 'GET', route: '/users' },
    res: { status: 500 },
    err: { type: 'Error', code: '23505', stack: expect.stringMatching(/^\s+at .*log\.test\.ts/) as string },
  });
});

test('an error logged without a message is logged without its own message and details', () => {
  const { text, line } = logging((log) => log.error(error));
  expect(text).not.toContain(secret);
  expect(line).toMatchObject({ msg: 'an error', err: { code: '23505' } });
});

const line = JSON.stringify({
  level: 50,
  time: '2026-11-22T10:20:30.000Z',
  status: 500,
  msg: 'a request failed',
  reason: 'over\u001b[2Jwritten\r\nwith more',
  stack: 'Error: over\n    at one (a.ts:1:2)\n    at two (b.ts:3:4)',
});

test('the text format is a time and a sentence with the stack below, and control characters are replaced', () => {
  expect(asSentence(line, false)).toBe(
    '10:20:30 ✖ a request failed status=500 reason=over?[2Jwritten? with more\n' +
      '         Error: over\n         at one (a.ts:1:2)\n         at two (b.ts:3:4)\n',
  );
});

test('on a terminal with colours, errors are red', () => {
  expect(asSentence(line, true)).toContain('\u001b[31m✖ a request failed\u001b[39m');
  const info = JSON.stringify({ level: 30, time: '2026-11-22T10:20:30.000Z', msg: 'ready' });
  expect(asSentence(info, true)).not.toContain('\u001b[31m');
});
