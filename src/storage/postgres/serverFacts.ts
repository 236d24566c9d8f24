import { NOW_MS } from "./commitOutcome.ts";
import { openPool } from "./connect.ts";

/** What an operator should know of the server, for whoever checks an installation. */
export interface ServerFacts {
  /** As the server says it, such as `18.4`. */
  readonly version: string;
  /** The same to be compared: 180004. */
  readonly versionNumber: number;
  /** Its clock, which windows and months go by: Unix milliseconds. */
  readonly nowMs: number;
  /** It has become a standby, or is one: nothing can be written. */
  readonly isReadOnly: boolean;
  readonly maxConnections: number;
  /** Settings by which an acknowledged charge survives the end of the server, as they are for this role: `on` is right for each. */
  readonly durability: Readonly<Record<"fsync" | "synchronous_commit" | "full_page_writes", string>>;
}

interface FactsRow {
  readonly version: string;
  readonly version_number: number;
  readonly now_ms: number;
  readonly is_read_only: boolean;
  readonly max_connections: number;
  readonly fsync: string;
  readonly synchronous_commit: string;
  readonly full_page_writes: string;
}

const FACTS = `select current_setting('server_version') as version,
    current_setting('server_version_num')::integer as version_number, ${NOW_MS} as now_ms,
    pg_is_in_recovery() or current_setting('default_transaction_read_only') = 'on' as is_read_only,
    current_setting('max_connections')::integer as max_connections, current_setting('fsync') as fsync,
    current_setting('synchronous_commit') as synchronous_commit, current_setting('full_page_writes') as full_page_writes`;

/**
 * Asks the server of a state, in one statement that changes nothing.
 * @throws whatever the server or the way to it fails with
 */
export async function readServerFacts(url: string): Promise<ServerFacts> {
  const pool = openPool({ url, mostConnections: 1 });
  try {
    const { rows } = await pool.query<FactsRow>(FACTS);
    const [row] = rows;
    if (row === undefined) throw new Error("the database tells nothing of itself");
    const { fsync, synchronous_commit, full_page_writes } = row;
    return {
      version: row.version,
      versionNumber: row.version_number,
      nowMs: row.now_ms,
      isReadOnly: row.is_read_only,
      maxConnections: row.max_connections,
      durability: { fsync, synchronous_commit, full_page_writes },
    };
  } finally {
    await pool.end();
  }
}
