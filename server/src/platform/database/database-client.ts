import { setImmediate as turn } from 'node:timers/promises';
import pg from 'pg';
import type { Connection } from './database-url.ts';
import { findWritableHost, forgetWritableHost, isReadOnlySql } from './writable-host.ts';

export interface ClientOptions extends Omit<pg.ClientConfig, 'application_name' | 'options'> {
  /** What it is for: pg_stat_activity shows it. */
  role: string;
  /** What PostgreSQL is to hold to on this connection. */
  settings?: Record<string, string>;
}

interface SessionOptions extends Connection, ClientOptions {}

/**
 * Every connection of the product is one of these. It leads to the server that takes writes, says whose it is, has its settings in
 * force, and may die without taking the process with it.
 *
 * The settings are set once it is open, rather than sent along as start-up options: PgBouncer refuses those, or drops them silently.
 */
export class DatabaseClient extends pg.Client {
  readonly #options: SessionOptions;

  constructor(options: SessionOptions) {
    super({ ...options, application_name: applicationName(options) });
    this.#options = options;
    // Without listeners a connection that dies takes the whole process with it, also while it is being opened.
    this.on('error', () => {});
    this.connection.stream.on('error', () => {});
  }

  override connect(): Promise<pg.Client>;
  override connect(callback: ((error: Error) => void) | ((error: null, client: pg.Client) => void)): void;
  override connect(callback?: (error: never, client: pg.Client) => void): Promise<pg.Client> | void {
    const opened = this.#open();
    if (!callback) return opened;
    const answer = callback as (error: Error | null, client?: pg.Client) => void;
    opened.then(
      () => answer(null, this),
      (error: Error) => answer(error),
    );
  }

  async #open(): Promise<pg.Client> {
    const { hosts, connectionTimeoutMillis } = this.#options;
    let hasTimedOut = false;
    const abort = () => {
      hasTimedOut = true;
      this.connection.stream.destroy();
    };
    const timer = connectionTimeoutMillis ? setTimeout(abort, connectionTimeoutMillis) : undefined;
    try {
      if (hosts) await this.#choose(hosts);
      await super.connect();
      await this.#begin();
      return this;
    } catch (error) {
      if (hosts) forgetWritableHost(hosts);
      this.end().catch(() => {});
      throw hasTimedOut ? timeoutError(connectionTimeoutMillis) : error;
    } finally {
      clearTimeout(timer);
    }
  }

  async #choose(hosts: NonNullable<Connection['hosts']>): Promise<void> {
    const { stream } = this.connection;
    // The watch refuses a connection in the turn after it was made.
    await turn();
    if (!stream.destroyed) {
      const { host, port } = await findWritableHost(hosts, this.#options);
      [this.host, this.port] = [host, port];
    }
    // Given up meanwhile: opened now, it would be nobody's.
    if (stream.destroyed) throw new Error('Connection terminated while a server that takes writes was looked for');
  }

  async #begin(): Promise<void> {
    const settings = { ...this.#options.settings, application_name: applicationName(this.#options) };
    const set = Object.entries(settings).map(
      ([name, value]) => `set_config(${pg.escapeLiteral(name)}, ${pg.escapeLiteral(value)}, false)`,
    );
    const { rows } = await this.query<{ refuses: boolean }>(`select ${isReadOnlySql} as refuses, ${set.join(', ')}`);
    if (rows[0]?.refuses) throw readOnlyServerError(this.host);
  }
}

const timeoutError = (ms = 0) =>
  Object.assign(new Error(`there was no answer within ${ms / 1000} s`), { code: 'ETIMEDOUT' });

const readOnlyServerError = (host: string) =>
  Object.assign(new Error(`the server at ${host} takes no writes: it is a standby, or was set to read only`), {
    code: '25006',
  });

/** PostgreSQL keeps 63 bytes of it. */
const applicationName = ({ role, server }: SessionOptions) =>
  ['waybill', role, server].filter(Boolean).join(' ').slice(0, 63);

/** For pg.Pool, also that of pg-boss. */
export const poolOptions = (connection: Connection, options: ClientOptions) => ({
  ...connection,
  ...options,
  Client: DatabaseClient as unknown as new () => pg.Client,
  application_name: applicationName({ ...connection, ...options }),
});
