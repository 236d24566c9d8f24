/** `DATABASE_URL` with several servers: the writable one is found, at the start and when it changes. */

import { once } from "node:events";
import { type AddressInfo, connect, createServer } from "node:net";
import type { Pool } from "pg";
import { beforeAll, describe, expect, it } from "vitest";
import { openPostgresState } from "../../src/app/state/postgresState.ts";
import { openPool } from "../../src/database/postgres/connect.ts";
import { databaseFacts } from "../../src/database/postgres/databaseFacts.ts";
import { StateUnreachable } from "../../src/database/stateErrors.ts";
import { afterFile } from "../kit/afterFile.ts";
import { freePort } from "../kit/freePort.ts";
import { databasesOn, launchPostgres } from "../kit/postgres.ts";
import { PASSWORD, USER } from "../kit/postgresServer.ts";
import { startService } from "../kit/service.ts";
import { alterSystem, operate, startStandby } from "../kit/standby.ts";
import { call, outcomes, StoreFixture, TIERS } from "../kit/stores/fixture.ts";
import { thoroughIt } from "../kit/thorough.ts";
import { makeWorld } from "../kit/world.ts";

const CONNECTIONS = 4;
/** More than a busy machine needs. */
const CONNECT_WITHIN_MS = 30_000;

const ports = { primary: 0, standby: 0, dead: 0, silent: 0, between: 0 };
let primaryUrl = "";

const urlOf = (...servers: readonly (keyof typeof ports)[]) =>
  `postgres://${USER}:${PASSWORD}@${servers.map((name) => `127.0.0.1:${ports[name]}`).join(",")}/opzoek?target_session_attrs=read-write`;

beforeAll(async () => {
  const server = await launchPostgres([]);
  afterFile(() => server.remove());
  ports.primary = server.port;
  primaryUrl = await databasesOn(server.port).newDatabase("opzoek");
  ports.standby = await startStandby(server, "one");
  ports.dead = await freePort();
  const silent = createServer(() => {}).listen(0, "127.0.0.1");
  await once(silent, "listening");
  afterFile(() => void silent.close());
  ports.silent = (silent.address() as AddressInfo).port;
});

async function withPool<T>(url: string, use: (pool: Pool) => Promise<T>): Promise<T> {
  const pool = openPool({ url, maxConnections: CONNECTIONS });
  try {
    return await use(pool);
  } finally {
    await pool.end();
  }
}

async function portOf(pool: Pool): Promise<number> {
  const { rows } = await pool.query<{ port: number }>("select inet_server_port() as port");
  return rows[0]?.port ?? 0;
}

describe("a connection", () => {
  it.each<[string, ...(keyof typeof ports)[]]>([
    ["the only server", "primary"],
    ["the first server", "primary", "standby"],
    ["the server after a standby", "standby", "primary"],
    ["the server after one that is down", "dead", "primary"],
    ["the server after one that does not answer", "silent", "primary"],
    ["the server after all others", "silent", "dead", "standby", "primary"],
  ])("is made to %s", async (_, ...servers) => {
    await withPool(urlOf(...servers), async (pool) => {
      const found = await Promise.all([portOf(pool), portOf(pool), portOf(pool)]);
      expect(new Set(found)).toEqual(new Set([ports.primary]));
    });
  });

  it.each<[string, RegExp, ...(keyof typeof ports)[]]>([
    ["only a standby", /is a standby/, "standby"],
    ["a standby and a server that is down", /is a standby.*ECONNREFUSED/, "standby", "dead"],
    ["servers that are down or silent", /ECONNREFUSED.*does not answer/, "dead", "silent"],
  ])("is temporarily refused with %s, without the password", async (_, reason, ...servers) => {
    const opening = openPostgresState({ url: urlOf(...servers), tiers: TIERS });
    const error: unknown = await opening.catch((error: unknown) => error);
    expect(error).toBeInstanceOf(StateUnreachable);
    expect(String(error)).toMatch(reason);
    expect(String(error)).not.toContain(PASSWORD);
    // `opzoek doctor` gives the same reason.
    await expect(databaseFacts(urlOf(...servers))).rejects.toThrow(reason);
  });
});

thoroughIt("connections to a silent server are abandoned, all of them, for another server", async () => {
  let isSilent = false;
  const between = createServer({ allowHalfOpen: true }, (client) => {
    const server = connect(ports.primary, "127.0.0.1");
    client.on("data", (bytes) => isSilent || server.write(bytes)).on("error", () => {});
    server.on("data", (bytes) => isSilent || client.write(bytes)).on("error", () => {});
    afterFile(() => {
      client.destroy();
      server.destroy();
    });
  }).listen(0, "127.0.0.1");
  await once(between, "listening");
  afterFile(() => void between.close());
  ports.between = (between.address() as AddressInfo).port;
  await withPool(urlOf("between", "primary"), async (pool) => {
    const all = () => Array.from({ length: CONNECTIONS }, () => pool.query("select 1"));
    await Promise.all(all());
    isSilent = true;
    const silenced = await Promise.allSettled(all());
    expect(silenced.every(({ status }) => status === "rejected")).toBe(true);
    await expect
      .poll(async () => (await Promise.allSettled(all())).map(({ status }) => status))
      .toEqual(Array.from({ length: CONNECTIONS }, () => "fulfilled"));
  });
});

it("a service warns at its start if commits wait for no standby", async () => {
  const world = await makeWorld({
    companies: [],
    environment: { DATABASE_URL: urlOf("standby", "primary") },
  });
  const service = await startService(world);
  await expect
    .poll(() => service.log().flatMap(({ found }) => (found === undefined ? [] : [found])))
    .toContainEqual(expect.stringMatching(/^1 connected standbys and an empty synchronous_standby_names/));
  await service.end("SIGTERM");
});

it("a server that becomes read-only is replaced by the promoted one, also for open connections", async () => {
  const store = await openPostgresState({
    url: urlOf("primary", "standby"),
    tiers: TIERS,
    connectWithinMs: CONNECT_WITHIN_MS,
  });
  afterFile(() => store.close());
  const fixture = new StoreFixture(async () => store, "2026-05-05T12:00:00.000Z");
  const { accountId, keyIds } = await fixture.addAccount(store, "wide");
  const charge = () => outcomes(store.metering.apply([call(keyIds[0] ?? "", 5)]));
  const writes = () =>
    Promise.allSettled(Array.from({ length: 16 }, () => store.accounts.setTier(accountId, "wide")));
  // Opens all connections of the pool.
  await writes();
  expect(await charge()).toEqual(["granted 5"]);

  const standbyUrl = urlOf("standby").split("?")[0] ?? "";
  const { lsn } = await operate<{ lsn: string }>(primaryUrl, "select pg_current_wal_lsn() as lsn");
  await expect
    .poll(() => operate(standbyUrl, `select pg_last_wal_replay_lsn() >= '${lsn}' as "isEqual"`))
    .toEqual({ isEqual: true });
  await alterSystem(primaryUrl, "default_transaction_read_only", "on");
  await operate(standbyUrl, "select pg_promote()");

  // A connection is dropped only after something on it has failed.
  await writes();
  expect((await writes()).filter(({ status }) => status === "rejected")).toEqual([]);
  expect(await charge()).toEqual(["granted 5"]);
  expect((await store.ledger.spent(accountId))?.used).toBe(10);
});
