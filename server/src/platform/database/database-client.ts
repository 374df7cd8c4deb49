import { setImmediate as nextTurn } from 'node:timers/promises';
import pg from 'pg';
import type { Connection } from './database-url.ts';
import { findWritableHost, forgetWritableHost, isReadOnlySql } from './writable-host.ts';

export interface ClientOptions extends Omit<pg.ClientConfig, 'application_name' | 'options'> {
  /** What the connection is for; part of its application_name in pg_stat_activity. */
  role: string;
  /** Also connects to a server that takes no writes. */
  acceptsStandby?: boolean;
  /** PostgreSQL settings of the session, such as statement_timeout. */
  settings?: Record<string, string>;
}

interface SessionOptions extends Connection, ClientOptions {}

/**
 * The client behind every database connection of the product. It connects to the host that accepts writes, sets an application_name and
 * the session's settings, and survives a lost connection without an unhandled 'error' event.
 *
 * Settings are applied with set_config after connecting, not as start-up options: PgBouncer refuses those or drops them silently.
 */
export class DatabaseClient extends pg.Client {
  readonly #options: SessionOptions;

  constructor(options: SessionOptions) {
    super({ ...options, application_name: applicationName(options) });
    this.#options = options;
    // Without 'error' listeners a lost connection would crash the process, even while connecting.
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
      if (hosts) await this.#chooseHost(hosts);
      await super.connect();
      await this.#applySettings();
      return this;
    } catch (error) {
      if (hosts) forgetWritableHost(hosts);
      this.end().catch(() => {});
      throw hasTimedOut ? timeoutError(connectionTimeoutMillis) : error;
    } finally {
      clearTimeout(timer);
    }
  }

  async #chooseHost(hosts: NonNullable<Connection['hosts']>): Promise<void> {
    const { stream } = this.connection;
    // The watchdog destroys a refused socket on the next tick: let that happen before searching for a host.
    await nextTurn();
    if (!stream.destroyed) {
      const { host, port } = await findWritableHost(hosts, this.#options);
      [this.host, this.port] = [host, port];
    }
    // Timed out or refused meanwhile: connecting now would leak the connection.
    if (stream.destroyed) throw new Error('Connection terminated while a server that takes writes was looked for');
  }

  async #applySettings(): Promise<void> {
    const settings = { ...this.#options.settings, application_name: applicationName(this.#options) };
    const set = Object.entries(settings).map(
      ([name, value]) => `set_config(${pg.escapeLiteral(name)}, ${pg.escapeLiteral(value)}, false)`,
    );
    const { rows } = await this.query<{ refuses: boolean }>(`select ${isReadOnlySql} as refuses, ${set.join(', ')}`);
    if (rows[0]?.refuses && !this.#options.acceptsStandby) throw readOnlyServerError(this.host);
  }
}

const timeoutError = (ms = 0) =>
  Object.assign(new Error(`there was no answer within ${ms / 1000} s`), { code: 'ETIMEDOUT' });

const readOnlyServerError = (host: string) =>
  Object.assign(new Error(`the server at ${host} takes no writes: it is a standby, or was set to read only`), {
    code: '25006',
  });

/** PostgreSQL truncates application_name to 63 bytes. */
const applicationName = ({ role, server }: SessionOptions) =>
  ['waybill', role, server].filter(Boolean).join(' ').slice(0, 63);

/** Options that make a pg.Pool (ours, and the one inside pg-boss) use DatabaseClient. */
export const poolOptions = (connection: Connection, options: ClientOptions) => ({
  ...connection,
  ...options,
  Client: DatabaseClient as unknown as new () => pg.Client,
  application_name: applicationName({ ...connection, ...options }),
});
