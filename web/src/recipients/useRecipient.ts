import { ApiError } from '@waybill/contract';
import type { PublicView, RatePackageInput, RecipientChangeInput, RecipientView } from '@waybill/contract';
import { useCallback, useEffect, useRef, useState } from 'react';
import { api } from '../platform/api.ts';

/** Why nothing is shown: the key opens nothing (any more), there were too many wrong ones, or the server could not be asked. */
export type AccessFault = 'key' | 'many' | 'failed';

interface Recipient {
  data: RecipientView | null;
  fault: AccessFault | null;
  retry: () => void;
  change: (body: RecipientChangeInput) => Promise<void>;
  withdraw: (changeId: string) => Promise<void>;
  rate: (body: RatePackageInput) => Promise<void>;
}

type Headers = Record<string, string>;

/**
 * What the recipient's link opens, fetched again with each change that the tracker's stream brings. The token is kept in memory alone,
 * and renewed with the key when it has expired. @param secret the key of the link, which is sent to exchange it and nowhere else
 */
export function useRecipient(view: PublicView, secret: string): Recipient {
  const id = view.trackingId;
  const [data, setData] = useState<RecipientView | null>(null);
  const [fault, setFault] = useState<AccessFault | null>(null);
  const token = useRef<string | null>(null);
  /** The answer of an older request must not replace a newer one. */
  const asked = useRef(0);
  const refused = useRef(false);

  const send = useCallback(
    async (call: (headers: Headers) => Promise<RecipientView>) => {
      const number = ++asked.current;
      const open = async () => {
        ({ token: token.current } = await api.recipients.access({ params: { id }, body: { key: secret } }));
      };
      const attempt = () => call({ authorization: `Bearer ${token.current}` });
      if (token.current === null) await open();
      const answer = await attempt().catch(async (error: unknown) => {
        if (!(error instanceof ApiError) || error.status !== 401) throw error;
        await open();
        return attempt();
      });
      if (number !== asked.current) return;
      setData(answer);
      setFault(null);
    },
    [id, secret],
  );

  const load = useCallback(() => {
    // Wrong keys are counted: the answer will not change.
    if (refused.current) return;
    void send((headers) => api.recipients.view({ params: { id }, headers })).catch((error: unknown) => {
      const status = error instanceof ApiError ? error.status : 0;
      refused.current = status === 404 || status === 422;
      if (refused.current) setData(null);
      setFault(refused.current ? 'key' : status === 429 ? 'many' : 'failed');
    });
  }, [id, send]);

  // Also when somebody comes back to the page: the links of photos expire.
  const { status, lastUpdate, stopsAway } = view;
  // Not with each position of the driver.
  useEffect(load, [load, status, lastUpdate, stopsAway]);
  useEffect(() => {
    const onVisible = () => document.visibilityState === 'visible' && load();
    document.addEventListener('visibilitychange', onVisible);
    addEventListener('recipient', load);
    return () => {
      document.removeEventListener('visibilitychange', onVisible);
      removeEventListener('recipient', load);
    };
  }, [load]);

  const acting = async (call: (headers: Headers) => Promise<RecipientView>) => {
    try {
      await send(call);
    } catch (error) {
      // It became too late meanwhile, or the link was renewed: show what holds now.
      if (error instanceof ApiError && error.status >= 400) load();
      throw error;
    }
  };
  return {
    data,
    fault,
    retry: load,
    change: (body) => acting((headers) => api.recipients.change({ params: { id }, body, headers })),
    rate: (body) => acting((headers) => api.recipients.rate({ params: { id }, body, headers })),
    withdraw: (changeId) => acting((headers) => api.recipients.withdraw({ params: { id, changeId }, headers })),
  };
}
