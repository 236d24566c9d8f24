/**
 * Expired data is deleted a few rows at a time, however much there is, so a concurrent charge waits for one step only.
 */
import { Client } from "pg";
import { beforeAll, describe, expect, it } from "vitest";
import { openCommandState } from "../../src/app/compose/state.ts";
import { readSettings } from "../../src/app/settings/settings.ts";
import type { StateStore } from "../../src/app/state/stateStore.ts";
import { ROWS_PER_STEP } from "../../src/database/sweeping.ts";
import { CALL_RETENTION_MS } from "../../src/metering/recordedCalls.ts";
import { afterFile } from "../kit/afterFile.ts";
import { sharedPostgres } from "../kit/sharedPostgres.ts";
import { changeStored, storedRows } from "../kit/storedState.ts";
import { variants } from "../kit/thorough.ts";
import { makeWorld, type World } from "../kit/world.ts";

const NOW_MS = Date.UTC(2026, 2, 15, 12);
const MONTH = 2026 * 12 + 2;
const LAPSED = 2 * ROWS_PER_STEP + 5;
/** `OLD` stands for a row's number, `AGE` for 1 if it has expired and 0 otherwise. */
const EXPIRED: Readonly<Record<string, string>> = {
  calls: `'acc', ${NOW_MS} - AGE * ${CALL_RETENTION_MS}, 'r' || OLD, 'k', 'lookup', 200, null, 1, 1`,
  key_days: `'s' || OLD, case AGE when 1 then '2026-03-01' else '2026-03-15' end, 1`,
  allowance_notices: `'acc', ${MONTH} - 2 * AGE, OLD, 80`,
  shown_companies: `'acc', ${MONTH} - 2 * AGE, 'n' || OLD || AGE`,
  attempts: `'s' || OLD, 1, ${NOW_MS} + 1 - AGE`,
  sessions: `'s' || OLD, 'acc', 'h' || OLD, 0, ${NOW_MS} - AGE * 2000, ${NOW_MS} + 1, null`,
  known_addresses: `'acc', 'h' || OLD, ${NOW_MS} + 1 - AGE`,
  one_time_tokens: `'h' || OLD, 'reset', ${NOW_MS} + 1 - AGE, 'acc', null, null, null, null, null`,
  departed_months: `'h' || OLD, ${MONTH} - 2 * AGE, 1`,
  suspended_addresses: `'h' || OLD, null, ${NOW_MS} + 1 - AGE`,
};
const VERDICT = "'2026-01-01', null, null";
const OLD_ANSWERS: Readonly<Record<string, string>> = {
  // A recent refusal with an old positive answer stays, without that answer.
  verdicts: `'NL' || OLD, case when OLD % 2 = 0 then 0 else 1 end, ${VERDICT},
    case when OLD % 2 = 0 then ${NOW_MS} else ${NOW_MS} - AGE end, ${VERDICT}, ${NOW_MS} - AGE`,
  consultations: `'acc', 'NL' || OLD, 'NL1', '2026-01-01', 'WAPI', ${NOW_MS} - AGE`,
};
const PLANS_THAT_LOOK_ONCE = ["hashjoin", "mergejoin", "hashagg", "sort", "material", "memoize"];

const server = await sharedPostgres();

async function databaseOfNestedLoops(): Promise<string> {
  const url = await server.newDatabase("sweep_steps");
  const client = new Client(url);
  await client.connect();
  const database = new URL(url).pathname.slice(1);
  for (const plan of PLANS_THAT_LOOK_ONCE) {
    await client.query(`alter database "${database}" set enable_${plan} = off`);
  }
  await client.end();
  return url;
}

describe.each(variants(["embedded", "on PostgreSQL"], { ordinary: 1 }))("in a state that is %s", (store) => {
  let world: World;
  let state: StateStore;

  beforeAll(async () => {
    const environment = store === "embedded" ? {} : { DATABASE_URL: await databaseOfNestedLoops() };
    world = await makeWorld({ companies: [], environment: { ...environment } });
    state = await openCommandState(readSettings(world.environment));
    afterFile(() => state.close());
    await changeStored(
      world,
      "insert into accounts (id, email, tier, suspended, created_at) values ('acc', 'a@fabel.example', 'free', 0, '2026-01-01')",
    );
  });

  /** Expired rows, and two that are not. */
  const fill = async (rows: Readonly<Record<string, string>>) => {
    for (const [table, row] of Object.entries(rows)) {
      await changeStored(
        world,
        `with recursive n(i) as (select 0 union all select i + 1 from n where i < ${LAPSED + 1})
         insert into ${table} select ${row.replaceAll("OLD", "i").replaceAll("AGE", `(case when i < ${LAPSED} then 1 else 0 end)`)} from n`,
      );
    }
  };

  const left = async (tables: readonly string[], counted = "count(*)") => {
    const counts = tables.map((table) => `(select ${counted} from ${table}) as ${table}`);
    const [found] = await storedRows(world, `select ${counts.join(", ")}`);
    return tables.map((table) => Number(found?.[table]));
  };

  /** Takes steps until the last one, each with a limit on changed rows. @returns their number */
  async function inSteps(step: () => Promise<boolean>, count: () => Promise<number>): Promise<number> {
    let before = await count();
    for (let steps = 1; ; steps++) {
      const hasMore = await step();
      const now = await count();
      expect(before - now).toBeLessThanOrEqual(ROWS_PER_STEP);
      if (!hasMore) return steps;
      expect(now).toBeLessThan(before);
      before = now;
    }
  }

  const sum = (counts: readonly number[]) => counts.reduce((total, one) => total + one, 0);

  it("expired data of people is deleted in steps, and nothing else", async () => {
    await fill(EXPIRED);
    const tables = Object.keys(EXPIRED);
    const terms = { nowMs: NOW_MS, idleMs: 1_000, knownSinceMs: NOW_MS, month: MONTH };
    const steps = await inSteps(
      () => state.people.deleteExpired(terms),
      async () => sum(await left(tables)),
    );
    expect(steps).toBeGreaterThan((tables.length * (LAPSED - tables.length)) / ROWS_PER_STEP);
    expect(await left(tables)).toEqual(tables.map(() => 2));
  });

  it("old events, changes of paused monitors and data of companies without a monitor are deleted in steps", async () => {
    await changeStored(world, "insert into monitor_accounts (account_id, is_test) values ('acc', 0)");
    await changeStored(
      world,
      `insert into monitors (id, account_id, key_id, is_test, kvk_number, over_limit, over_limit_since_ms, created_at_ms)
       values ('m', 'acc', 'k', 0, '80000001', 1, 0, 0)`,
    );
    const change = `'company.renamed', '{}', null, null`;
    const fresh = `case AGE when 1 then 0 else 9000000000000000 end`;
    await fill({
      events: `'acc', 0, OLD + 1, 'e' || OLD, 'm', '80000001', ${change}, 0, null, ${fresh}`,
      pending_changes: `'p' || OLD, 'acc', 0, 'k', 'm', OLD, '80000001', ${change}, ${fresh}, 1, null, null`,
      insolvencies: `'n' || OLD, null, null, ${fresh}, 0, null, null`,
      monitor_baselines: `case AGE when 1 then 'c' || OLD else '80000001' end, 'o' || OLD, 0, 0, 1, '{}'`,
    });
    const tables = ["events", "pending_changes", "insolvencies", "monitor_baselines"];
    const steps = await inSteps(
      () => state.monitors.sweepMonitors(1),
      async () => sum(await left(tables)),
    );
    expect(steps).toBeGreaterThan((tables.length * LAPSED) / ROWS_PER_STEP);
    expect(await left(tables)).toEqual(tables.map(() => 2));
    expect(await state.monitors.events({ accountId: "acc" }, 0, 10, {})).toEqual({ expired: LAPSED });
  });

  it("cached data of suppressed companies is deleted in steps", async () => {
    await fill({
      forgotten: `'9' || OLD, '[]', OLD`,
      live_companies: `case AGE when 1 then '9' else '8' end || OLD, '{}', ${NOW_MS}, 1, null, null`,
    });
    const tooOld = {
      companiesBeforeMs: 0,
      searchesBeforeMs: 0,
      beforeDay: "2026-01-01",
      maxRows: ROWS_PER_STEP,
    };
    const storedCount = async () => sum(await left(["live_companies"]));
    const steps = await inSteps(async () => {
      const before = await storedCount();
      await state.live.clearLive(tooOld);
      return (await storedCount()) < before;
    }, storedCount);
    expect(steps).toBe(4);
    expect(await storedCount()).toBe(2);
  });

  it("expired VIES answers are deleted in steps, and the last positive ones of refusals", async () => {
    await fill(OLD_ANSWERS);
    const ofRefusals = "case when valid = 0 then positive_received_at_ms end";
    const tables = Object.keys(OLD_ANSWERS);
    await inSteps(
      () => state.verdicts.deleteVerdicts(NOW_MS),
      async () => sum(await left(tables)) + sum(await left(["verdicts"], `count(${ofRefusals})`)),
    );
    // The even ones are recent refusals, which stay.
    expect(await left(tables)).toEqual([Math.ceil(LAPSED / 2) + 2, 2]);
    expect(await left(["verdicts"], "count(positive_received_at_ms)")).toEqual([2]);
    expect(await left(["verdicts"], "count(positive_name)")).toEqual([0]);
  });
});
