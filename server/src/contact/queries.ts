import type { ContactMessage, ContactStatus } from '@waybill/contract';
import type { Queryable, Tx } from '../platform/database/db.ts';

export interface MessageRow {
  number: number;
  status: ContactStatus;
  name: string;
  email: string;
  message: string;
  tracking_id: string | null;
  created_at: Date;
  resolved_at: Date | null;
  resolved_by_name: string | null;
}

export const asMessage = (row: MessageRow): ContactMessage => ({
  id: row.number,
  status: row.status,
  name: row.name,
  email: row.email,
  message: row.message,
  trackingId: row.tracking_id,
  time: row.created_at.toISOString(),
  resolvedAt: row.resolved_at?.toISOString() ?? null,
  resolvedBy: row.resolved_by_name,
});

const selectMessages = `select m.number, m.status, m.name, m.email, m.message, m.tracking_id, m.created_at, m.resolved_at,
  u.name as resolved_by_name from contact_messages m left join users u on u.id = m.resolved_by`;

export const listMessageRows = (db: Queryable, page: string, values: unknown[]) =>
  db.query<MessageRow>(`${selectMessages} ${page}`, values);

/** Locks its row until the transaction ends. */
export async function lockMessage(tx: Tx, number: number): Promise<MessageRow | null> {
  const [row] = await tx.query<MessageRow>(`${selectMessages} where m.number = $1 for update of m`, [number]);
  return row ?? null;
}

/** @returns its number; null when a duplicate is open already */
export async function insertMessage(
  tx: Tx,
  message: { name: string; email: string; message: string; trackingId: string | null; digest: Buffer; at: Date },
): Promise<number | null> {
  const [row] = await tx.query<{ number: number }>(
    `insert into contact_messages (name, email, message, tracking_id, digest, created_at) values ($1, $2, $3, $4, $5, $6)
     on conflict (digest) where status = 'Open' do nothing returning number`,
    [message.name, message.email, message.message, message.trackingId, message.digest, message.at],
  );
  return row?.number ?? null;
}

/** @returns the number of the open message with the same content; null when there is none */
export async function findOpenDuplicate(tx: Tx, number: number): Promise<number | null> {
  const [duplicate] = await tx.query<{ number: number }>(
    `select number from contact_messages
     where digest = (select digest from contact_messages where number = $1) and status = 'Open' and number <> $1`,
    [number],
  );
  return duplicate?.number ?? null;
}

export async function setMessageResolved(tx: Tx, number: number, by: { id: string; at: Date } | null): Promise<void> {
  await tx.query('update contact_messages set status = $2, resolved_at = $3, resolved_by = $4 where number = $1', [
    number,
    by ? 'Resolved' : 'Open',
    by?.at ?? null,
    by?.id ?? null,
  ]);
}
