import { relative } from 'node:path';
import pg from 'pg';
import * as ast from 'typescript/unstable/ast';
import type { Checker, Project, Type } from 'typescript/unstable/sync';
import { TextReader } from './sql-texts.ts';

/** A call in the code that runs SQL. */
export interface Statement {
  /** File and line. */
  where: string;
  /** The expression as it is written, on one line. */
  source: string;
  /** All texts that it can have, each with '' and with 'null' in place of run-time values; null if the whole is a run-time value. */
  texts: string[][] | null;
  /** The declared type of a row, or null. */
  row: Type | null;
}

const queryMethods = new Set(['query', 'streamRows']);

/** Finds every call of `query` and `streamRows` with a string in these files. */
export function findStatements(project: Project, isMeant: (file: string) => boolean): Statement[] {
  const found: Statement[] = [];
  const { checker, program } = project;
  const reader = new TextReader(project);
  for (const file of program.getSourceFileNames()) {
    const source = isMeant(file) && program.getSourceFile(file);
    if (!source) continue;
    const visit = (node: ast.Node): void => {
      node.forEachChild(visit);
      if (!ast.isCallExpression(node) || !queryMethods.has(nameOf(node.expression))) return;
      const [sql] = node.arguments;
      const type = sql && checker.getTypeAtLocation(sql);
      if (!type || !checker.isTypeAssignableTo(type, checker.getStringType())) return;
      found.push({
        where: `${relative(process.cwd(), file)}:${source.text.slice(0, node.getStart()).split('\n').length}`,
        source: sql.getText().replaceAll(/\s+/g, ' '),
        texts: reader.textsOf(sql, ['', 'null']),
        row: rowOf(checker, node),
      });
    };
    visit(source);
  }
  return found;
}

const nameOf = (callee: ast.Expression): string =>
  ast.isPropertyAccessExpression(callee) ? callee.name.text : ast.isIdentifier(callee) ? callee.text : '';

/** Returns the `Row` of `Promise<Row[]>`, of `AsyncGenerator<Row[]>` and of the driver's `Promise<QueryResult<Row>>`. */
function rowOf(checker: Checker, call: ast.Expression): Type | null {
  const argumentOf = (type: Type | undefined) =>
    type?.isTypeReference() ? checker.getTypeArguments(type)[0] : undefined;
  const answer = checker.getTypeAtLocation(call);
  const row = argumentOf(argumentOf(answer && checker.getNonNullableType(answer)));
  return row && checker.getPropertiesOfType(row).length > 0 ? row : null;
}

/** A column of a statement's result. */
export interface Column {
  name: string;
  /** The TypeScript type of the driver's value; null if it depends on the content, as for JSON. */
  type: string | null;
  /** The table column that it comes from; null for a computed one. */
  from: { table: string; column: string; nullable: boolean } | null;
}

/** @returns a function that has the database parse and describe a statement without running it */
export async function openDescriber(client: pg.Client): Promise<(text: string) => Promise<Column[]>> {
  const { rows: known } = await client.query<{
    table: number;
    number: number;
    name: string;
    column: string;
    nullable: boolean;
  }>(
    `select attrelid::int as table, attnum as number, relname as name, attname as column, not attnotnull as nullable
     from pg_attribute join pg_class c on c.oid = attrelid
     where relkind in ('r', 'p') and relnamespace <> 'pg_catalog'::regnamespace`,
  );
  const { rows: arrays } = await client.query<{ oid: number; element: number }>(
    "select oid::int, typelem::int as element from pg_type where typcategory = 'A'",
  );
  const elements = new Map(arrays.map(({ oid, element }) => [oid, element]));
  const columns = new Map(known.map((column) => [`${column.table}.${column.number}`, column]));
  return async (text) => {
    const description = new Description(text);
    client.query(description);
    return (await description.result).map(({ name, tableID, columnID, dataTypeID }) => {
      const from = columns.get(`${tableID}.${columnID}`);
      return {
        name,
        type: typeOf(dataTypeID, elements.get(dataTypeID)),
        from: from ? { table: from.name, column: from.column, nullable: from.nullable } : null,
      };
    });
  };
}

const builtins: Record<string, number> = pg.types.builtins;
const parserOf: (oid: number) => (text: string) => unknown = pg.types.getTypeParser;

/** Text values from which the driver's type is found by parsing; '1' for all other types. */
const samples: Record<number, string> = {
  [pg.types.builtins.BOOL]: 't',
  [pg.types.builtins.DATE]: '2026-11-22',
  [pg.types.builtins.TIMESTAMPTZ]: '2026-11-22 00:00:00+00',
  [pg.types.builtins.TIMESTAMP]: '2026-11-22 00:00:00',
  [pg.types.builtins.BYTEA]: '\\x00',
};

function typeOf(oid: number, element: number | undefined): string | null {
  if (oid === builtins.JSON || oid === builtins.JSONB) return null;
  const parse = parserOf(oid);
  if (element && Array.isArray(parse('{}'))) return `${typeOf(element, undefined)}[]`;
  const value = parse(samples[oid] ?? '1');
  if (value instanceof Date) return 'Date';
  return Buffer.isBuffer(value) ? 'Buffer' : typeof value;
}

/** Sends the protocol messages Parse and Describe: the driver itself cannot describe a statement without running it. */
class Description implements pg.Submittable {
  readonly result: Promise<pg.FieldDef[]>;
  private readonly text: string;
  private fields: pg.FieldDef[] = [];
  private settlers!: { resolve: (fields: pg.FieldDef[]) => void; reject: (error: Error) => void };

  constructor(text: string) {
    this.text = text;
    this.result = new Promise((resolve, reject) => (this.settlers = { resolve, reject }));
  }

  submit(connection: pg.Connection): void {
    connection.parse({ name: '', text: this.text, types: [] }, true);
    connection.describe({ type: 'S', name: '' }, true);
    connection.sync();
  }

  handleRowDescription({ fields }: { fields: pg.FieldDef[] }): void {
    this.fields = fields;
  }

  handleError(error: Error): void {
    this.settlers.reject(error);
  }

  handleReadyForQuery(): void {
    this.settlers.resolve(this.fields);
  }
}
