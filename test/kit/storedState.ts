/** The stored state of a world, read directly, also while a service uses it. */
import { DatabaseSync, type DatabaseSyncOptions } from "node:sqlite";
import { Client } from "pg";
import { statePath } from "../../src/database/sqlite/statePath.ts";
import type { World } from "./world.ts";

type Stored = Pick<World, "dataDir" | "environment">;
export type StoredRow = Readonly<Record<string, unknown>>;

/** A service may be writing. */
const WAIT_MS = 5_000;

/** The rows of a query. */
export async function storedRows(world: Stored, query: string): Promise<readonly StoredRow[]> {
  const { DATABASE_URL } = world.environment;
  if (DATABASE_URL === undefined) {
    return embedded(world, { readOnly: true }, (database) => database.prepare(query).all());
  }
  return shared(DATABASE_URL, async (client) => (await client.query<StoredRow>(query)).rows);
}

/** The first column of a query. */
export async function storedTexts(world: Stored, query: string): Promise<readonly string[]> {
  return (await storedRows(world, query)).map((row) => String(Object.values(row)[0]));
}

/** @param mindsReferences whether the embedded state enforces foreign keys, as it does for its service */
export async function changeStored(
  world: Stored,
  statements: string,
  { enforcesForeignKeys = true } = {},
): Promise<void> {
  const { DATABASE_URL } = world.environment;
  if (DATABASE_URL === undefined) {
    const options = { enableForeignKeyConstraints: enforcesForeignKeys };
    embedded(world, options, (database) => database.exec(statements));
  } else {
    await shared(DATABASE_URL, (client) => client.query(statements));
  }
}

function embedded<T>(
  { dataDir }: Stored,
  options: DatabaseSyncOptions,
  use: (database: DatabaseSync) => T,
): T {
  using database = new DatabaseSync(statePath(dataDir), { timeout: WAIT_MS, ...options });
  return use(database);
}

async function shared<T>(connectionString: string, use: (client: Client) => Promise<T>): Promise<T> {
  const client = new Client({ connectionString });
  await client.connect();
  return use(client).finally(() => client.end());
}
