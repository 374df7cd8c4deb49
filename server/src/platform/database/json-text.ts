/**
 * SQL for ISO 8601 with milliseconds, or null. Adding a microsecond makes PostgreSQL print six fraction digits, so that the text can be
 * cut to three; to_char is slower, and a page of history has many timestamps.
 */
export const instant = (column: string) =>
  `overlay(left((${column} + interval '1 microsecond')::text, 23) placing 'T' from 11 for 1) || 'Z'`;

/** A column as JSON text; `null` where it is null. */
export const text = (column: string) => `coalesce(to_json(${column})::text, 'null')`;
/** A value that needs no escaping as a JSON string; `null` where it is null. */
export const quoted = (expression: string) => `coalesce('"' || ${expression} || '"', 'null')`;
