/** Two nodes on one PostgreSQL where every account gets a tab as soon as may be, and a look at the tabs. */
import { Client } from "pg";
import { expect } from "vitest";
import type { ChargeRequest } from "../../src/metering/store.ts";
import type { PostgresState } from "../../src/storage/postgres/postgresState.ts";
import { afterFile } from "../kit/afterFile.ts";
import { openByClock } from "../kit/stores/byClock.ts";
import { call, outcomes, StoreFixture } from "../kit/stores/fixture.ts";

export const APRIL = "2026-04-15T12:00:30.000Z";
/** With the second batch of an account that is known, whatever closed the last one. */
export const AT_ONCE = 0;

/** As the meter asks. */
export const ask = (of: PostgresState, ...asks: ChargeRequest[]) =>
  outcomes(of.metering.apply(asks, () => {}));

export async function openTwoNodes(url: string) {
  const fixture = new StoreFixture((options) => openByClock(url, options, AT_ONCE), APRIL);
  afterFile(() => fixture.close());
  const [store, other] = [await fixture.connect(), await fixture.connect()];
  const client = new Client(url);
  await client.connect();
  afterFile(() => client.end());
  const rowsOf = async (text: string, ...values: string[]) => (await client.query(text, values)).rows;
  const tabOf = async (accountId: string) => {
    const [tab] = await rowsOf("select * from account_tabs where account_id = $1", accountId);
    return tab;
  };
  const linesOf = async (accountId: string) =>
    (await store.ledger.lines(accountId, "2000-01-01", "2999-12-31")).map(
      ({ day, operation, requests, tokens }) => `${day.slice(5)} ${operation} ${requests} ${tokens}`,
    );

  /** An account whose tab is open: four calls and six tokens of this month are charged, the last of them to the tab. */
  async function tabbed(tierName = "small") {
    fixture.nowIso = APRIL;
    const { accountId, keyIds } = await fixture.addAccount(store, tierName);
    const [key = ""] = keyIds;
    for (const price of [1, 1, 1, 3])
      expect(await ask(store, call(key, price))).toEqual([`granted ${price}`]);
    expect(await tabOf(accountId)).toMatchObject({ key_id: key, used: "6", calls_in_minute: "4" });
    return { accountId, key };
  }
  return { fixture, store, other, rowsOf, tabOf, linesOf, tabbed };
}
