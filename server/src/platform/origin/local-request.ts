import type { IncomingHttpHeaders } from 'node:http';
import { isLoopback } from './addresses.ts';

interface RequestHeaders {
  headers: IncomingHttpHeaders;
}

/** The host name in a `Host` or `Origin` header, without the port; null if it is missing or malformed. */
function hostIn(value: string | undefined): string | null {
  if (value === undefined) return null;
  try {
    return new URL(value.includes('://') ? value : `http://${value}`).hostname;
  } catch {
    return null;
  }
}

const isForwarded = (name: string) => /^(forwarded|via|x-real-ip|x-forwarded-.*)$/.test(name);

/**
 * Whether a request comes from this machine, by its own headers: `Host` and `Origin` are loopback names, and no proxy has forwarded it.
 * Listening on a loopback address is not enough: there may be a proxy in front without TRUST_PROXY, and any web page's domain can resolve
 * to 127.0.0.1 (DNS rebinding).
 */
export function isLocalRequest({ headers }: RequestHeaders): boolean {
  const names = [headers.host, ...(headers.origin === undefined ? [] : [headers.origin])];
  return names.every((name) => isLoopback(hostIn(name) ?? '')) && !Object.keys(headers).some(isForwarded);
}
