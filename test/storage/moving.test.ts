/** A whole state moves between the stores and back without a byte lost. */
import { createHash } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { openCommandState } from "../../src/app/compose/state.ts";
import { readSettings } from "../../src/app/settings/settings.ts";
import { jsonOf } from "../kit/answer.ts";
import { ask } from "../kit/client.ts";
import { BAKERY, COMPANIES } from "../kit/companies.ts";
import { opzoek } from "../kit/opzoek.ts";
import { startService } from "../kit/service.ts";
import { sharedPostgres } from "../kit/sharedPostgres.ts";
import { openByClock } from "../kit/stores/byClock.ts";
import { call, clockAt } from "../kit/stores/fixture.ts";
import { thoroughIt } from "../kit/thorough.ts";
import { makeWorld, type TestAccount, temporaryFolder, type World } from "../kit/world.ts";

/** Enough to reveal differences in text order: ids have letters of both cases and digits. */
const ACCOUNTS = 30;
const MORE_THAN_ONE_GROUP = 700;
const CALLS = 20;

const server = await sharedPostgres();
const url = await server.newDatabase("moved");

let world: World;
let caller: TestAccount;
let other: TestAccount;
beforeAll(async () => {
  world = await makeWorld();
  for (let count = 0; count < ACCOUNTS; count++) caller = await world.account("plenty", (count % 3) + 1);
  other = await world.account("plenty");
  await world.withAccounts(async (accounts) => {
    await accounts.create("Vierkant-1@fabel.example", "free");
    const { id } = await accounts.create("een_e@fabel.example", "starter");
    await accounts.revokeKey((await accounts.createKey(id, "Sleutel “met” ü, _ en 🗝")).id);
    await accounts.setSuspended(id, true);
    const gone = await accounts.create("weg@fabel.example", "starter");
    await accounts.setSuspended(gone.id, true);
    await accounts.remove(gone.id);
  });
  const service = await startService(world);
  for (let count = 0; count < CALLS; count++) {
    await ask(service, { path: `/v1/lookup/${BAKERY}`, key: caller.key });
  }
  expect(await service.end("SIGTERM")).toBe(0);
  const state = await openCommandState(readSettings(world.environment));
  const nowMs = Date.now();
  const answer = { valid: true, validatedAt: new Date(nowMs).toISOString(), receivedAtMs: nowMs };
  for (let count = 0; count < MORE_THAN_ONE_GROUP; count++) {
    await state.verdicts.storeVerdict(`DE${100_000_000 + count}`, {
      ...answer,
      valid: count % 2 === 0,
      name: 'Größe "X"',
    });
  }
  const requester = { accountId: caller.id, vatNumber: "DE100000000", requester: "DE100000001" };
  await state.verdicts.storeConsultation({ ...requester, ...answer, consultationNumber: "WAPIAAAAY000" });
  await state.metering.apply([
    {
      kind: "reserve",
      keyId: caller.keys[0]?.id ?? "",
      operation: "validate",
      price: 3,
      reservationId: "of-a-call-under-way",
      lifetimeMs: 3_600_000,
      idempotency: { id: "under-way", requestHash: "h" },
    },
    {
      ...call(caller.keys[0]?.id ?? "", 1, 0),
      idempotency: {
        id: "kept",
        requestHash: "h",
        response: { status: 200, text: '={"naam":"één 🗝"}', numbers: [BAKERY], lifetimeMs: 3_600_000 },
      },
    },
  ]);
  // Earlier versions allowed such an account.
  const old = { id: "acc_old", email: "één_é@fabel.example", tierName: "free", isSuspended: false };
  const { people } = state;
  await people.addPerson({
    account: { ...old, createdAt: answer.validatedAt },
    passwordHash: "p",
    language: "nl",
    nowMs,
  });
  const session = {
    id: "ses_old",
    accountId: old.id,
    createdAtMs: nowMs,
    lastSeenAtMs: nowMs,
    endsAtMs: nowMs,
  };
  await people.addSession(session, "t", "p", { addressHash: "a", maxKnown: 1 });
  const bounds = { maxWaiting: 1, maxToOneAddress: 1 };
  await people.addMail({ id: "mail", kind: "reset", accountId: old.id, language: "nl" }, "h", bounds);
  await people.beginTwoFactor(old.id, "sealed", nowMs);
  const first = { sealed: "sealed", step: 1, at: answer.validatedAt, recoveryHashes: ["h"], sessionId: "" };
  await people.turnOnTwoFactor(old.id, { ...first, sessionId: session.id });
  await people.setNote(old.id, { text: "één\n‘notitie’ 🗒", basedOn: 0, nowMs, by: "acc_boss" });
  await state.close();
});

async function exported(environment: NodeJS.ProcessEnv): Promise<string> {
  const file = join(temporaryFolder(), "state.jsonl");
  const { code, err } = await opzoek(["state", "export", "--out", file], environment);
  expect(code, err).toBe(0);
  return readFileSync(file, "utf8");
}

async function move(to: string, environment: NodeJS.ProcessEnv): Promise<unknown> {
  const { code, out, err } = await opzoek(["state", "move", "--to", to, "--json"], environment);
  expect(code, err).toBe(0);
  return JSON.parse(out);
}

/** Charges five calls with the key on PostgreSQL. */
async function chargeOnPostgres(environment: NodeJS.ProcessEnv, keyId: string): Promise<void> {
  const { DATABASE_URL: url = "", TIERS_FILE: tiers } = readSettings(environment);
  const state = await openByClock(url, { tiers, clock: clockAt(Date.now()) });
  for (let batch = 0; batch < 5; batch++) await state.metering.apply([call(keyId, 1)]);
  await state.close();
}

const usedBy = async (service: { readonly port: number }) => {
  const { tokens } = jsonOf(await ask(service, { path: "/v1/usage", key: caller.key })) as {
    tokens: { used: number; remaining: number; limit: number };
  };
  return { used: tokens.used, held: tokens.limit - tokens.used - tokens.remaining };
};

it("a state moves to PostgreSQL and back, equal to the byte, with working keys and every token", async () => {
  const before = await exported(world.environment);
  const lines = before.trimEnd().split("\n");
  const end = lines.pop() ?? "";
  expect(lines.length).toBeGreaterThan(ACCOUNTS * 3 + MORE_THAN_ONE_GROUP);
  for (const table of [
    "stored_responses",
    "stored_response_totals",
    "under-way",
    "suspended_addresses",
    "known_addresses",
    "waiting_mails",
  ])
    expect(before).toContain(table);
  const sha256 = createHash("sha256")
    .update(`${lines.join("\n")}\n`)
    .digest("hex");
  expect(await move(url, world.environment)).toEqual({ rows: lines.length, sha256 });
  expect(JSON.parse(end)).toEqual(["end", { rows: lines.length, sha256 }]);

  const onPostgres = { ...world.environment, DATABASE_URL: url };
  expect(await exported(onPostgres)).toBe(before);
  const first = await startService({ environment: onPostgres });
  expect(await usedBy(first)).toEqual({ used: CALLS, held: 3 });
  expect((await ask(first, { path: `/v1/lookup/${BAKERY}`, key: caller.key })).status).toBe(200);
  expect(await first.end("SIGTERM")).toBe(0);
  await chargeOnPostgres(onPostgres, other.keys[0]?.id ?? "");

  const there = await makeWorld({ companies: COMPANIES });
  const back = { ...there.environment, DATABASE_URL: url };
  const after = await exported(onPostgres);
  expect(after).not.toBe(before);
  await move("embedded", back);
  expect(await exported(there.environment)).toBe(after);
  const { code, out, err } = await opzoek(["state", "check"], there.environment);
  expect(code, out + err).toBe(0);
  const state = await openCommandState(readSettings(there.environment));
  expect((await state.ledger.spent(other.id))?.used).toBe(5);
  await state.metering.apply([call(other.keys[0]?.id ?? "", 1)]);
  expect((await state.ledger.spent(other.id))?.used).toBe(6);
  await state.close();
  const second = await startService(there);
  expect(await usedBy(second)).toEqual({ used: CALLS + 1, held: 3 });
  expect((await ask(second, { path: `/v1/lookup/${BAKERY}`, key: caller.key })).status).toBe(200);
});

describe("an export", () => {
  const importInto = (environment: NodeJS.ProcessEnv, file: string) =>
    opzoek(["state", "import", file, "--json"], environment);
  const written = (text: string) => {
    const file = join(temporaryFolder(), "state.jsonl");
    writeFileSync(file, text);
    return file;
  };

  thoroughIt("can be imported into either store, equal to the byte", async () => {
    const text = await exported(world.environment);
    const embedded = await makeWorld();
    const database = { ...embedded.environment, DATABASE_URL: await server.newDatabase("read-back") };
    for (const environment of [embedded.environment, database]) {
      const { code, err } = await importInto(environment, written(text));
      expect(code, err).toBe(0);
      expect(await exported(environment)).toBe(text);
    }
  });

  it("is imported completely or not at all if it is truncated", async () => {
    const text = await exported(world.environment);
    const { environment } = await makeWorld();
    const database = { ...environment, DATABASE_URL: await server.newDatabase("not-read-back") };
    const cut = await importInto(database, written(text.slice(0, text.length / 2)));
    expect([cut.code, cut.err]).toEqual([1, expect.stringContaining("was not written by")]);
    const whole = await importInto(database, written(text));
    expect(whole.code, whole.err).toBe(0);
    const again = await importInto(database, written(text));
    expect([again.code, again.err]).toEqual([1, expect.stringContaining("is not empty")]);
    const absent = await importInto(environment, join(temporaryFolder(), "absent.jsonl"));
    expect([absent.code, absent.err]).toEqual([1, expect.stringContaining("ENOENT")]);
  });
});

describe("nothing is moved, with the reason in one line,", () => {
  const refused = async (words: readonly string[], environment: NodeJS.ProcessEnv) => {
    const { code, out, err } = await opzoek(["state", ...words], environment);
    expect(out).toBe("");
    expect(err.trim().split("\n").length, err).toBeLessThanOrEqual(2);
    return { code, err };
  };

  thoroughIt("while a service uses the state", async () => {
    const used = await makeWorld();
    const service = await startService(used);
    const to = await server.newDatabase("unused");
    const embedded = await refused(["move", "--to", to], used.environment);
    expect(embedded).toMatchObject({ code: 1, err: expect.stringContaining("stop the service") });
    expect(await service.end("SIGTERM")).toBe(0);

    const onPostgres = { ...used.environment, DATABASE_URL: to };
    const node = await startService({ environment: onPostgres });
    const shared = await refused(["move", "--to", "embedded"], onPostgres);
    expect(shared).toMatchObject({ code: 1, err: expect.stringContaining("stop all nodes") });
    expect(await node.end("SIGTERM")).toBe(0);
  });

  it("to a state that is not empty", async () => {
    const [one, other] = [await makeWorld(), await makeWorld()];
    await one.account("free");
    await other.account("free");
    const to = await server.newDatabase("taken");
    await move(to, one.environment);
    const { code, err } = await refused(["move", "--to", to], other.environment);
    expect(code).toBe(1);
    expect(err).toContain("is not empty");
    expect(await exported({ ...one.environment, DATABASE_URL: to })).toBe(await exported(one.environment));
  });

  it("from a folder without a state, to itself, or without a destination", async () => {
    const empty = { ...world.environment, DATA_DIR: temporaryFolder() };
    expect(await refused(["move", "--to", url], empty)).toMatchObject({
      code: 1,
      err: expect.stringContaining("check DATA_DIR"),
    });
    expect((await refused(["move", "--to", "embedded"], world.environment)).code).toBe(2);
    expect((await refused(["move", "--to", "mysql://u:tr0ub4dor@host/d"], world.environment)).code).toBe(2);
    const closed = await refused(["move", "--to", "postgres://u:tr0ub4dor@127.0.0.1:1/d"], world.environment);
    expect(closed.code).toBe(1);
    expect(closed.err).not.toContain("tr0ub4dor");
  });
});
