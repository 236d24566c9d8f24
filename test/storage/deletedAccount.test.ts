import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import { openCommandState } from "../../src/app/compose/state.ts";
import { readSettings } from "../../src/app/settings/settings.ts";
import type { StateStore } from "../../src/app/state/stateStore.ts";
import { checkState } from "../../src/database/consistency/checkState.ts";
import { statePath } from "../../src/database/sqlite/statePath.ts";
import { STEP_BOUNDS } from "../../src/database/sweeping.ts";
import { startService } from "../kit/service.ts";
import { sharedPostgres } from "../kit/sharedPostgres.ts";
import { changeStored, storedRows } from "../kit/storedState.ts";
import { call, outcomes } from "../kit/stores/fixture.ts";
import { TERMS } from "../kit/stores/listFixture.ts";
import { variants } from "../kit/thorough.ts";
import { awayFromMonthEnd, until } from "../kit/until.ts";
import { makeWorld, type TestAccount, type World } from "../kit/world.ts";

const HOUR_MS = 3_600_000;
const KEPT = 3_000;
/** One number each; some are larger than others, and one is larger than a step. */
const RESULTS = 1_000;
const LARGE_BYTES = 200_000;
const MAX_BYTES = 700_000;
const OVER_MS = Math.ceil(Date.now() / HOUR_MS + 20) * HOUR_MS;

const server = await sharedPostgres();

describe.each(variants(["embedded", "on PostgreSQL"], { ordinary: 1 }))("in a state that is %s", (store) => {
  let world: World;
  let staying: TestAccount;
  let owner: TestAccount;
  let listId: string;
  let state: StateStore;
  const isEmbedded = store === "embedded";

  const run = (statement: string) => changeStored(world, statement);
  const text = (bytes: string) => (isEmbedded ? `hex(zeroblob((${bytes}) / 2))` : `repeat('0', ${bytes})`);
  const upTo = (most: number) =>
    `with recursive n(i) as (select 0 union all select i + 1 from n where i < ${most - 1})`;

  /** An account with stored responses, and a list with numbers left to process. */
  async function fill(): Promise<void> {
    owner = await world.account("plenty");
    listId = `job_${owner.id}`;
    const nowMs = Date.now();
    await run(`${upTo(KEPT)} insert into stored_responses
      select '${owner.id}', 'one ' || i, 'h', ${OVER_MS}, 200, '[]', '=' || ${text("300")} from n`);
    await run(
      `insert into stored_response_totals values ('${owner.id}', ${OVER_MS}, ${KEPT}, ${KEPT * 501})`,
    );
    await run(`insert into owners values ('${owner.id}', '${owner.id}')`);
    await run(`insert into jobs (id, account_id, key_id, is_test, kind, status, sent, duplicates, estimated, found, failed,
        charged, created_at_ms, step, claim, lease_until_ms, due_at_ms, served_at_ms)
      values ('${listId}', '${owner.id}', '${owner.keys[0]?.id}', 0, 'lookup', 'running', ${RESULTS + 3}, 0, 9, ${RESULTS}, 0,
        0, ${nowMs}, ${RESULTS}, 1, 0, ${nowMs + HOUR_MS}, 0)`);
    await run(`insert into job_blocks values ('${listId}', '${owner.id}', 0, 0, 0, 3, 0, '["1","2","3"]')`);
    const bytes = `case when i = 7 then ${MAX_BYTES} when i % 100 = 0 then ${LARGE_BYTES} else 300 end`;
    await run(`${upTo(RESULTS)} insert into job_results
      select '${listId}', '${owner.id}', i, ${text(bytes)} || ${isEmbedded ? "char(10)" : "chr(10)"}, ${bytes} + 1, 0, '' from n`);
  }

  /** The remaining rows and bytes of the account. */
  async function left(): Promise<{ readonly rows: number; readonly bytes: number }> {
    const [found] = await storedRows(
      world,
      `select
      (select count(*) from stored_responses where account_id = '${owner.id}')
        + (select count(*) from job_results where account_id = '${owner.id}')
        + (select count(*) from job_blocks where account_id = '${owner.id}') as rows_left,
      (select coalesce(sum(jsonl_bytes), 0) from job_results where account_id = '${owner.id}') as bytes_left`,
    );
    return { rows: Number(found?.["rows_left"]), bytes: Number(found?.["bytes_left"]) };
  }

  const findings = async () => {
    const url = world.environment["DATABASE_URL"];
    return (await checkState(url === undefined ? { path: statePath(world.dataDir) } : { url })).findings;
  };

  /**
   * Deletes the remaining data step by step, with a charge after each, and reopens the state after the third. @returns
   * the number of steps
   */
  async function inSteps(step: (state: StateStore) => Promise<boolean>): Promise<number> {
    let before = await left();
    for (let steps = 1; ; steps++) {
      if (!(await step(state))) return steps;
      const now = await left();
      expect(before.rows - now.rows).toBeLessThanOrEqual(STEP_BOUNDS.rows);
      expect(before.bytes - now.bytes).toBeLessThan(STEP_BOUNDS.bytes + MAX_BYTES);
      expect(await outcomes(state.metering.apply([call(staying.keys[0]?.id ?? "", 1)]))).toEqual([
        "granted 1",
      ]);
      before = now;
      if (steps !== 3) continue;
      expect(now.rows).toBeGreaterThan(0);
      expect(await findings()).toEqual([]);
      await reopen();
    }
  }

  async function reopen(): Promise<void> {
    await state?.close();
    state = await openCommandState(readSettings(world.environment));
  }

  beforeAll(async () => {
    const environment = isEmbedded ? {} : { DATABASE_URL: await server.database("deleted_account") };
    world = await makeWorld({ companies: [], environment });
    staying = await world.account("plenty");
    await awayFromMonthEnd();
  });
  beforeEach(async () => {
    await fill();
    await reopen();
    return () => state.close();
  });

  it("an account's responses and lists disappear at once, and from the disk in steps", async () => {
    expect(await findings()).toEqual([]);
    expect(await state.people.deleteAccount(owner.id, "hash", 0)).toBe(true);
    expect(await state.jobs.list(owner.id, listId)).toBeUndefined();
    expect(await state.jobs.resultSizes(listId)).toEqual([]);
    expect(await state.jobs.results(listId, 0)).toBeUndefined();
    expect(await state.jobs.staleResults("other", 10)).toEqual([]);
    expect(await state.jobs.nextItems(listId, 10)).toBeUndefined();
    expect((await left()).rows).toBe(KEPT + RESULTS + 1);
    // Numbers that arrive meanwhile belong to no account.
    await state.jobs.addNumbers(listId, owner.id, 1, [["4"]]);
    expect((await left()).rows).toBe(KEPT + RESULTS + 1);
    const steps = await inSteps(({ people }) => people.sweepDeleted());
    expect(steps).toBeGreaterThan((KEPT + RESULTS) / STEP_BOUNDS.rows);
    expect(await left()).toEqual({ rows: 0, bytes: 0 });
    expect(await storedRows(world, `select id from owners where id = '${owner.id}'`)).toEqual([]);
    expect(await findings()).toEqual([]);
  });

  it("an account deleted by a node of the previous version is removed in steps", async () => {
    await run(`delete from stored_response_totals where account_id = '${owner.id}'`);
    for (const table of ["keys", "people"]) {
      await run(`delete from ${table} where account_id = '${owner.id}'`);
    }
    await run(`delete from accounts where id = '${owner.id}'`);
    expect(await state.jobs.list(owner.id, listId)).toBeUndefined();
    expect(await findings()).toEqual([]);
    while (await state.people.sweepDeleted());
    expect(await left()).toEqual({ rows: 0, bytes: 0 });
    expect(await findings()).toEqual([]);
  });

  it("the results of a cancelled list are removed in steps, and the list is shown for an hour", async () => {
    const cancelled = await state.jobs.changeList(owner.id, listId, { kind: "cancel" });
    expect(cancelled).toMatchObject({ status: "cancelled" });
    expect(await state.jobs.resultSizes(listId)).toEqual([]);
    expect(await state.jobs.results(listId, 0)).toBeUndefined();
    // Until then a suppressed company is removed from them.
    expect(await state.jobs.staleResults("other", 1)).toHaveLength(1);
    expect(await findings()).toEqual([]);
    await inSteps(({ jobs }) => jobs.sweepLists(TERMS));
    expect(await left()).toEqual({ rows: KEPT, bytes: 0 });
    expect(await state.jobs.list(owner.id, listId)).toMatchObject({ status: "cancelled" });
    expect(await findings()).toEqual([]);
  });

  if (!isEmbedded) return;

  it("a service continues the deletions of a killed one", async () => {
    await state.people.deleteAccount(owner.id, "hash", 0);
    await state.close();
    const whole = (await left()).rows;
    const killed = await startService(world);
    await until("a part of it is deleted", async () => (await left()).rows < whole);
    await killed.end("SIGKILL");
    expect(await findings()).toEqual([]);
    const service = await startService(world);
    await until("all of it is deleted", async () => (await left()).rows === 0);
    await service.end("SIGTERM");
    expect(await findings()).toEqual([]);
  });
});
