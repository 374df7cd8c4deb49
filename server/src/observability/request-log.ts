import type { Ctx } from '../ctx.ts';
import type { OnAnswered } from '../platform/http/answered-request.ts';

/**
 * Logs requests according to LOG_REQUESTS: the route template instead of the path, which may contain an id, and the caller's address,
 * which blocking attackers requires, but no other personal data.
 * @returns null if it logs nothing
 */
export function openRequestLog({
  log,
  config: { LOG_REQUESTS: mode },
}: Pick<Ctx, 'log' | 'config'>): OnAnswered | null {
  // Decided once at start-up: a hook costs time on every request, even if it logs nothing.
  if (mode === 'off' && !log.isLevelEnabled('debug')) return null;
  return ({ id: requestId, method, route, status, ms, code, address }) => {
    const line = { requestId, method, route, status, ms: Math.round(ms) };
    const refused = status >= 400 && status < 500;
    if (refused && mode !== 'off')
      log.warn({ ...line, code: code ?? 'none', address: address() }, 'a request was refused');
    else if (mode === 'all') log.info({ ...line, address: address() }, 'request');
    else log.debug(line, 'request');
  };
}
