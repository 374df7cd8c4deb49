import type { Tx } from '../platform/db.ts';

export interface NewIncident {
  id: string;
  packageId: string;
  reporterId: string;
  type: string;
  description: string;
  location: string | null;
  at: Date;
}

export async function insertIncident(tx: Tx, incident: NewIncident): Promise<void> {
  await tx.query(
    `insert into incidents (id, package_id, reporter_id, type, description, location, created_at, updated_at)
     values ($1, $2, $3, $4, $5, $6, $7, $7)`,
    [
      incident.id,
      incident.packageId,
      incident.reporterId,
      incident.type,
      incident.description,
      incident.location,
      incident.at,
    ],
  );
}
