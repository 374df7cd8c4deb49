import type { ReactNode } from 'react';

/** Parts of a line with dots between them. The dot before a part is cut off where the part begins a line. */
export function DottedParts({ parts }: { parts: readonly ReactNode[] }) {
  const [first, ...others] = parts.filter(Boolean);
  return (
    <span className="figures block overflow-hidden wrap-anywhere">
      <span className="-ml-2.5 flex flex-wrap">
        <span className="pl-2.5">{first}</span>
        {others.map((part, index) => (
          // oxlint-disable-next-line react/no-array-index-key
          <span key={index} className="relative pl-2.5">
            <span className="absolute left-0 whitespace-pre"> · </span>
            {part}
          </span>
        ))}
      </span>
    </span>
  );
}
