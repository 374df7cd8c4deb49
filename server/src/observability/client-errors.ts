import { clientErrors, withoutPersonalData, type ClientErrorReport } from '@waybill/contract';
import type { FastifyInstance } from 'fastify';
import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible';
import type { Ctx } from '../ctx.ts';
import { networkOf } from '../platform/origin/addresses.ts';
import { AppError } from '../platform/errors.ts';
import { bind } from '../platform/http/http.ts';

/** Rate limits per process: reports a minute per network and in total. In memory, so that a flood causes no database writes. */
const perAddress = { points: 10, duration: 60 };
const inTotal = { points: 60, duration: 60 };

/** Deduplication of log lines: the set of logged errors is cleared after 500 different ones and after an hour. */
const maxLoggedErrors = 500;
const deduplicationMs = 3_600_000;

/** The number of reports that this process received, by kind and browser, for the metrics. */
export const clientErrorCounts = new Map<string, { kind: string; browser: string; count: number }>();

/** Receives error reports from browsers: counts all of them, logs each different one once an hour. */
export function clientErrorsHttp(app: FastifyInstance, ctx: Ctx): void {
  const limiters = { address: new RateLimiterMemory(perAddress), all: new RateLimiterMemory(inTotal) };
  let logged = new Set<string>();
  let loggedSince = performance.now();

  const checkRateLimits = async (address: string) => {
    if (!ctx.config.RATE_LIMITS) return;
    try {
      await limiters.address.consume(networkOf(address));
      await limiters.all.consume('all');
    } catch (refusal) {
      const waitMs = refusal instanceof RateLimiterRes ? refusal.msBeforeNext : 1000;
      throw new AppError('too_many_requests', 'Too many requests. Please wait a moment and try again.', {
        retryAfterSeconds: Math.max(1, Math.ceil(waitMs / 1000)),
      });
    }
  };

  const record = ({ kind, page, version, ...report }: ClientErrorReport, browser: string) => {
    const counted = clientErrorCounts.get(`${kind} ${browser}`) ?? { kind, browser, count: 0 };
    clientErrorCounts.set(`${kind} ${browser}`, { ...counted, count: counted.count + 1 });
    const reason = withoutPersonalData(report.message);
    const stack = report.stack && withoutPersonalData(report.stack);
    const fingerprint = JSON.stringify([kind, reason, stack?.split('\n').find((line) => line.includes(':')) ?? page]);
    if (logged.size >= maxLoggedErrors || performance.now() - loggedSince > deduplicationMs) {
      logged = new Set();
      loggedSince = performance.now();
    }
    if (logged.has(fingerprint)) return;
    logged.add(fingerprint);
    ctx.log.error({ kind, page, version, browser, reason, stack }, 'a page broke in a browser');
  };

  bind(app, ctx, clientErrors, {
    async report(_ctx, { body, request }) {
      await checkRateLimits(request.ip);
      record(body, browserOf(request.headers['user-agent']));
    },
  });
}

/** The order matters: most user agents also name the browsers that they are compatible with. */
const browsers: [RegExp, string][] = [
  [/\bEdg(e|A|iOS)?\//, 'Edge'],
  [/\bOPR\//, 'Opera'],
  [/\b(Firefox|FxiOS)\//, 'Firefox'],
  [/\b(Chrome|CriOS|HeadlessChrome)\//, 'Chrome'],
  [/\bSafari\//, 'Safari'],
];

const browserOf = (userAgent = ''): string => browsers.find(([pattern]) => pattern.test(userAgent))?.[1] ?? 'Other';
