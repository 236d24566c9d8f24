import { Client, type ClientConfig } from "pg";
import { withTimeout } from "../../lib/deadline.ts";
import { databaseReason, isUnreachable, loginRemedy, NotWritable } from "./failures.ts";

/** The share of the connection timeout for finding the server; the rest is for the connection itself. */
const FINDING_SHARE = 0.75;

/** SQL of the columns of {@link Role}. */
export const ROLE = `pg_is_in_recovery() as "isStandby", current_setting('transaction_read_only') = 'on' as "isReadOnly"`;

export interface Role {
  readonly isStandby: boolean;
  readonly isReadOnly: boolean;
}

/** @throws {NotWritable} for a standby, and for a server whose transactions are read-only */
export function refuseReadOnly({ isStandby, isReadOnly }: Role): void {
  if (isStandby) throw new NotWritable("the server is a standby: use the primary");
  if (isReadOnly) throw new NotWritable("the server is read-only: see its default_transaction_read_only");
}

type OnConnected = ((error: Error) => void) | ((error: null, client: Client) => void);

/**
 * A client that connects to the first writable server of several, starting with the one found last. libpq calls this
 * `target_session_attrs=read-write`; node-postgres has no such option.
 */
export function clientOfWritable(urls: readonly string[]): new (config?: ClientConfig) => Client {
  let foundUrl = urls[0];

  /**
   * Tries one server after the other. Each gets an equal share of the remaining time: a host that drops packets must
   * not use it up.
   */
  async function find(config: ClientConfig): Promise<Pick<Client, "host" | "port">> {
    const endsMs = performance.now() + (config.connectionTimeoutMillis ?? 0) * FINDING_SHARE;
    const order = [...urls].sort((one, other) => Number(other === foundUrl) - Number(one === foundUrl));
    const failures: { readonly server: string; readonly error: unknown }[] = [];
    for (const [index, url] of order.entries()) {
      const client = new Client({ ...config, connectionString: url, pipeline: false });
      client.on("error", () => {});
      try {
        const shareMs = (endsMs - performance.now()) / (order.length - index);
        const role = await withTimeout(shareMs, roleOf(client));
        if (role === undefined) throw new NotWritable("it does not answer");
        refuseReadOnly(role);
        foundUrl = url;
        return client;
      } catch (error) {
        failures.push({ server: `${client.host}:${client.port}`, error });
      } finally {
        client.end(() => {});
        // A server that has not answered would keep the socket for minutes.
        setTimeout(() => client.connection.stream.destroy(), 100).unref();
      }
    }
    const [first] = failures;
    if (!failures.some(({ error }) => isUnreachable(error))) throw first?.error;
    // Roles and databases are the same on all of them, so unavailable servers would refuse the login too.
    const refused = failures.find(({ error }) => loginRemedy(error) !== undefined);
    if (refused !== undefined) throw refused.error;
    const reasons = failures.map(({ server, error }) => `${server}: ${databaseReason(error)}`);
    throw new NotWritable(`no server is writable (${reasons.join("; ")})`);
  }

  return class extends Client {
    readonly #config: ClientConfig;

    constructor(config: ClientConfig = {}) {
      super(config);
      this.#config = config;
    }

    override connect(): Promise<Client>;
    override connect(done: OnConnected): void;
    override connect(done?: OnConnected): Promise<Client> | undefined {
      const connected = find(this.#config).then(({ host, port }) => {
        this.host = host;
        this.port = port;
        return super.connect();
      });
      if (done === undefined) return connected;
      connected.then(
        (client) => Reflect.apply(done, undefined, [null, client]),
        (error) => Reflect.apply(done, undefined, [error]),
      );
      return undefined;
    }
  };
}

async function roleOf(client: Client): Promise<Role | undefined> {
  await client.connect();
  return (await client.query<Role>(`select ${ROLE}`)).rows[0];
}
