import { DatabaseSync } from "node:sqlite";
import { Client } from "pg";
import { statePath } from "../../src/storage/sqlite/statePath.ts";
import type { World } from "../kit/world.ts";

/** The first column of what a query finds in the state of a world as it is stored, beside whoever uses it. */
export async function storedText(
  world: Pick<World, "dataDir" | "environment">,
  query: string,
): Promise<readonly string[]> {
  const { DATABASE_URL: connectionString } = world.environment;
  if (connectionString === undefined) {
    const database = new DatabaseSync(statePath(world.dataDir), { readOnly: true });
    const rows = database.prepare(query).all();
    database.close();
    return rows.map((row) => String(Object.values(row)[0]));
  }
  const client = new Client({ connectionString });
  await client.connect();
  const { rows } = await client
    .query<string[]>({ text: query, rowMode: "array" })
    .finally(() => client.end());
  return rows.map(([first]) => String(first));
}
