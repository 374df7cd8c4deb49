import type { Queryable, Tx } from '../platform/database/db.ts';
import type { MessageContent } from './mail.ts';

/** The name of a template on the wire. @param key of the catalogue: the event's type, with the variant */
export const kindOf = (audience: string, key: string): string => `${audience}.${key.replace('/', '.')}`;

/** The text that an administrator has written instead of the built-in one. */
export async function findChangedText(db: Queryable, kind: string, language: string): Promise<MessageContent | null> {
  const [row] = await db.query<Pick<MessageContent, 'subject' | 'paragraphs'>>(
    'select subject, paragraphs from message_templates where kind = $1 and language = $2',
    [kind, language],
  );
  return row ?? null;
}

export const listChangedTexts = (db: Queryable): Promise<{ kind: string; language: string }[]> =>
  db.query<{ kind: string; language: string }>('select kind, language from message_templates order by kind, language');

export interface TemplateRow {
  subject: string;
  paragraphs: string[];
  version: number;
  updated_at: Date;
}

const columns = 'subject, paragraphs, version, updated_at';

export async function findTemplateRow(db: Queryable, kind: string, language: string): Promise<TemplateRow | null> {
  const [row] = await db.query<TemplateRow>(
    `select ${columns} from message_templates where kind = $1 and language = $2`,
    [kind, language],
  );
  return row ?? null;
}

/** Serializes changes of one text, also while it has no row. @returns the row */
export async function lockTemplate(tx: Tx, kind: string, language: string): Promise<TemplateRow | null> {
  await tx.query("select pg_advisory_xact_lock(hashtextextended('waybill template ' || $1 || ' ' || $2, 0))", [
    kind,
    language,
  ]);
  return findTemplateRow(tx, kind, language);
}

export async function setTemplateRow(
  tx: Tx,
  kind: string,
  language: string,
  { subject, paragraphs }: MessageContent,
  at: Date,
): Promise<TemplateRow> {
  const [row] = await tx.query<TemplateRow>(
    `insert into message_templates (kind, language, subject, paragraphs, updated_at) values ($1, $2, $3, $4, $5)
     on conflict (kind, language) do update set subject = excluded.subject, paragraphs = excluded.paragraphs,
       version = message_templates.version + 1, updated_at = excluded.updated_at
     returning ${columns}`,
    [kind, language, subject, paragraphs, at],
  );
  if (!row) throw new Error('the text of a message was not stored');
  return row;
}

export async function deleteTemplateRow(tx: Tx, kind: string, language: string): Promise<void> {
  await tx.query('delete from message_templates where kind = $1 and language = $2', [kind, language]);
}
