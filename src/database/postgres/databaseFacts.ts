import { NOW_MS } from "../clock.ts";
import { IS_OWN_SESSION, openPool } from "./connect.ts";
import { asDatabaseRefused } from "./failures.ts";

/** The settings and condition of a server that charges depend on. */
export interface DatabaseFacts {
  readonly version: string;
  readonly nowMs: number;
  readonly fsync: boolean;
  /** `on`, `off`, `local`, `remote_write` or `remote_apply`. */
  readonly synchronousCommit: string;
  /** `synchronous_standby_names`; empty if commits do not wait for a standby. */
  readonly synchronousStandbys: string;
  readonly standbys: number;
  /** Connections available to roles other than superusers. */
  readonly maxConnections: number;
  readonly connections: number;
  /** Machines on which this program is connected, including this one. */
  readonly machines: number;
  /** Whether the role may change the state's tables, as upgrades do; null if there are none. */
  readonly ownsTables: boolean | null;
  readonly isArchiving: boolean;
  /** When WAL was last archived, and when that last failed, Unix milliseconds. */
  readonly archivedMs: number | null;
  readonly archivingFailedMs: number | null;
}

const MS_OF = (column: string) => `floor(extract(epoch from ${column}) * 1000)::bigint`;

/** @throws {StateRefused} if it cannot be queried; the message contains no password */
export async function databaseFacts(url: string): Promise<DatabaseFacts> {
  const pool = openPool({ url, maxConnections: 1 });
  try {
    const { rows } = await pool.query<DatabaseFacts>(`select
      current_setting('server_version') as "version", ${NOW_MS} as "nowMs",
      current_setting('fsync') = 'on' as "fsync", current_setting('synchronous_commit') as "synchronousCommit",
      current_setting('synchronous_standby_names') as "synchronousStandbys",
      (select count(*) from pg_stat_replication where coalesce(state, 'streaming') = 'streaming') as "standbys",
      current_setting('max_connections')::integer - current_setting('superuser_reserved_connections')::integer as "maxConnections",
      (select count(distinct coalesce(client_addr::text, '')) from pg_stat_activity where ${IS_OWN_SESSION}) as "machines",
      (select count(*) from pg_stat_activity where backend_type = 'client backend') as "connections",
      (select pg_has_role(relowner, 'usage') from pg_class where oid = to_regclass('applied_batches')) as "ownsTables",
      current_setting('archive_mode') <> 'off' as "isArchiving",
      ${MS_OF("last_archived_time")} as "archivedMs", ${MS_OF("last_failed_time")} as "archivingFailedMs"
      from pg_stat_archiver`);
    const [facts] = rows;
    if (facts === undefined) throw new Error("it returned nothing");
    return facts;
  } catch (error) {
    throw asDatabaseRefused(error);
  } finally {
    await pool.end();
  }
}
