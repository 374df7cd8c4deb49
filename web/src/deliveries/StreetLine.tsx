/** A street in one line: where there is no room it is cut before its house number, which tells it from its neighbours. */
export function StreetLine({ street, title }: { street: string; title?: string }) {
  const at = street.search(/ \d\S*( ?\p{L})?$/u);
  return (
    <span className="flex min-w-0" title={title}>
      <span className="truncate">{at > 0 ? street.slice(0, at) : street}</span>
      {at > 0 && <span className="shrink-0 whitespace-pre">{street.slice(at)}</span>}
    </span>
  );
}
