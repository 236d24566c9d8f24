/** A slow database: commands wait for it longer than calls, which have a waiting caller. */
import { expect, it } from "vitest";
import { startDatabaseProxy } from "../kit/databaseProxy.ts";
import { opzoek } from "../kit/opzoek.ts";
import { sharedPostgres } from "../kit/sharedPostgres.ts";
import { makeWorld } from "../kit/world.ts";

/** With the responses during the session's start it exceeds the two seconds that a call waits for a connection. */
const EACH_ANSWER_MS = 1_200;

const server = await sharedPostgres();

it("a command waits for a connection as long as a busy server takes", async () => {
  const DATABASE_URL = await server.newDatabase("slow to connect");
  const world = await makeWorld({ environment: { DATABASE_URL } });
  const { id } = await world.account("plenty");
  const proxy = await startDatabaseProxy(server.port);
  proxy.delayAnswers(EACH_ANSWER_MS);
  const environment = { ...world.environment, DATABASE_URL: proxy.through(DATABASE_URL) };
  const usage = await opzoek(["usage", id, "--json"], environment);
  expect(usage.code, usage.err).toBe(0);
  expect(JSON.parse(usage.out)).toMatchObject({ tokens: { used: 0 } });
});
