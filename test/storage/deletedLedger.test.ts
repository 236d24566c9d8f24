/**
 * A deleted account's ledger is inaccessible at once and removed in steps, so a concurrent charge waits for one step
 * only.
 */

import { randomUUID } from "node:crypto";
import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import { openCommandState } from "../../src/app/compose/state.ts";
import { readSettings } from "../../src/app/settings/settings.ts";
import type { StateStore } from "../../src/app/state/stateStore.ts";
import { checkState } from "../../src/database/consistency/checkState.ts";
import { ACCOUNT_TABLES } from "../../src/database/schema/tables.ts";
import { statePath } from "../../src/database/sqlite/statePath.ts";
import { ROWS_PER_STEP } from "../../src/database/sweeping.ts";
import { monthOf } from "../../src/lib/periods.ts";
import { sharedPostgres } from "../kit/sharedPostgres.ts";
import { changeStored, storedRows } from "../kit/storedState.ts";
import { call, outcomes, reserve, settle } from "../kit/stores/fixture.ts";
import { variants } from "../kit/thorough.ts";
import { awayFromMonthEnd } from "../kit/until.ts";
import { makeWorld, type TestAccount, type World } from "../kit/world.ts";

const ROWS = 2 * ROWS_PER_STEP + 5;
const LATER_MS = Date.now() + 600_000;
/** `N` stands for a row's number. */
const MANY: Readonly<Record<string, string>> = {
  keys: `insert into keys (id, account_id, name, hash, prefix, last_four, created_at, revoked_at)
    select 'OWNER old ' || N, 'OWNER', 'old', 'OWNER h ' || N, 'opz_', '1234', '2025-01-01', '2025-02-01'`,
  ledger: "insert into ledger select 'OWNER', 'OWNER old ' || N, '2025-01-31', 'lookup', 1, 1, 0, 0, 0, 0, 0",
  "ledger of test keys":
    "insert into ledger select 'OWNER', 'OWNER old ' || N, '2025-01-31', 'lookup', 1, 1, 0, 0, 0, 0, 1",
  failed_calls: "insert into failed_calls select 'OWNER', 'OWNER old ' || N, '2025-01-31', 'lookup', 1, 0",
  reservations: `insert into reservations (id, account_id, key_id, operation, month, tokens, expires_at_ms, given_back, is_test)
    select 'OWNER r ' || N, 'OWNER', 'OWNER old ' || N, 'lookup', 24300, 1, ${LATER_MS}, 1, 0`,
  typing_sessions: `insert into typing_sessions select 'OWNER old ' || N, 's', 'OWNER', ${LATER_MS - 600_000}, 1`,
  consultations: "insert into consultations select 'OWNER', 'NL' || N, 'NL1', '2026-01-01', 'WAPI', 1",
};

const server = await sharedPostgres();

describe.each(variants(["embedded", "on PostgreSQL"], { ordinary: 1 }))("in a state that is %s", (store) => {
  let world: World;
  let owner: TestAccount;
  let staying: TestAccount;
  let state: StateStore;
  let email: string;
  let emailHash: string;

  const reopen = async () => {
    await state?.close();
    state = await openCommandState(readSettings(world.environment));
  };
  const keyOf = (account: TestAccount) => account.keys[0]?.id ?? "";
  const charge = (account: TestAccount) => outcomes(state.metering.apply([call(keyOf(account), 1)]));
  const findings = async () => {
    const url = world.environment["DATABASE_URL"];
    return (await checkState(url === undefined ? { path: statePath(world.dataDir) } : { url })).findings;
  };
  /** The remaining rows by table. */
  const left = async (): Promise<Readonly<Record<string, number>>> => {
    const counts = ACCOUNT_TABLES.map(
      (table) => `(select count(*) from ${table} where account_id = '${owner.id}') as ${table}`,
    );
    const [found] = await storedRows(
      world,
      `select ${counts.join(", ")}, (select count(*) from accounts where id = '${owner.id}') as accounts`,
    );
    return Object.fromEntries(Object.entries(found ?? {}).map(([table, count]) => [table, Number(count)]));
  };
  const sum = (counts: Readonly<Record<string, number>>) =>
    Object.values(counts).reduce((all, one) => all + one, 0);

  beforeAll(async () => {
    const environment = store === "embedded" ? {} : { DATABASE_URL: await server.database("deleted_books") };
    world = await makeWorld({ companies: [], environment });
    staying = await world.account("plenty");
  });
  beforeEach(async () => {
    await awayFromMonthEnd();
    owner = await world.account("plenty");
    await reopen();
    email = (await state.people.person(owner.id))?.account.email ?? "";
    emailHash = randomUUID();
    const numbers = `with recursive n(i) as (select 0 union all select i + 1 from n where i < ${ROWS - 1})`;
    for (const rows of Object.values(MANY)) {
      const own = rows.replaceAll("OWNER", owner.id).replaceAll(" || N", " || i");
      await changeStored(world, `${numbers} ${own} from n`);
    }
    await changeStored(world, `insert into account_months values ('${owner.id}', 24300, ${ROWS}, 0)`);
    await changeStored(world, `insert into account_months values ('${owner.id}', 24300, ${ROWS}, 1)`);
    await state.metering.apply([call(keyOf(owner), 7), reserve(keyOf(owner), `${owner.id} open`, 5)]);
    expect(await findings()).toEqual([]);
    return () => state.close();
  });

  it("a deleted account's ledger is inaccessible at once, and removed row by row in steps, across a restart", async () => {
    expect(await state.people.deleteAccount(owner.id, emailHash, 0)).toBe(true);
    expect(await state.people.deleteAccount(owner.id, "again", 0)).toBe(false);
    expect(await charge(owner)).toEqual(["revoked"]);
    expect(await state.accounts.find(owner.id)).toBeUndefined();
    expect(await state.people.person(owner.id)).toBeUndefined();
    expect(await state.people.personByEmail(email)).toBeUndefined();
    expect((await state.accounts.all()).map(({ id }) => id)).not.toContain(owner.id);
    expect((await state.people.findAccounts(owner.id, 24_300, { offset: 0, limit: 9 })).total).toBe(0);
    expect(await state.people.emailsOf([owner.id])).toEqual([]);
    expect(await state.accounts.setTier(owner.id, "plenty")).toBe(false);
    expect(await state.accounts.setSuspended(owner.id, true, "2026-01-01")).toBe(false);
    expect(await state.people.setPassword(owner.id, "hash")).toBe(false);
    let before = await left();
    expect(before["ledger"]).toBeGreaterThan(ROWS - ROWS_PER_STEP);
    for (let steps = 1; await state.people.sweepDeleted(); steps++) {
      const now = await left();
      expect(sum(before) - sum(now)).toBeLessThanOrEqual(ROWS_PER_STEP);
      expect(await charge(staying)).toEqual(["granted 1"]);
      if (steps % 5 === 3) expect(await findings()).toEqual([]);
      if (steps === 3) await reopen();
      before = now;
    }
    expect(sum(before)).toBe(0);
    expect(await storedRows(world, `select id from owners where id = '${owner.id}'`)).toEqual([]);
    expect(await findings()).toEqual([]);
  });

  it("a deleted account's usage passes to the next account of its address, even before the last step", async () => {
    await state.people.deleteAccount(owner.id, emailHash, 0);
    const next = { id: randomUUID(), email, tierName: "plenty", isSuspended: false, createdAt: "2026-01-01" };
    expect(await state.accounts.add({ ...next, emailHash })).toBe(true);
    // Seven spent, and five reserved.
    expect(await state.ledger.spent(next.id)).toMatchObject({ month: monthOf(Date.now()), used: 12 });
    // The reservation is settled by a deleted key, which has no effect.
    await state.metering.apply([settle(keyOf(owner), `${owner.id} open`, 5)]);
    while (await state.people.sweepDeleted());
    expect(sum(await left())).toBe(0);
    expect(await state.ledger.spent(next.id)).toMatchObject({ used: 12 });
    expect(await findings()).toEqual([]);
  });

  it("a deleted account's ledger is removed even if rows are added after the deletion", async () => {
    await state.people.deleteAccount(owner.id, emailHash, 0);
    const id = randomUUID();
    await changeStored(
      world,
      `insert into sessions values ('${id}', '${owner.id}', '${id}', 1, 1, ${LATER_MS}, null)`,
    );
    expect(await state.people.person(owner.id)).toBeUndefined();
    while (await state.people.sweepDeleted());
    expect(sum(await left())).toBe(0);
  });
});
