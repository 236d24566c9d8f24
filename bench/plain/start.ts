import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { Client } from "pg";
import { hashKey } from "../../src/contract/keyForm.ts";
import { openCurrentSnapshot } from "../../src/registry/openSnapshot.ts";
import { registryDirectory } from "../../src/registry/paths.ts";
import { freePort } from "../../test/kit/freePort.ts";
import { type Server, startServer } from "../processes.ts";
import type { PreparedCase, World } from "../world.ts";
import type { PlainCompany, PlainKey } from "./design.ts";
import { createPostgres } from "./postgres.ts";
import { createSqlite } from "./sqlite.ts";

const MAIN = fileURLToPath(new URL("main.ts", import.meta.url));

/** Starts the plain design on a database of its own, with the keys of a case and the companies of its calls. */
export async function startPlain(
  { bench, calls }: PreparedCase,
  world: World,
): Promise<Server & { readonly port: number }> {
  const hashes = new Set(calls.map(({ key }) => hashKey(key)));
  const keys: PlainKey[] = [...hashes].map((hash, number) => ({ hash, number }));
  const companies = companiesOf(world);
  const name = `plain_${bench.name.replaceAll("-", "_")}`;
  let location = join(world.folder, name);
  const ours = world.environment["DATABASE_URL"];
  if (ours === undefined) createSqlite(location, keys, companies);
  else {
    location = await createDatabase(ours, name);
    await createPostgres(location, keys, companies);
  }
  const port = await freePort();
  const words = [MAIN, location, String(port), String(bench.processes)];
  return { ...(await startServer(world.environment, { words, port, stdout: "pipe" })), port };
}

function companiesOf({ environment, sample }: World): readonly PlainCompany[] {
  const snapshot = openCurrentSnapshot(registryDirectory(environment["DATA_DIR"] ?? ""));
  if (snapshot === undefined) throw new Error("The import has left no registry.");
  try {
    return sample.map(({ kvkNumber }) => {
      const { source, ...company } = snapshot.basic(kvkNumber) ?? {};
      // In the order of our response.
      return { kvkNumber, body: JSON.stringify({ ...company, source }) };
    });
  } finally {
    snapshot.close();
  }
}

/** Returns the URL of a new database of the server. */
async function createDatabase(ours: string, name: string): Promise<string> {
  const client = new Client({ connectionString: ours });
  await client.connect();
  await client.query(`create database ${name}`);
  await client.end();
  const url = new URL(ours);
  url.pathname = name;
  return url.href;
}
