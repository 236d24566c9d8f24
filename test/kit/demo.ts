import { cpSync } from "node:fs";
import { inject } from "vitest";
import { type Service, startService } from "./service.ts";
import { makeWorld } from "./world.ts";

/**
 * Starts `opzoek demo` on a copy of the run's demo data, which takes a quarter of making them. It ends with the file's
 * tests.
 */
export async function startDemo(): Promise<Service> {
  const { dataDir, environment } = await makeWorld({ companies: [] });
  const answer = await fetch(new URL("demo", inject("postgresStarter")));
  if (!answer.ok) throw new Error(await answer.text());
  cpSync(await answer.text(), dataDir, { recursive: true });
  return startService({ environment }, ["demo"]);
}
