import { clientErrors, withoutPersonalData, type ClientErrorReport } from '@waybill/contract';
import type { FastifyInstance } from 'fastify';
import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible';
import type { Ctx } from '../ctx.ts';
import { networkOf } from '../platform/origin/addresses.ts';
import { AppError } from '../platform/errors.ts';
import { bind } from '../platform/http/http.ts';

/** Reports a minute, in each process: of one address, and of all. In memory, so that a flood of reports writes nothing. */
const perAddress = { points: 10, duration: 60 };
const inAll = { points: 60, duration: 60 };

/** Different errors that are remembered as told; more than that in an hour are told again. */
const maxRemembered = 500;
const rememberedMs = 3_600_000;

/** How many reports this process took, by kind and browser, for the metrics. */
export const clientErrorCounts = new Map<string, { kind: string; browser: string; count: number }>();

/** Takes word of pages that broke in a browser: counts all of them, logs each kind once an hour. */
export function clientErrorsHttp(app: FastifyInstance, ctx: Ctx): void {
  const limiters = { address: new RateLimiterMemory(perAddress), all: new RateLimiterMemory(inAll) };
  let told = new Set<string>();
  let toldSince = performance.now();

  const take = async (address: string) => {
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

  const tell = ({ kind, page, version, ...report }: ClientErrorReport, browser: string) => {
    const counted = clientErrorCounts.get(`${kind} ${browser}`) ?? { kind, browser, count: 0 };
    clientErrorCounts.set(`${kind} ${browser}`, { ...counted, count: counted.count + 1 });
    const reason = withoutPersonalData(report.message);
    const stack = report.stack && withoutPersonalData(report.stack);
    const same = JSON.stringify([kind, reason, stack?.split('\n').find((line) => line.includes(':')) ?? page]);
    if (told.size >= maxRemembered || performance.now() - toldSince > rememberedMs) {
      told = new Set();
      toldSince = performance.now();
    }
    if (told.has(same)) return;
    told.add(same);
    ctx.log.error({ kind, page, version, browser, reason, stack }, 'a page broke in a browser');
  };

  bind(app, ctx, clientErrors, {
    async report(_ctx, { body, request }) {
      await take(request.ip);
      tell(body, familyOf(request.headers['user-agent']));
    },
  });
}

/** In this order, since most browsers also name the ones that they are like. */
const families: [RegExp, string][] = [
  [/\bEdg(e|A|iOS)?\//, 'Edge'],
  [/\bOPR\//, 'Opera'],
  [/\b(Firefox|FxiOS)\//, 'Firefox'],
  [/\b(Chrome|CriOS|HeadlessChrome)\//, 'Chrome'],
  [/\bSafari\//, 'Safari'],
];

const familyOf = (userAgent = ''): string => families.find(([pattern]) => pattern.test(userAgent))?.[1] ?? 'Other';
