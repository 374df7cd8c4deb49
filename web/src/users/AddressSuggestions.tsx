import { queryOptions, useQuery } from '@tanstack/react-query';
import type { Suggestion } from '@waybill/contract';
import { BookUser, MapPin } from 'lucide-react';
import { useEffect, useEffectEvent, useId, useState } from 'react';
import { api } from '../platform/api.ts';
import { isExact, lineOf, townOf } from './suggestion-texts.ts';
import type { OpenList } from './StreetInput.tsx';

const debounceMs = 250;
const minLength = 3;
/** After a failed search, such as one that a limit refused, the form is left alone for a while. */
const pauseMs = 20_000;
const none: Suggestion[] = [];
let pausedUntil = 0;

const cleaned = (value: string) => value.trim().slice(0, 120);

/** Addresses around a depot come first. */
const nearQuery = queryOptions({
  queryKey: ['depots', 'near'],
  queryFn: async ({ signal }) => (await api.depots.list({ signal })).find(({ place }) => place)?.place ?? null,
  retry: false,
  staleTime: Infinity,
  meta: { showsError: true },
});

interface AddressSuggestionsProps {
  /** Holds the input, and the list below it. */
  box: HTMLElement;
  /** While this code was loaded. */
  typedBefore: string;
  onList: (list: OpenList | null) => void;
  onChoose: (suggestion: Suggestion) => void;
}

/** The addresses that are found for what is typed in the input of `box`. A search that fails says nothing: the form works without it. */
export function AddressSuggestions({ box, typedBefore, onList, onChoose }: AddressSuggestionsProps) {
  const listId = useId();
  const [typed, setTyped] = useState(() => cleaned(typedBefore));
  const [search, setSearch] = useState('');
  const [active, setActive] = useState(-1);

  useEffect(() => {
    const timer = setTimeout(() => {
      const isPossible = typed.length >= minLength && navigator.onLine && Date.now() >= pausedUntil;
      setSearch(isPossible ? typed : '');
    }, debounceMs);
    return () => clearTimeout(timer);
  }, [typed]);
  const { data: near } = useQuery(nearQuery);
  const { data } = useQuery({
    queryKey: ['places', 'search', search],
    queryFn: ({ signal }) => {
      const query = near ? { q: search, near: `${near.lon},${near.lat}` } : { q: search };
      return api.places.search({ query, signal }).catch((error: unknown) => {
        if (!signal.aborted) pausedUntil = Date.now() + pauseMs;
        throw error;
      });
    },
    enabled: search !== '',
    retry: false,
    staleTime: 60_000,
    placeholderData: (before) => before,
    meta: { showsError: true },
  });
  const items = typed.length >= minLength && search !== '' ? (data ?? none).filter(({ street }) => street) : none;
  const isOpen = items.length > 0;
  const isFromExtract = items.some(({ place }) => place?.source === 'OpenStreetMap');
  const optionId = (index: number) => `${listId}-${index}`;
  const activeId = isOpen && active >= 0 ? optionId(active) : undefined;

  const close = () => {
    setTyped('');
    setSearch('');
    setActive(-1);
  };
  const choose = (item: Suggestion) => {
    close();
    onChoose(item);
  };
  const onInput = useEffectEvent((event: Event) => {
    if (!(event.target instanceof HTMLInputElement)) return;
    setTyped(cleaned(event.target.value));
    setActive(-1);
  });
  const onKeyDown = useEffectEvent((event: KeyboardEvent) => {
    if (!isOpen || event.isComposing || event.ctrlKey || event.metaKey || event.altKey) return;
    const chosen = items[active];
    if (event.key === 'ArrowDown') setActive(active + 1 < items.length ? active + 1 : -1);
    else if (event.key === 'ArrowUp') setActive(active < 0 ? items.length - 1 : active - 1);
    else if (event.key === 'Escape') close();
    else if (event.key === 'Enter' && chosen) choose(chosen);
    else return;
    event.preventDefault();
    // Neither the dialog around it closes, nor the form is sent.
    event.stopPropagation();
  });
  const onBlur = useEffectEvent(close);
  useEffect(() => {
    const controller = new AbortController();
    const { signal } = controller;
    box.addEventListener('input', onInput, { signal });
    box.addEventListener('keydown', onKeyDown, { signal });
    box.addEventListener('focusout', onBlur, { signal });
    return () => controller.abort();
  }, [box]);
  const announce = useEffectEvent(onList);
  useEffect(() => announce(isOpen ? { id: listId, activeId } : null), [isOpen, listId, activeId]);
  // Not behind a phone's keyboard or the bar of a form.
  useEffect(() => {
    if (isOpen) document.getElementById(listId)?.scrollIntoView({ block: 'nearest' });
  }, [isOpen, listId]);
  useEffect(() => {
    if (activeId !== undefined) document.getElementById(activeId)?.scrollIntoView({ block: 'nearest' });
  }, [activeId]);

  return (
    <>
      {isOpen && (
        <div
          // The input keeps the focus.
          onPointerDown={(event) => event.preventDefault()}
          className="absolute inset-x-0 top-full z-30 mt-1 overflow-hidden rounded-card border border-line bg-surface shadow-float"
        >
          <div
            id={listId}
            role="listbox"
            aria-label="Addresses found"
            tabIndex={-1}
            className="max-h-72 scroll-mb-32 overflow-y-auto overscroll-contain p-1 outline-none"
          >
            {items.map((item, index) => (
              // The keyboard is handled by the input.
              // oxlint-disable-next-line jsx-a11y/click-events-have-key-events
              <div
                key={`${item.name} ${lineOf(item)}`}
                id={optionId(index)}
                role="option"
                tabIndex={-1}
                aria-selected={index === active}
                onClick={() => choose(item)}
                onPointerMove={() => setActive(index)}
                className="flex min-h-11 cursor-pointer items-center gap-3 rounded-control px-3 py-2 text-ui select-none aria-selected:bg-sunken"
              >
                {item.name === null ? (
                  <MapPin aria-hidden="true" className="size-4 shrink-0 text-ink-3" />
                ) : (
                  <BookUser aria-hidden="true" className="size-4 shrink-0 text-ink-3" />
                )}
                <span className="min-w-0 grow wrap-anywhere">
                  <span className="font-medium">{item.street}</span>
                  <span className="block text-table text-ink-2">
                    {[townOf(item), item.name].filter(Boolean).join(' · ')}
                  </span>
                </span>
                {!isExact(item.place) && <span className="shrink-0 text-meta text-ink-3">Needs a pin</span>}
              </div>
            ))}
          </div>
          {isFromExtract && (
            <p className="border-t border-line px-3 py-1.5 text-right text-meta text-ink-3">
              <a
                href="https://www.openstreetmap.org/copyright"
                target="_blank"
                rel="noreferrer"
                tabIndex={-1}
                className="underline-offset-2 hover:underline"
              >
                © OpenStreetMap contributors
              </a>
            </p>
          )}
        </div>
      )}
      <span role="status" className="sr-only">
        {isOpen ? `${items.length} ${items.length === 1 ? 'address' : 'addresses'} found` : ''}
      </span>
    </>
  );
}
