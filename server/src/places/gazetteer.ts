import type { Place } from '@waybill/contract';
import type { Tx } from '../platform/database/db.ts';
import { addressKey } from './address-key.ts';

const gazetteerColumns = 'street, postal_code, city, country, lon, lat, accuracy, source';

export interface KnownPlace {
  street: string;
  postalCode: string | null;
  city: string;
  country: string | null;
  place: Place;
}

/** Adds addresses whose places are known; those that it has stay as they are. */
export async function addToGazetteer(tx: Tx, known: KnownPlace[]): Promise<void> {
  const rows = known.map(({ place, postalCode: postal_code, ...address }) => ({
    key: addressKey({ ...address, postalCode: postal_code }),
    ...address,
    postal_code,
    ...place,
  }));
  await tx.query(
    `insert into gazetteer (key, ${gazetteerColumns})
     select key, ${gazetteerColumns} from json_to_recordset($1) as row (key text, street text, postal_code text, city text, country text,
       lon float8, lat float8, accuracy text, source text)
     on conflict do nothing`,
    [JSON.stringify(rows)],
  );
}
