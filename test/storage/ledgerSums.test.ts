/** Sums of the ledger read a limited number of lines at a time, and count each line once. */
import { beforeAll, describe, expect, it } from "vitest";
import { openCommandState } from "../../src/app/compose/state.ts";
import { readSettings } from "../../src/app/settings/settings.ts";
import type { StateStore } from "../../src/app/state/stateStore.ts";
import { type LedgerLineId, LINES_PER_SUM } from "../../src/metering/ledger.ts";
import { lastUse, sumsByDay, sumsByKey, sumsByMonth } from "../../src/metering/ledgerReads.ts";
import { afterFile } from "../kit/afterFile.ts";
import { sharedPostgres } from "../kit/sharedPostgres.ts";
import { changeStored } from "../kit/storedState.ts";
import { variants } from "../kit/thorough.ts";
import { makeWorld, type TestAccount, type World } from "../kit/world.ts";

/** One line per key on each of five days: more than two steps. */
const KEYS = Math.ceil(LINES_PER_SUM / 2);
const DAYS = 5;
const [FIRST, LAST] = ["2026-01-29", "2026-02-02"];
/** Failed calls of as many other keys, which have no other line. */
const LINES = 2 * KEYS * DAYS;

const server = await sharedPostgres();

describe.each(variants(["embedded", "on PostgreSQL"], { ordinary: 1 }))(
  "sums in a state that is %s",
  (store) => {
    let world: World;
    let owner: TestAccount;
    let state: StateStore;

    beforeAll(async () => {
      const environment = store === "embedded" ? {} : { DATABASE_URL: await server.database("ledger_sums") };
      world = await makeWorld({ companies: [], environment });
      owner = await world.account("plenty");
      const other = await world.account("plenty");
      state = await openCommandState(readSettings(world.environment));
      afterFile(() => state.close());
      const numbers = `with recursive n(i) as (select 0 union all select i + 1 from n where i < ${KEYS * DAYS - 1})`;
      const day = `case i % ${DAYS} when 0 then '2026-01-29' when 1 then '2026-01-30' when 2 then '2026-01-31'
      when 3 then '2026-02-01' else '2026-02-02' end`;
      for (const { id } of [owner, other]) {
        await changeStored(
          world,
          `${numbers} insert into ledger select '${id}', 'k' || (i / ${DAYS}), ${day}, 'lookup', 1, 2, 0, 0, 0, 0, 0 from n`,
        );
        await changeStored(
          world,
          `${numbers} insert into failed_calls select '${id}', 'f' || (i / ${DAYS}), ${day}, 'vat', 3, 0 from n`,
        );
      }
      // Another line on the last day, of another operation.
      await changeStored(
        world,
        `insert into ledger values ('${owner.id}', '${owner.keys[0]?.id}', '${LAST}', 'search', 5, 7, 0, 0, 0, 0, 0)`,
      );
    });

    it.each(["day", "month", "key"] as const)(
      "by %s read at most the allowed lines in each step",
      async (by) => {
        let after: LedgerLineId | undefined;
        let [steps, filed, failed] = [0, 0, 0];
        do {
          const step = await state.ledger.sums(owner.id, FIRST, LAST, by, after);
          const tokens = step.sums.reduce((sum, one) => sum + one.tokens, 0);
          const refused = step.sums.reduce((sum, one) => sum + one.failedByCaller, 0);
          expect(tokens - (after !== undefined && step.next === undefined ? 7 : 0)).toBeLessThanOrEqual(
            2 * LINES_PER_SUM,
          );
          expect(refused).toBeLessThanOrEqual(3 * LINES_PER_SUM);
          [steps, filed, failed, after] = [steps + 1, filed + tokens, failed + refused, step.next];
        } while (after !== undefined);
        expect([filed, failed]).toEqual([LINES + 7, (LINES / 2) * 3]);
        expect(steps).toBeGreaterThan(2);
      },
    );

    it("together equal all lines, by day, month and key", async () => {
      const days = await sumsByDay(state.ledger, owner.id, FIRST, LAST);
      expect(
        days.map(({ day, operation, requests, failedByCaller }) => [
          day,
          operation,
          requests,
          failedByCaller,
        ]),
      ).toEqual([
        ...["2026-01-29", "2026-01-30", "2026-01-31", "2026-02-01"].flatMap((day) => [
          [day, "lookup", KEYS, 0],
          [day, "vat", 0, 3 * KEYS],
        ]),
        [LAST, "lookup", KEYS, 0],
        [LAST, "search", 5, 0],
        [LAST, "vat", 0, 3 * KEYS],
      ]);
      const months = await sumsByMonth(state.ledger, owner.id, FIRST);
      expect(months.map(({ month, tokens }) => [month, tokens])).toEqual([
        ["2026-01", 6 * KEYS],
        ["2026-02", 4 * KEYS + 7],
      ]);
      const own = owner.keys[0]?.id ?? "";
      const most = await sumsByKey(state.ledger, owner.id, FIRST, LAST, { limit: 2 });
      expect(most.map(({ keyId, tokens }) => [keyId, tokens])).toEqual([
        ["k0", 2 * DAYS],
        ["k1", 2 * DAYS],
      ]);
      const named = await sumsByKey(state.ledger, owner.id, FIRST, "2026-01-31", {
        keyIds: ["k1", "f1", own],
      });
      expect(
        new Map(named.map(({ keyId, requests, failedByCaller }) => [keyId, [requests, failedByCaller]])),
      ).toEqual(
        new Map([
          ["k1", [3, 0]],
          ["f1", [0, 9]],
        ]),
      );
      const last = await lastUse(state.ledger, owner.id, ["k1", "f1", own]);
      expect(new Map(last.map(({ keyId, day }) => [keyId, day]))).toEqual(
        new Map([
          ["k1", LAST],
          [own, LAST],
        ]),
      );
    });

    it("count a call made between two steps once or not at all", async () => {
      const before = await sumsByMonth(state.ledger, owner.id, FIRST);
      let calls = 0;
      const busy = {
        sums: async (...args: Parameters<StateStore["ledger"]["sums"]>) => {
          const step = await state.ledger.sums(...args);
          // Of a day that was already read, and of the last one, which is still to be read.
          if (++calls === 2) {
            for (const [key, day] of [
              ["k0", FIRST],
              ["k1", LAST],
            ]) {
              await changeStored(
                world,
                `update ledger set tokens = tokens + 1 where account_id = '${owner.id}' and key_id = '${key}' and day = '${day}'`,
              );
            }
          }
          return step;
        },
      };
      const total = (months: readonly { readonly tokens: number }[]) =>
        months.reduce((sum, { tokens }) => sum + tokens, 0);
      expect(total(await sumsByMonth(busy, owner.id, FIRST))).toBe(total(before) + 1);
      expect(total(await sumsByMonth(state.ledger, owner.id, FIRST))).toBe(total(before) + 2);
    });
  },
);
