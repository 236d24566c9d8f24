/** `opzoek doctor` reports nothing on a healthy system, and each problem with its remedy. */

import { chmodSync, chownSync, existsSync, rmSync, truncateSync, writeFileSync } from "node:fs";
import { request } from "node:http";
import { createServer as createTlsServer } from "node:https";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { describe, expect, it } from "vitest";
import { seal } from "../../src/accounts/sealing.ts";
import { sealKeys } from "../../src/app/compose/sealKeys.ts";
import { disk } from "../../src/app/doctor/machine.ts";
import { clock } from "../../src/app/doctor/network.ts";
import { readSettings } from "../../src/app/settings/settings.ts";
import { readBackupRecord } from "../../src/database/backup/lastBackup.ts";
import { SEAL_KEY_BYTES } from "../../src/database/schema/sealed.ts";
import { statePath } from "../../src/database/sqlite/statePath.ts";
import { readPointer } from "../../src/registry/directory.ts";
import { registryDirectory } from "../../src/registry/paths.ts";
import { afterFile } from "../kit/afterFile.ts";
import { LOCAL_CERTIFICATE, LOCAL_KEY, PRIVATE_ROOT } from "../kit/certificates.ts";
import { opzoek, spawnOpzoek } from "../kit/opzoek.ts";
import { servingPort } from "../kit/server.ts";
import { type Service, startService } from "../kit/service.ts";
import { sharedPostgres } from "../kit/sharedPostgres.ts";
import { changeStored } from "../kit/storedState.ts";
import { thoroughIt } from "../kit/thorough.ts";
import { REGISTERED, startVies } from "../kit/vies.ts";
import { makeWorld, temporaryFolder, type World } from "../kit/world.ts";
import { type DoctorReport, doctor } from "./doctorReport.ts";

const AWAY = "http://127.0.0.1:1";

async function worldThatIsWell(): Promise<World> {
  const vies = await startVies({ companyOf: () => REGISTERED });
  const world = await makeWorld({ environment: { VIES_URL: vies.url } });
  await world.account("plenty");
  chmodSync(world.dataDir, 0o700);
  expect((await opzoek(["registry", "verify"], world.environment)).code).toBe(0);
  expect((await opzoek(["backup", join(temporaryFolder(), "backups")], world.environment)).code).toBe(0);
  return world;
}

describe("opzoek doctor", () => {
  it("finds nothing next to a healthy service, and lists its checks for a person", async () => {
    const world = await worldThatIsWell();
    const service = await startService(world);
    const environment = { ...world.environment, PUBLIC_URL: service.address, PORT: String(service.port) };
    const { code, report, bad } = await doctor(environment);
    // The tests' registry has data of some years ago.
    bad.delete("registry");
    expect([...bad]).toEqual([]);
    expect([code, report.problems]).toEqual([0, 0]);
    const { out } = await opzoek(["doctor"], environment);
    expect(out).toMatch(/^good {5}settings/);
    expect(out).toMatch(/^good {5}service +the running service is ok: kvk up vies up$/m);
    expect(out).toMatch(/^good {5}proxy +http:\/\/127\.0\.0\.1:[0-9]+ leads to the service$/m);
    expect(await service.end("SIGTERM")).toBe(0);
  });

  it("finds a setting that breaks its rule, and checks nothing else", async () => {
    const { environment } = await makeWorld({ companies: [] });
    const { code, report } = await doctor({ ...environment, PORT: "http" });
    expect([code, report.problems]).toEqual([1, 1]);
    expect(report.checks).toMatchObject([
      { check: "settings", found: expect.stringContaining("PORT must be") },
    ]);
  });

  it("finds unreachable upstreams, a missing service, and a folder that others may read", async () => {
    const world = await worldThatIsWell();
    chmodSync(world.dataDir, 0o755);
    const { code, bad } = await doctor({
      ...world.environment,
      VIES_URL: AWAY,
      KVK_API_KEY: "secret-key",
      KVK_API_URL: AWAY,
      KVK_OPEN_DATA_URL: AWAY,
      KVK_OPEN_DATA_PER_MINUTE: "1",
      PUBLIC_URL: AWAY,
    });
    expect(code).toBe(1);
    expect(bad.get("rights")).toMatch(/^warning: readable by others: /);
    expect(bad.get("vies")).toMatch(/^warning: VIES does not answer/);
    expect(bad.get("kvk")).toMatch(/^warning: KVK cannot be reached/);
    expect(bad.get("kvk open data")).toMatch(/^warning: KVK's open data cannot be reached/);
    expect(bad.get("proxy")).toMatch(/^problem: http:\/\/127\.0\.0\.1:1 does not answer/);
    expect(JSON.stringify([...bad])).not.toContain("secret-key");
  });

  it("finds an inconsistent state, a damaged one, a failed backup, and a missing registry", async () => {
    const world = await makeWorld({ companies: [] });
    const { id } = await world.account("plenty");
    expect((await doctor(world.environment)).bad.get("backup")).toMatch(/^warning: there is no backup/);
    await opzoek(["backup", join(world.dataDir, "gone", "deep")], world.environment);
    const database = new DatabaseSync(statePath(world.dataDir));
    const now = new Date();
    const month = now.getUTCFullYear() * 12 + now.getUTCMonth();
    database.exec(
      `insert into account_months values ('${id}', ${month}, 9, 0), ('${id}', ${month + 1}, 9, 0)`,
    );
    database.close();
    const { code, bad } = await doctor(world.environment);
    expect(code).toBe(1);
    expect(bad.get("state")).toMatch(/^problem: sums: 1 found, such as acc_/);
    expect(bad.get("backup")).toMatch(/^problem: the last backup failed at .*does not exist/);
    expect(bad.get("registry")).toMatch(/^problem: there is no registry/);
    writeFileSync(statePath(world.dataDir), "no state");
    expect((await doctor(world.environment)).bad.get("state")).toMatch(
      /^problem: the state file .* is damaged/,
    );
  });

  it("finds reasons for a refused start: a missing or truncated snapshot, and unknown tiers", async () => {
    const world = await worldThatIsWell();
    const snapshot = join(registryDirectory(world.dataDir), "snapshot-1.sqlite");
    truncateSync(snapshot, 8_192);
    expect((await doctor(world.environment)).bad.get("registry")).toMatch(
      /^problem: .*of a wrong size: snapshot-1/,
    );
    rmSync(snapshot);
    const { code, bad } = await doctor({ ...world.environment, TIERS_FILE: undefined });
    expect(code).toBe(1);
    expect(bad.get("registry")).toMatch(/^problem: missing.*: snapshot-1/);
    expect(bad.get("state")).toMatch(
      /^problem: TIERS_FILE lacks tiers that accounts have: "plenty" \(1 account\)/,
    );
  });

  it("finds a missing last backup, secrets whose key is elsewhere, and files of another user", async () => {
    const world = await worldThatIsWell();
    const key = join(world.dataDir, "two-factor.key");
    writeFileSync(key, Buffer.alloc(SEAL_KEY_BYTES, 1).toString("base64"), { mode: 0o600 });
    const sealed = seal(sealKeys(readSettings(world.environment)), Buffer.from("secret"), "acc");
    await changeStored(
      world,
      `insert into two_factors (account_id, sealed, begun_at_ms, last_step) select id, '${sealed}', 0, 0 from accounts`,
    );
    expect((await doctor(world.environment)).bad.has("state")).toBe(false);
    rmSync(key);
    rmSync(readBackupRecord(world.dataDir)?.good?.path ?? "");
    const { code, bad } = await doctor(world.environment);
    expect(code).toBe(1);
    expect(bad.get("state")).toMatch(/^problem: the key of two-factor sign-in is missing \([0-9a-f]{16}\)/);
    expect(bad.get("backup")).toMatch(/^warning: the last backup, .*, is missing$/);
    if (process.getuid?.() !== 0) return;
    const lock = join(registryDirectory(world.dataDir), "lock.sqlite");
    chownSync(lock, 65_534, 65_534);
    expect((await doctor(world.environment)).bad.get("rights")).toBe(
      `problem: files of another owner than DATA_DIR: ${lock}`,
    );
  });

  it("creates no missing DATA_DIR, and reports it", async () => {
    const DATA_DIR = join(temporaryFolder(), "misspelt");
    const { environment } = await makeWorld({ companies: [] });
    const { bad } = await doctor({ ...environment, DATA_DIR });
    expect(bad.get("rights")).toMatch(/^warning: DATA_DIR .* does not exist/);
    expect((await opzoek(["backup", join(temporaryFolder(), "b")], { ...environment, DATA_DIR })).code).toBe(
      1,
    );
    expect((await opzoek(["state", "check"], { ...environment, DATA_DIR })).code).toBe(1);
    expect(existsSync(DATA_DIR)).toBe(false);
  });

  it("does not mistake a web page for VIES, limits the size of responses, and hides passwords in addresses", async () => {
    let sentBytes = 0;
    const port = await servingPort((incoming, response) => {
      if (incoming.url?.includes("check-status")) {
        response.end("<html>");
        return;
      }
      const more = () => {
        sentBytes += 65_536;
        if (response.write(" ".repeat(65_536))) setImmediate(more);
        else response.once("drain", more);
      };
      more();
    });
    const world = await makeWorld({ companies: [] });
    const address = `http://127.0.0.1:${port}`;
    const { bad } = await doctor({ ...world.environment, VIES_URL: address, PUBLIC_URL: address });
    expect(bad.get("vies")).toMatch(/^warning: the server at .*check-status is not VIES/);
    expect(bad.get("proxy")).toMatch(/^problem: .*not like this service/);
    expect(sentBytes).toBeLessThan(64 * 1_048_576);
    const secret = `http://somebody:tr0ub4dor@127.0.0.1:${port}`;
    const { report } = await doctor({ ...world.environment, VIES_URL: secret, PUBLIC_URL: secret });
    expect(JSON.stringify(report)).not.toContain("tr0ub4dor");
  });

  it("finds another program that answers instead of the service", async () => {
    const port = await servingPort((_, response) => response.end("<html>"));
    const world = await makeWorld({ companies: [] });
    const { bad } = await doctor({ ...world.environment, PUBLIC_URL: `http://127.0.0.1:${port}` });
    expect(bad.get("proxy")).toMatch(/^problem: .*not like this service/);
  });

  thoroughIt("distinguishes a service that trusts its TLS proxy from one that does not", async () => {
    const root = join(temporaryFolder(), "root.pem");
    writeFileSync(root, PRIVATE_ROOT);
    let service: Service | undefined;
    const tls = createTlsServer({ cert: LOCAL_CERTIFICATE, key: LOCAL_KEY }, (incoming, answer) => {
      const headers = { ...incoming.headers, "x-forwarded-proto": "https", "x-forwarded-for": "192.0.2.1" };
      request(`${service?.address}${incoming.url}`, { headers }, (forwarded) => {
        answer.writeHead(forwarded.statusCode ?? 502, forwarded.headers);
        forwarded.pipe(answer);
      }).end();
    });
    await new Promise<void>((resolve) => tls.listen(0, "127.0.0.1", resolve));
    afterFile(() => {
      tls.closeAllConnections();
      tls.close();
    });
    const address = tls.address();
    const PUBLIC_URL = `https://localhost:${typeof address === "object" && address !== null ? address.port : 0}`;
    const found = async (trusted: Readonly<Record<string, string>>) => {
      const world = await makeWorld({ environment: { PUBLIC_URL, ...trusted } });
      service = await startService(world);
      const environment = { ...world.environment, NODE_EXTRA_CA_CERTS: root };
      const { out } = await spawnOpzoek(["doctor", "--json"], environment);
      await service.end("SIGTERM");
      return (JSON.parse(out) as DoctorReport).checks.find(({ check }) => check === "proxy");
    };
    expect(await found({})).toMatchObject({
      condition: "problem",
      found: expect.stringContaining("does not trust its proxy"),
      remedy: expect.stringContaining("set TRUST_PROXY"),
    });
    expect(await found({ TRUST_PROXY: "127.0.0.1" })).toMatchObject({
      condition: "good",
      found: `${PUBLIC_URL} leads to the service, which trusts its proxy`,
    });
  });

  it("checks a database's settings, clock and archive, and reports an unreachable one without its password", async () => {
    const server = await sharedPostgres();
    const world = await makeWorld({ environment: { DATABASE_URL: await server.database("doctor") } });
    const empty = { ...world.environment, DATABASE_URL: await server.newDatabase("doctor_empty") };
    expect((await doctor(empty)).bad.get("state")).toBe("warning: there is no state yet");
    await world.account("plenty");
    const { bad, report } = await doctor(world.environment);
    expect(bad.get("archive")).toMatch(/^warning: archive_mode is off/);
    // The tests' database has fsync off.
    expect(bad.get("database")).toMatch(/^problem: PostgreSQL 18.*; fsync is off$/);
    expect(report.checks.find(({ check }) => check === "database")?.found).toMatch(/^PostgreSQL 18/);
    for (const check of ["database clock", "state"]) expect(bad.has(check)).toBe(false);
    const away = await doctor({ ...world.environment, DATABASE_URL: "postgres://o:tr0ub4dor@127.0.0.1:1/o" });
    expect(away.code).toBe(1);
    for (const check of ["database", "database clock", "archive", "state"]) {
      expect(away.bad.get(check)).toMatch(/^problem: the database .*cannot be/);
    }
    expect(JSON.stringify(away.report)).not.toContain("tr0ub4dor");
  });

  it("checks a disk against the needs of the service and of the next import", async () => {
    const { dataDir } = await makeWorld();
    const pointer = readPointer(registryDirectory(dataDir));
    if (pointer === undefined) throw new Error("there is no registry");
    const large = { ...pointer, current: { ...pointer.current, bytes: 2 ** 30 } };
    writeFileSync(join(registryDirectory(dataDir), "current.json"), JSON.stringify(large));
    const conditionAt = (free: number) => disk({ DATA_DIR: dataDir }, () => free).condition;
    expect([conditionAt(2 ** 27), conditionAt(2 ** 31), conditionAt(2 ** 33)]).toEqual([
      "problem",
      "warning",
      "good",
    ]);
  });

  it("checks the clock against the time of servers", () => {
    const conditionAt = (aheadMs: number) => clock({ aheadMs, of: "vies.example" }).condition;
    expect([conditionAt(900), conditionAt(-60_000), conditionAt(600_000)]).toEqual([
      "good",
      "warning",
      "problem",
    ]);
  });
});
