/** The data of every earlier release, opened with this program: nothing is lost, and nothing costs anything. */
import { readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { Client } from "pg";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { statePath } from "../../src/database/sqlite/statePath.ts";
import { inject, jsonOf } from "../kit/answer.ts";
import { Browser } from "../kit/browser.ts";
import { composeInProcess, type InProcess } from "../kit/inProcess.ts";
import { opzoek } from "../kit/opzoek.ts";
import { sharedPostgres } from "../kit/sharedPostgres.ts";
import { expectSoundState } from "../kit/soundState.ts";
import { changeStored, storedRows } from "../kit/storedState.ts";
import { changesOf, deliver, eventsOf, monitor, newCompanies } from "../kit/stores/monitorFixture.ts";
import { makeWorld, temporaryFolder, type World } from "../kit/world.ts";
import { LEDGER_SUMS, type ReleaseFacts, readArchive, releases } from "./fixtures/archive.ts";

/** In the next window of each key, and before anything has expired. */
const LATER_MS = 60_000;

type Installed = { readonly world: World; readonly facts: ReleaseFacts };

async function onSqlite(version: string): Promise<Installed> {
  const world = await makeWorld({ companies: [] });
  const { facts } = await readArchive(version, world.dataDir);
  return { world, facts };
}

async function onPostgres(version: string): Promise<Installed> {
  const DATABASE_URL = await (await sharedPostgres()).newDatabase(`from-${version}`);
  const world = await makeWorld({ companies: [], environment: { DATABASE_URL } });
  const { script, facts } = await readArchive(version, world.dataDir);
  rmSync(statePath(world.dataDir));
  const client = new Client({ connectionString: DATABASE_URL });
  await client.connect();
  await client.query(script).finally(() => client.end());
  return { world, facts };
}

const STORES = [
  ["the embedded state", onSqlite],
  ["PostgreSQL", onPostgres],
] as const;

/** JSON, or JSON lines. Types of events may have been added since. */
const parsed = (text: string): unknown =>
  text
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line, (key, value) => (key === "reports" ? [] : value)) as unknown);

it("there is an archive of at least one release", () => {
  expect(releases()).toContain("1.0.0");
});

describe.each(releases())("the data of %s", (version) => {
  describe.each(STORES)("on %s", (_, install) => {
    let world: World;
    let facts: ReleaseFacts;
    let service: InProcess;
    beforeAll(async () => {
      ({ world, facts } = await install(version));
      // Verdicts, stored responses and jobs expire.
      vi.useFakeTimers({ toFake: ["Date"], now: facts.nowMs + LATER_MS });
      expect(await command("state", "migrate")).toMatchObject({ code: 0, err: "" });
      expect(await command("registry", "prepare")).toMatchObject({ code: 0 });
      service = await composeInProcess(world, { nowMs: Date.now() });
    });
    afterAll(() => {
      vi.useRealTimers();
    });

    const command = (...words: string[]) => opzoek(words, world.environment);
    const get = (path: string, { headers = {}, key = facts.key } = {}) =>
      inject(service.app, { path, key, headers });
    const usedTokens = async () =>
      (jsonOf(await get("/v1/usage")) as { readonly tokens: { readonly used: number } }).tokens.used;

    it("is sound, and `opzoek doctor` finds its state good", async () => {
      await expectSoundState(world);
      const { checks } = JSON.parse((await command("doctor", "--json")).out) as {
        readonly checks: readonly { readonly check: string; readonly condition: string }[];
      };
      expect(checks).toContainEqual(expect.objectContaining({ check: "state", condition: "good" }));
    });

    it("keeps its ledger and the allowance that was used", async () => {
      const other = await install(version);
      expect(await opzoek(["state", "migrate"], other.world.environment)).toMatchObject({ code: 0 });
      expect(await storedRows(other.world, LEDGER_SUMS)).toEqual(facts.ledger);
      const { out } = await opzoek(["usage", facts.accountId, "--json"], other.world.environment);
      expect(JSON.parse(out)).toMatchObject({ tokens: { used: facts.usedTokens } });
    });

    it("returns the stored response under its Idempotency-Key free of charge", async () => {
      const before = await usedTokens();
      const { path, status, text, idempotencyKey } = facts.repeated;
      const answer = await get(path, { headers: { "idempotency-key": idempotencyKey } });
      expect([answer.status, answer.text]).toEqual([status, text]);
      expect(await usedTokens()).toBe(before);
    });

    it("answers calls with its key from its registry and its job as that release did, and charges them", async () => {
      const before = await usedTokens();
      for (const recorded of facts.calls) {
        const answer = await get(recorded.path);
        expect([recorded.path, answer.status]).toEqual([recorded.path, recorded.status]);
        expect(parsed(answer.text)).toMatchObject(parsed(recorded.text) as object);
      }
      expect(await usedTokens()).toBeGreaterThan(before);
    });

    it("refuses a revoked key and hides a suppressed company", async () => {
      const [{ path } = { path: "" }] = facts.calls;
      expect((await get(path, { key: facts.revokedKey })).status).toBe(401);
      expect((await get(facts.suppressedPath)).status).toBe(404);
    });

    it("lets a person sign in with the password", async () => {
      const answer = await new Browser(service.app).ask("POST", "/account/sign-in", facts.person);
      expect(answer.status).toBe(200);
    });

    it("returns the stored VAT verdict as stale when VIES is down", async () => {
      const verdict = JSON.parse(facts.vat.text) as Readonly<Record<string, unknown>>;
      const answer = await get(`${facts.vat.path}?maxAge=0`);
      expect(jsonOf(answer)).toMatchObject({ ...verdict, status: "stale" });
    });

    it("keeps answers of KVK's open data as 1.1.0 writes them, and stores newer ones with all fields", async () => {
      const [kvkNumber] = newCompanies(1);
      if (kvkNumber === undefined) throw new Error("there is no company");
      await changeStored(
        world,
        `insert into insolvencies (kvk_number, insolvency, is_active, observed_at_ms, is_monitored)
           values ('${kvkNumber}', 'bankruptcy', 1, 1, 1)`,
      );
      const { monitors } = service.state;
      const was = { insolvency: "bankruptcy", isActive: true, observedAtMs: 1 } as const;
      expect(await monitors.insolvencies([kvkNumber])).toEqual([was]);
      const activities = [{ sbiCode: "01131", isMain: true }];
      const now = { ...was, activities, startDate: "2010-12-31", observedAtMs: 2 };
      await monitors.storeInsolvency(kvkNumber, now);
      expect(await monitors.insolvencies([kvkNumber])).toEqual([now]);
    });

    it("can be monitored: a change is charged to its account and recorded as an event", async () => {
      const { state } = service;
      const { accountId } = facts;
      const page = await state.people.keyPage(accountId, { offset: 0, limit: 10 });
      const owner = { accountId, keyId: page.keys[0]?.id ?? "" };
      const before = await usedTokens();
      const numbers = newCompanies(1);
      const { length: recorded } = await eventsOf(state, owner);
      await monitor(state, owner, numbers);
      await changesOf(state, numbers);
      expect(await deliver(state, owner)).toMatchObject({ outcome: "granted", charged: 1, delivered: 1 });
      expect((await eventsOf(state, owner)).slice(recorded)).toMatchObject([{ kvkNumber: numbers[0] }]);
      expect(await usedTokens()).toBe(before + 1);
      await expectSoundState(world);
    });

    it("can be exported", async () => {
      const file = join(temporaryFolder(), "state.jsonl");
      expect(await command("state", "export", "--out", file)).toMatchObject({ code: 0 });
      expect(readFileSync(file, "utf8")).toContain(facts.accountId);
    });
  });

  it("can be backed up and restored from the embedded state before it is migrated", async () => {
    const { world, facts } = await onSqlite(version);
    const backup = await opzoek(["backup", join(temporaryFolder(), "backups"), "--json"], world.environment);
    const { path } = JSON.parse(backup.out) as { readonly path: string };
    const restored = await makeWorld({ companies: [] });
    expect(await opzoek(["restore", path], restored.environment)).toMatchObject({ code: 0 });
    expect(await opzoek(["state", "migrate"], restored.environment)).toMatchObject({ code: 0 });
    await expectSoundState(restored);
    expect(await storedRows(restored, LEDGER_SUMS)).toEqual(facts.ledger);
  });
});
