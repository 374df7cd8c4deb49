import type { Endpoint } from '@waybill/contract';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { AppError, unavailable } from './errors.ts';
import { errorReply } from './http.ts';

/**
 * Requests that one process carries at once, by class, each with room of its own: a flood of one kind leaves the others alone.
 * Counted in flight and not by the delay of the event loop, which does not see that the database is what they wait for.
 */
const room = { lookups: 256, files: 256, actions: 64, rest: 40, sign: 20, transfers: 8, health: Infinity };
export type LoadClass = keyof typeof room;
export const loadClasses = Object.keys(room) as LoadClass[];

/** For the body to arrive, for the handler, and for the answer to be taken; what carries files gets longer, in all. */
const patience = { readMs: 10_000, answerMs: 15_000, takenMs: 10_000, slowMs: 120_000, sweepMs: 1000 };

/** The class of an endpoint of the contract. Other routes say it in their `config.load`, or are files. */
export function loadClassOf(endpoint: Endpoint): LoadClass {
  const { access, body, file, method, path, reply, scope } = endpoint;
  if (file || body === 'csv' || reply === 'csv') return 'transfers';
  if (scope === 'whoever holds the tracking ID') return 'lookups';
  // Where a password is hashed.
  if (method !== 'GET' && /^\/auth\/(?!logout)|\/password$/.test(path)) return 'sign';
  if (method === 'POST' && typeof access === 'object' && access.role === 'driver') return 'actions';
  return 'rest';
}

declare module 'fastify' {
  interface FastifyContextConfig {
    load?: LoadClass;
  }
  interface FastifyRequest {
    /** The place that a request takes while it is under way. */
    place: Place | null;
  }
}

interface Place {
  load: LoadClass;
  request: FastifyRequest;
  reply: FastifyReply;
  /** When it has taken too long, by the monotonic clock. */
  until: number;
  slow: boolean;
  /** Its handler is at work; before, its body is being read. */
  handling: boolean;
  in: Crowd;
}

interface Crowd {
  patience: typeof patience;
  count: Record<LoadClass, number>;
  places: Set<Place>;
}

export interface Admission {
  inFlight(load: LoadClass): number;
  /** How many were turned away since the start. */
  shed(load: LoadClass): number;
}

const none = () => Object.fromEntries(loadClasses.map((load) => [load, 0])) as Record<LoadClass, number>;

/** Turns away what is too much before its body is read, and ends what takes too long. Holds for routes that come after it. */
export function admit(app: FastifyInstance, shedsLoad: boolean, shorter: Partial<typeof patience> = {}): Admission {
  const crowd: Crowd = { patience: { ...patience, ...shorter }, count: none(), places: new Set() };
  const { readMs, slowMs, sweepMs } = crowd.patience;
  const shed = none();

  const enter = (load: LoadClass) => {
    const most = shedsLoad ? room[load] : Infinity;
    const slow = load === 'transfers' || load === 'files';
    return (request: FastifyRequest, reply: FastifyReply, done: () => void) => {
      if (crowd.count[load] >= most) {
        shed[load]++;
        const busy = unavailable();
        reply.code(busy.status).header('retry-after', busy.retryAfterSeconds);
        // A body that is not read would keep the connection until Node's own limit.
        if (request.headers['content-length'] || request.headers['transfer-encoding'])
          reply.header('connection', 'close');
        void reply.send(errorReply(busy, request.id));
        return;
      }
      crowd.count[load]++;
      const until = performance.now() + (slow ? slowMs : readMs);
      request.place = { load, request, reply, until, slow, handling: false, in: crowd };
      crowd.places.add(request.place);
      // Comes after every answer, and when somebody hangs up before there is one.
      reply.raw.once('close', () => leavePlace(request));
      done();
    };
  };

  app.decorateRequest('place', null);
  app.addHook('onRoute', (route) => {
    const others = route.onRequest ?? [];
    route.onRequest = [
      enter(route.config?.load ?? (route.url.startsWith('/api') ? 'rest' : 'files')),
      ...(Array.isArray(others) ? others : [others]),
    ];
  });
  // What is not found is no route, but has a body all the same.
  const enterRest = enter('rest');
  const enterFiles = enter('files');
  app.addHook('onRequest', (request, reply, done) => {
    if (!request.is404) done();
    else if (request.method === 'GET') enterFiles(request, reply, done);
    else enterRest(request, reply, done);
  });
  // One timer for all: one for each request would be the dearest part of a lookup.
  const sweep = setInterval(() => {
    const now = performance.now();
    for (const place of crowd.places) if (now > place.until) end(place);
  }, sweepMs).unref();
  app.addHook('onClose', (_app, done) => {
    clearInterval(sweep);
    done();
  });
  return { inFlight: (load) => crowd.count[load], shed: (load) => shed[load] };
}

/** The body is there: from now on the handler's time counts. */
export function startHandling({ place }: FastifyRequest): void {
  if (!place) return;
  place.handling = true;
  if (!place.slow) place.until = performance.now() + place.in.patience.answerMs;
}

/** The answer is there: from now on it is up to the reader. */
export function startAnswering({ place }: FastifyRequest): void {
  if (place && !place.slow) place.until = performance.now() + place.in.patience.takenMs;
}

/** Also for streams, once they are open: what lasts takes nobody's place. */
export function leavePlace({ place }: FastifyRequest): void {
  if (place?.in.places.delete(place)) place.in.count[place.load]--;
}

function end(place: Place): void {
  const { request, reply, handling } = place;
  leavePlace(request);
  // Half an answer cannot be taken back, nor is somebody told who does not read.
  if (reply.sent || reply.raw.headersSent) {
    request.raw.destroy();
    return;
  }
  // Whoever is slow in sending would keep the connection; a busy server's own slowness is no fault of its caller.
  if (!handling) {
    reply.header('connection', 'close');
    reply.raw.once('finish', () => request.raw.destroy());
  }
  void reply.send(handling ? unavailable() : new AppError('request_timeout', 'The request took too long to arrive'));
}
