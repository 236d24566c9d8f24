import { randomBytes } from "node:crypto";
import { inject } from "vitest";
import { type Databases, databasesOn } from "./postgres.ts";

/** Databases of this file on the run's one PostgreSQL server, which starts on first use. */
export async function sharedPostgres(): Promise<Databases & { readonly port: number }> {
  const answer = await fetch(inject("postgresStarter"));
  const { port, template } = (await answer.json()) as { port: number; template: string };
  return { port, ...databasesOn(port, { prefix: `${randomBytes(4).toString("hex")}_`, template }) };
}
