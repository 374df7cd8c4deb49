import { useQuery } from '@tanstack/react-query';
import { fill } from '@waybill/contract';
import type { Suggestion } from '@waybill/contract';
import type { Texts } from '@waybill/contract/texts/en';
import { MapPin } from 'lucide-react';
import { useEffect, useState } from 'react';
import { useFormContext } from 'react-hook-form';
import { api } from '../platform/api.ts';
import { Field } from '../ui/Field.tsx';
import { Input } from '../ui/Input.tsx';
import { placeText, readPlace, type TypedVehicle } from './vehicle-form.ts';

const debounceMs = 300;
const minLength = 3;

const addressOf = ({ street, postalCode, city }: Suggestion): string =>
  [street, [postalCode, city].filter(Boolean).join(' ')].filter(Boolean).join(', ');

interface PlaceFieldProps {
  name: 'startPlace' | 'endPlace';
  label: string;
  words: Texts['account']['vehicle']['place'];
}

/** A place: typed as latitude and longitude, or chosen among the addresses that are found for what is typed. */
export function PlaceField({ name, label, words }: PlaceFieldProps) {
  const { register, watch, setValue, formState } = useFormContext<TypedVehicle>();
  const typed = watch(name);
  const place = readPlace(typed);
  const search = useDebounced(place ? '' : typed.trim());
  const { data: found, error } = useQuery({
    queryKey: ['places', 'search', search],
    queryFn: ({ signal }) => api.places.search({ query: { q: search }, signal }),
    enabled: search.length >= minLength && formState.dirtyFields[name] === true,
    meta: { showsError: true },
  });
  const { data: nearest } = useQuery({
    queryKey: ['places', 'reverse', place],
    queryFn: ({ signal }) =>
      api.places.reverse({ query: { lon: String(place?.lon), lat: String(place?.lat) }, signal }),
    enabled: place !== null && Math.abs(place.lat) <= 90 && Math.abs(place.lon) <= 180,
    retry: false,
    meta: { showsError: true },
  });
  const offered = place ? [] : (found ?? []).filter((item) => item.place !== null && item.place.accuracy !== 'town');
  const isSearched = !place && search.length >= minLength && found !== undefined;
  return (
    <div className="flex flex-col gap-1.5">
      <Field
        label={label}
        optional
        error={formState.errors[name]?.message}
        hint={place && nearest ? fill(words.near, { address: addressOf(nearest) }) : words.hint}
      >
        <Input {...register(name)} maxLength={120} autoComplete="off" placeholder={words.sample} />
      </Field>
      {offered.length > 0 && (
        <ul aria-label={words.found} className="overflow-hidden rounded-card border border-line">
          {offered.map((item) => (
            <li key={`${addressOf(item)} ${placeText(item.place)}`} className="border-b border-line last:border-b-0">
              <button
                type="button"
                onClick={() =>
                  setValue(name, placeText(item.place), { shouldDirty: true, shouldValidate: formState.isSubmitted })
                }
                className="flex min-h-11 w-full items-center gap-2 px-3 py-2 text-left text-ui hover:bg-sunken focus-visible:-outline-offset-2"
              >
                <MapPin aria-hidden="true" className="size-4 shrink-0 text-ink-3" />
                {addressOf(item)}
              </button>
            </li>
          ))}
        </ul>
      )}
      {isSearched && offered.length === 0 && (
        <p role="status" className="text-table text-ink-2">
          {words.none}
        </p>
      )}
      {error && !place && (
        <p role="alert" className="text-table text-danger">
          {error.message}
        </p>
      )}
    </div>
  );
}

function useDebounced(value: string): string {
  const [settled, setSettled] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), debounceMs);
    return () => clearTimeout(timer);
  }, [value]);
  return settled;
}
