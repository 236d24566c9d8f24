import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { Accounts, MAX_LIVE_KEYS } from "../../src/accounts/accounts.ts";
import type { AccountChange } from "../../src/accounts/changes.ts";
import { createInvite, createReset } from "../../src/accounts/links.ts";
import { AccountRefusal } from "../../src/accounts/refusal.ts";
import { openStateOnThread } from "../../src/app/state/thread/stateThread.ts";
import { hashKey, isWellFormedKey } from "../../src/contract/keyForm.ts";
import { DEFAULT_TIERS } from "../../src/contract/tiers.ts";
import { statePath } from "../../src/database/sqlite/statePath.ts";
import { afterFile } from "../kit/afterFile.ts";

const folder = mkdtempSync(join(tmpdir(), "opzoek-accounts-"));
afterFile(() => rmSync(folder, { recursive: true, force: true }));
const store = await openStateOnThread({ path: statePath(folder), tiers: DEFAULT_TIERS });
afterFile(() => store.close());
const accounts = new Accounts(store, DEFAULT_TIERS);

const NOW_MS = Date.now();
let count = 0;
const newAccount = () => accounts.create(`person${++count}@example.test`, "free");

async function refusalOf(work: Promise<unknown>): Promise<string> {
  const error: unknown = await work.then(
    () => "accepted",
    (reason: unknown) => reason,
  );
  expect(error).toBeInstanceOf(AccountRefusal);
  return error instanceof AccountRefusal ? error.message : "";
}

describe("an account", () => {
  it("has a unique address in any notation", async () => {
    const made = await accounts.create("  Jan@Example.TEST ", "starter");
    expect(made).toMatchObject({ email: "jan@example.test", tierName: "starter", isSuspended: false });
    expect(made.id).toMatch(/^acc_[0-9A-Za-z]{16}$/);
    expect(await refusalOf(accounts.create("JAN@example.test", "free"))).toContain("already has an account");
    expect(await accounts.find(made.id)).toEqual(made);
  });

  it("is created for one of many concurrent requests", async () => {
    const settled = await Promise.allSettled(
      Array.from({ length: 10 }, () => accounts.create("race@example.test", "free")),
    );
    expect(settled.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
  });

  it.each(["", "x", "@b", "a@", "a b@c", "a@b@c", `${"a".repeat(65)}@b`, "a@b\u0000c", "a\u001b[2J@b"])(
    "is not created for %j",
    async (email) => {
      expect(await refusalOf(accounts.create(email, "free"))).toContain("is not an accepted email address");
    },
  );

  it("has a tier of the table, and can get another one", async () => {
    const { id } = await newAccount();
    for (const tier of ["gold", "", "constructor", "__proto__"]) {
      expect(await refusalOf(accounts.setTier(id, tier))).toContain("the tiers are free, starter, pro");
      expect(await refusalOf(accounts.create("new@example.test", tier))).toContain("the tiers are");
    }
    await accounts.setTier(id, "pro");
    await accounts.setSuspended(id, true);
    expect(await accounts.find(id)).toMatchObject({ tierName: "pro", isSuspended: true });
  });

  it("that does not exist is refused by every change, with where to look", async () => {
    for (const work of [
      accounts.find("acc_none"),
      accounts.setTier("acc_none", "free"),
      accounts.setSuspended("acc_none", true),
      accounts.createKey("acc_none", "x"),
      accounts.keys("acc_none"),
    ]) {
      expect(await refusalOf(work)).toContain('no account "acc_none": see "opzoek account list"');
    }
  });
});

it("an account change is logged with its author and previous value, by ids only, and a no-op is not", async () => {
  const changes: AccountChange[] = [];
  const logged = new Accounts(store, DEFAULT_TIERS, { onChange: (change) => changes.push(change) });
  const { id } = await newAccount();
  await store.people.askPlan(id, "starter", "2026-05-05T12:00:00.000Z");
  const by = "acc_operator";
  for (let time = 0; time < 2; time++) {
    await logged.setTier(id, "pro", by);
    await logged.setSuspended(id, true, by);
    await logged.setAdmin(id, true);
  }
  await logged.setSuspended(id, false);
  const { email } = await logged.find(id);
  await logged.remove(id, by);
  await expect(logged.setTier(id, "free", by)).rejects.toThrow(AccountRefusal);
  expect(changes).toEqual([
    { by, accountId: id, what: "tier", from: "free", to: "pro" },
    { by, accountId: id, what: "plan request", from: "starter" },
    { by, accountId: id, what: "suspended", from: false, to: true },
    { by: "terminal", accountId: id, what: "operator", from: false, to: true },
    { by: "terminal", accountId: id, what: "suspended", from: true, to: false },
    { by, accountId: id, what: "deleted" },
  ]);
  expect(JSON.stringify(changes)).not.toContain(email);
});

it("an operator's creations, invites, terminations and sign-in links are logged without an address, a key or a link", async () => {
  const changes: AccountChange[] = [];
  const logged = new Accounts(store, DEFAULT_TIERS, { onChange: (change) => changes.push(change) });
  const email = "made-by-hand@example.test";
  const { id } = await logged.create(email, "starter");
  const { key, id: keyId } = await logged.createKey(id, "secret name");
  await logged.revokeKey(keyId);
  const invite = await createInvite(
    store.people,
    logged,
    { email: "guest@example.test", tierName: "pro" },
    NOW_MS,
  );
  const reset = await createReset(store.people, logged, id, NOW_MS);
  await logged.setSuspended(id, true);
  await logged.remove(id);
  await logged.resumeAddress(email);
  await expect(logged.resumeAddress(email)).rejects.toThrow(AccountRefusal);
  await expect(logged.revokeKey(keyId)).rejects.toThrow(AccountRefusal);
  await expect(createReset(store.people, logged, id, NOW_MS)).rejects.toThrow(AccountRefusal);
  const by = "terminal";
  expect(changes).toEqual([
    { by, accountId: id, what: "created", to: "starter" },
    { by, accountId: id, keyId, what: "key made" },
    { by, keyId, what: "key revoked" },
    { by, what: "invite", to: "pro" },
    { by, accountId: id, what: "password link" },
    { by, accountId: id, what: "suspended", from: false, to: true },
    { by, accountId: id, what: "deleted" },
    { by, what: "kept suspension", from: true, to: false },
  ]);
  for (const secret of ["@example.test", key, "secret name", invite.token, reset.token]) {
    expect(JSON.stringify(changes)).not.toContain(secret);
  }
});

describe("a key", () => {
  it("is shown once and stored as its hash only", async () => {
    const { id } = await newAccount();
    const made = await accounts.createKey(id, "  website  ", "pub", { origins: ["https://shop.example/"] });
    expect(isWellFormedKey(made.key)).toBe(true);
    expect(await store.metering.findKeys([hashKey(made.key)])).toEqual([{ id: made.id, kind: "pub" }]);
    const [shown] = (await accounts.keys(id)).keys;
    expect(shown).toMatchObject({
      id: made.id,
      name: "website",
      prefix: "opz_pub_",
      kind: "pub",
      browser: { origins: ["https://shop.example"], mayLookUp: false, dailyTokens: 500 },
      lastFour: made.key.slice(-4),
    });
    expect(JSON.stringify(shown)).not.toContain(made.key.slice(8, -4));
    expect(JSON.stringify(shown)).not.toContain(hashKey(made.key));
  });

  it("has a name that fits on one line", async () => {
    const { id } = await newAccount();
    for (const name of ["", "   ", "x".repeat(101), "a\nb", "a\u001b[2Jb", "a\u0000b", "a\u2028b"]) {
      expect(await refusalOf(accounts.createKey(id, name))).toContain("must have 1 to 100 characters");
    }
    for (const name of ["x".repeat(100), "é".repeat(100), "😀".repeat(100), "Zoë's site – één"]) {
      await accounts.createKey(id, name);
    }
  });

  it(`is one of at most ${MAX_LIVE_KEYS} live ones, created one by one or concurrently`, async () => {
    const { id } = await newAccount();
    const made = await Promise.allSettled(Array.from({ length: 25 }, () => accounts.createKey(id, "k")));
    expect(made.filter(({ status }) => status === "fulfilled")).toHaveLength(MAX_LIVE_KEYS);
    expect(await refusalOf(accounts.createKey(id, "k"))).toContain("revoke one first");
    const [first] = (await accounts.keys(id)).keys;
    await accounts.revokeKey(first?.id ?? "");
    await accounts.createKey(id, "k");
    expect((await accounts.keys(id)).keys.filter(({ revokedAt }) => revokedAt === undefined)).toHaveLength(
      MAX_LIVE_KEYS,
    );
  });

  it("is revoked once, by its id, and a key given by mistake is not repeated", async () => {
    const { id } = await newAccount();
    const made = await accounts.createKey(id, "k");
    await accounts.revokeKey(made.id);
    expect(await refusalOf(accounts.revokeKey(made.id))).toContain("no live key");
    expect(await refusalOf(accounts.revokeKey(made.key))).not.toContain(made.key);
  });
});
