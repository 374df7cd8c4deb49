import autocannon from 'autocannon';
import { answerQuestions } from './child.ts';

export interface LoadRequest {
  method: 'GET' | 'POST';
  path: string;
  token?: string;
  body?: object;
}

export interface Load {
  url: string;
  connections: number;
  /** Dealt out to the connections; each sends its share in order, and from the beginning again. */
  requests: LoadRequest[];
  /** For how long; without it each request is sent once. */
  seconds?: number;
}

export interface LoadResult {
  perSecond: number;
  /** Answers other than 2xx, errors and time-outs. */
  failed: number;
}

answerQuestions(async ({ url, connections, requests, seconds }: Load): Promise<LoadResult> => {
  const share = Math.floor(requests.length / connections);
  let next = 0;
  const setupClient = (client: autocannon.Client) => {
    const mine = requests.slice(next * share, (next + 1) * share);
    next++;
    client.setRequests(mine.map(asRequest));
  };
  const startedAt = performance.now();
  const amount = share * connections;
  const result = await autocannon({ url, connections, setupClient, ...(seconds ? { duration: seconds } : { amount }) });
  // Its own duration is rounded up to the next sample; ours holds for runs that end by their amount.
  const took = seconds ? result.duration : (performance.now() - startedAt) / 1000;
  return { perSecond: result['2xx'] / took, failed: result.non2xx + result.errors + result.timeouts };
});

const asRequest = ({ method, path, token, body }: LoadRequest): autocannon.Request => ({
  method,
  path,
  headers: { ...(token && { authorization: `Bearer ${token}` }), ...(body && { 'content-type': 'application/json' }) },
  ...(body && { body: JSON.stringify(body) }),
});
