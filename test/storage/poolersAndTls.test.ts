/** Between the service and its database: poolers that dedicate or share sessions, and TLS. */

import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Client } from "pg";
import { describe, expect, it } from "vitest";
import { openPostgresState } from "../../src/app/state/postgresState.ts";
import { StateRefused } from "../../src/database/stateErrors.ts";
import { afterFile } from "../kit/afterFile.ts";
import { PRIVATE_ROOT } from "../kit/certificates.ts";
import { itWith } from "../kit/needs.ts";
import { PGBOUNCER, startPgbouncer } from "../kit/pgbouncer.ts";
import { startPooler } from "../kit/pooler.ts";
import { sharedPostgres } from "../kit/sharedPostgres.ts";
import { call, outcomes, StoreFixture, TIERS } from "../kit/stores/fixture.ts";
import { startTlsFront } from "../kit/tlsFront.ts";
import { until } from "../kit/until.ts";

const server = await sharedPostgres();
const url = await server.database("pooled");

describe("a pooler", () => {
  it("is refused at the start if it shares sessions between transactions, with the remedy", async () => {
    const pooler = await startPooler(server.port, "transaction");
    const refused: unknown = await openPostgresState({ url: pooler.through(url), tiers: TIERS }).catch(
      (error: unknown) => error,
    );
    expect(refused).toBeInstanceOf(StateRefused);
    expect(String(refused)).toContain(
      "set it to session pooling for this database (PgBouncer: pool_mode = session)",
    );
  });

  it("works if it dedicates sessions, whatever startup parameters it refuses; health reports a change to sharing", async () => {
    const pooler = await startPooler(server.port, "session");
    const store = await openPostgresState({ url: pooler.through(url), tiers: TIERS });
    const fixture = new StoreFixture(async () => store, "2026-05-05T12:00:00.000Z");
    const { keyIds } = await fixture.addAccount(store, "wide");
    const [key = ""] = keyIds;
    expect(await outcomes(store.metering.apply([call(key, 2)]))).toEqual(["granted 2"]);
    await Promise.all(Array.from({ length: 20 }, () => store.probe()));

    pooler.setMode("transaction");
    // Each returns its session to the next one; the pooler decides which connection gets it.
    const failure = await until("a probe fails", async () => {
      const probes = await Promise.allSettled(Array.from({ length: 20 }, () => store.probe()));
      return probes.flatMap((probe) => (probe.status === "rejected" ? [String(probe.reason)] : []))[0];
    });
    expect(failure).toContain("a pooler assigns database sessions to another connection");
    await store.close();
  });

  it("is simulated by one that refuses the same startup parameters as PgBouncer", async () => {
    const pooler = await startPooler(server.port, "session");
    const client = new Client({ connectionString: pooler.through(url), statement_timeout: 1_000 });
    client.on("error", () => {});
    await expect(client.connect()).rejects.toThrow("unsupported startup parameter: statement_timeout");
  });

  itWith(
    { isMet: PGBOUNCER !== undefined, lack: "pgbouncer is not installed" },
    "distinguishes the modes of PgBouncer itself",
    async () => {
      const through = (mode: "session" | "transaction") => startPgbouncer(PGBOUNCER ?? "", url, mode);
      await expect(openPostgresState({ url: await through("transaction"), tiers: TIERS })).rejects.toThrow(
        /PgBouncer: pool_mode = session/,
      );
      const store = await openPostgresState({ url: await through("session"), tiers: TIERS });
      await Promise.all(Array.from({ length: 20 }, () => store.probe()));
      await store.close();
    },
  );
});

it("a database with a certificate of a private root is accepted with that root in sslrootcert, and with no other", async () => {
  const folder = mkdtempSync(join(tmpdir(), "opzoek-root-"));
  afterFile(() => rmSync(folder, { recursive: true, force: true }));
  const root = join(folder, "root.pem");
  writeFileSync(root, PRIVATE_ROOT);
  const secure = new URL(url);
  secure.port = String(await startTlsFront(server.port));
  secure.searchParams.set("sslmode", "verify-full");
  await expect(openPostgresState({ url: secure.href, tiers: TIERS })).rejects.toThrow(
    /^the database of DATABASE_URL cannot be used \(.*certificate/,
  );
  secure.searchParams.set("sslrootcert", root);
  const store = await openPostgresState({ url: secure.href, tiers: TIERS });
  await store.probe();
  await store.close();
});
