import type { IncomingMessage, ServerResponse } from 'node:http';
import { trackingIdPattern } from '@waybill/contract';
import proxyAddr from '@fastify/proxy-addr';
import type { Ctx } from '../ctx.ts';
import { unavailable } from '../platform/errors.ts';
import type { OnAnswered } from '../platform/http/answered-request.ts';
import { apiHeaders } from '../platform/http/security-headers.ts';
import type { FastSlot, LoadShedding } from '../platform/load/load-shedding.ts';
import { networkOf } from '../platform/origin/addresses.ts';
import type { PublicLookup } from './service.ts';

type Handle = (request: IncomingMessage, response: ServerResponse) => void;

interface Surroundings {
  loadShedding: LoadShedding;
  requestIdOf: (request: IncomingMessage) => string;
  onAnswered: OnAnswered[];
  /** Lets Fastify answer. */
  handOver: Handle;
}

const path = '/api/track/';
const route = '/api/track/:id';

/**
 * Answers hits of the public lookup before Fastify, whose routing and hooks took a third of their time. Everything else is Fastify's: other
 * requests at once, and misses, refusals and failures of lookups after the fact (`PublicLookup.found`), so that their responses are defined
 * in one place. fast-lookup.test.ts compares the responses of both.
 * @returns whether it answers, now or later
 */
export function openFastLookup(
  { config }: Pick<Ctx, 'config'>,
  { find, limits, found }: PublicLookup,
  { loadShedding, requestIdOf, onAnswered, handOver }: Surroundings,
): (request: IncomingMessage, response: ServerResponse) => boolean {
  const { TRUST_PROXY: trusts } = config;
  const addressOf = (request: IncomingMessage): string =>
    trusts ? proxyAddr(request, trusts) : (request.socket.remoteAddress ?? '');
  const headers = { ...apiHeaders(config), 'content-type': 'application/json; charset=utf-8' };
  // As pairs in one array: Node sends those without a copy.
  const fixedHeaders = Object.entries(headers).flatMap(([name, value]) => [name, String(value)]);

  return (request, response) => {
    const trackingId = readTrackingId(request);
    if (trackingId === null) return false;
    const acquiredAt = performance.now();
    const slot: FastSlot = {
      load: 'lookups',
      caller: '',
      isSignedIn: false,
      deadline: 0,
      start: noop,
      place: -1,
      onTimeOut() {
        if (!response.headersSent) giveUp(timedOut());
        else if (loadShedding.leave(slot)) response.destroy();
      },
    };
    if (!loadShedding.enter(slot)) return false;
    const giveUp = (outcome: Promise<string | null>) => {
      if (!loadShedding.leave(slot)) return;
      found.set(request, outcome);
      handOver(request, response);
    };
    const id = requestIdOf(request);
    response.on('close', () => {
      if (!loadShedding.leave(slot) || !response.writableFinished || onAnswered.length === 0) return;
      const ms = performance.now() - acquiredAt;
      const address = () => addressOf(request);
      const answered = { id, method: 'GET', route, status: 200, ms, code: null, address };
      for (const observe of onAnswered) observe(answered);
    });
    const lookingUp = limits.lookUp(networkOf(addressOf(request)), trackingId, isNotSignedIn, () => find(trackingId));
    lookingUp.then(
      (view) => {
        if (view === null) return giveUp(lookingUp);
        // It has timed out, or the client has disconnected.
        if (!loadShedding.markResponding(slot)) return;
        const length = String(Buffer.byteLength(view));
        response.writeHead(200, [...fixedHeaders, 'x-request-id', id, 'content-length', length]).end(view);
      },
      () => giveUp(lookingUp),
    );
    return true;
  };
}

const noop = () => {};

/** Fastify may shed the request without looking at this, and a rejection that nobody handles ends the process. */
function timedOut(): Promise<never> {
  const outcome = Promise.reject(unavailable());
  outcome.catch(noop);
  return outcome;
}

const isNotSignedIn = async () => false;

/** The tracking ID of a GET without anything that a lookup might depend on, such as a session; else null. */
function readTrackingId({ method, url = '', headers }: IncomingMessage): string | null {
  if (method !== 'GET' || !url.startsWith(path)) return null;
  const id = url.slice(path.length);
  if (!trackingIdPattern.test(id)) return null;
  const { authorization, 'content-length': length, 'transfer-encoding': encoding } = headers;
  return authorization === undefined && length === undefined && encoding === undefined ? id : null;
}
