import { fill } from '@waybill/contract';
import { CloudOff } from 'lucide-react';
import { formatTime } from '../platform/formats.ts';
import { useConnectionLostAt } from './connection.ts';
import { texts } from './texts.ts';

/** The connection in a word, for the head of a screen. */
export function ConnectionState() {
  const lost = useConnectionLostAt() !== null;
  return (
    <span className="flex items-center gap-2 text-ui whitespace-nowrap text-ink-2">
      {lost ? (
        <CloudOff aria-hidden="true" className="size-4.5 text-yellow-ink" />
      ) : (
        <span aria-hidden="true" className="size-2 rounded-full bg-green-dot" />
      )}
      {lost ? texts.offline : <span className="max-[22.5rem]:sr-only">{texts.online}</span>}
    </span>
  );
}

/** Since when there is no connection, and what that means. The live region is always there, so that its text is announced. */
export function ConnectionStrip() {
  const lostAt = useConnectionLostAt();
  return (
    <div role="status">
      {lostAt !== null && (
        <div className="strip mx-2 mb-2 rounded-[20px] bg-yellow-bg px-4 py-3 text-yellow-ink">
          <p className="text-body font-semibold figures">
            {fill(texts.noConnectionSince, { time: formatTime(new Date(lostAt).toISOString()) })}
          </p>
          <p className="mt-0.5 text-ui">{texts.offlineMeans}</p>
        </div>
      )}
    </div>
  );
}
