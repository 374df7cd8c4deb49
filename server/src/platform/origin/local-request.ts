import type { IncomingHttpHeaders } from 'node:http';
import { isLoopback } from './addresses.ts';

interface RequestHeaders {
  headers: IncomingHttpHeaders;
}

/** The host that a header names, without its port, or null where it cannot be read. */
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
 * Whether a request was made on this machine, as far as it says itself: for this machine by name, by no page of another origin and
 * through no proxy. A server that listens on a loopback address may still have a proxy in front that nobody told it of, and any web
 * page may have its own name lead to 127.0.0.1 (DNS rebinding).
 */
export function isLocalRequest({ headers }: RequestHeaders): boolean {
  const names = [headers.host, ...(headers.origin === undefined ? [] : [headers.origin])];
  return names.every((name) => isLoopback(hostIn(name) ?? '')) && !Object.keys(headers).some(isForwarded);
}
