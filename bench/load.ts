import autocannon from 'autocannon';
import { handleCommands } from './child-process.ts';
import { addressOf, keepIds, nextPaths, type IdsByKind, type Lookups } from './lookup-paths.ts';

export interface LoadRequest {
  method: 'GET' | 'POST';
  path: string;
  token?: string;
  body?: object;
  /** The client address for X-Forwarded-For. */
  from?: string;
  /** The Idempotency-Key. */
  key?: string;
}

export interface Load {
  url: string;
  connections: number;
  /** Split between the connections; each sends its share in order, and repeats it. */
  requests: LoadRequest[] | Lookups;
  /** The duration; without it each request is sent once. */
  seconds?: number;
}

export interface LoadResult {
  perSecond: number;
  /** Responses other than 2xx, errors and time-outs. */
  failed: number;
}

/** Sends load with autocannon, or keeps IDs for later lookups. */
handleCommands((command: Load | { ids: IdsByKind }) => {
  if (!('ids' in command)) return send(command);
  keepIds(command.ids);
  return null;
});

function send({ url, connections, requests: given, seconds }: Load): Promise<LoadResult> {
  const requests = 'kind' in given ? lookupRequests(given) : given;
  const share = Math.floor(requests.length / connections);
  let next = 0;
  const setupClient = (client: autocannon.Client) => {
    const ownRequests = requests.slice(next * share, (next + 1) * share);
    next++;
    client.setRequests(ownRequests.map(asRequest));
  };
  const options = {
    url,
    connections,
    setupClient,
    ...(seconds ? { duration: seconds } : { amount: share * connections }),
  };
  return new Promise((resolve, reject) => {
    let startedAt = performance.now();
    let lastAt = startedAt;
    const run = autocannon(options, (error: unknown, result) => {
      if (error) return reject(error);
      const failed = result.non2xx + result.errors + result.timeouts;
      resolve({ perSecond: result['2xx'] / ((lastAt - startedAt) / 1000), failed });
    });
    // Building the requests of all connections takes a while.
    run.on('start', () => (startedAt = performance.now()));
    // autocannon checks only once a second whether the amount is reached; the time of the last response is exact.
    run.on('response', () => (lastAt = performance.now()));
  });
}

const lookupRequests = (lookups: Lookups): LoadRequest[] =>
  nextPaths(lookups).map((path, index) => ({
    method: 'GET',
    path,
    ...(lookups.addresses > 0 && { from: addressOf(index % lookups.addresses) }),
  }));

const asRequest = ({ method, path, token, body, from, key }: LoadRequest): autocannon.Request => ({
  method,
  path,
  headers: {
    ...(token && { authorization: `Bearer ${token}` }),
    ...(body && { 'content-type': 'application/json' }),
    ...(from && { 'x-forwarded-for': from }),
    ...(key && { 'idempotency-key': key }),
  },
  ...(body && { body: JSON.stringify(body) }),
});
