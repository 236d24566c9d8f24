/** The work of all processes on monitors, and what there is to compare. */
import { type Kysely, type RawBuilder, type Selectable, sql } from "kysely";
import { isKvkNumber, type KvkNumber } from "../../../contract/numbers.ts";
import { KVK_API_ORIGIN, OPEN_DATA_ORIGIN } from "../../../kvk/liveSource.ts";
import type { MonitorRound, MonitorStore } from "../../../monitors/store.ts";
import type { Tables } from "../../schema/tables.ts";
import type { StoreClock } from "../../stateStore.ts";
import { updateRows } from "../rows.ts";
import { withBaselines } from "./monitorRows.ts";

/** Longer than any lease: a later end was set by a wrong clock. */
const MAX_LEASE_MS = 600_000;

type RoundQueries = Pick<
  MonitorStore,
  | "hasMonitorData"
  | "claimRound"
  | "saveRound"
  | "monitoredCompanies"
  | "monitoredAmong"
  | "answeredMonitored"
  | "liveFigures"
>;

export function roundQueries(db: Kysely<Tables>, now: StoreClock): RoundQueries {
  return {
    async hasMonitorData() {
      const any = (table: string) => sql`exists (select 1 from ${sql.table(table)})`;
      const tables = ["monitors", "pending_changes", "events", "monitor_baselines", "insolvencies"].map(any);
      const { rows } = await sql<{ found: number }>`
        select case when ${sql.join(tables, sql` or `)} then 1 else 0 end as found`.execute(db);
      return rows[0]?.found === 1;
    },

    async claimRound(leaseMs) {
      const nowMs = await now();
      const { rows } = await sql<Selectable<Tables["monitor_round"]>>`
        insert into monitor_round (id, claim, lease_until_ms) values (1, 1, ${nowMs + leaseMs})
        on conflict (id) do update set claim = monitor_round.claim + 1, lease_until_ms = excluded.lease_until_ms
        where monitor_round.lease_until_ms <= ${nowMs} or monitor_round.lease_until_ms > ${nowMs + MAX_LEASE_MS}
        returning *`.execute(db);
      const [row] = rows;
      return row && asRound(row);
    },

    async saveRound(round, leaseMs) {
      const saved = {
        lease_until_ms: leaseMs === 0 ? 0 : (await now()) + leaseMs,
        serial_ms: round.serialMs,
        compared_at_ms: round.comparedAtMs,
        pass_serial_ms: round.passSerialMs,
        pass_after: round.passAfter,
        live_until_ms: round.liveUntilMs,
        open_data_until_ms: round.openDataUntilMs,
      };
      return (await updateRows(db, "monitor_round", { id: 1, claim: round.claim }, saved)) === 1;
    },

    async monitoredCompanies(after, limit) {
      // From one number to the next by index: a plain `distinct` would read all that are left.
      const following = (number: RawBuilder<unknown>) => sql`
        select kvk_number from monitor_baselines where kvk_number > ${number} order by kvk_number limit 1`;
      const { rows } = await sql<{ kvkNumber: KvkNumber }>`
        with recursive numbers (kvk_number) as (
          select * from (${following(sql`cast(${after} as text)`)}) as first_number
          union all
          select (${following(sql`numbers.kvk_number`)}) from numbers where kvk_number is not null
        )
        select kvk_number as "kvkNumber" from numbers where kvk_number is not null limit ${limit}`.execute(
        db,
      );
      return withBaselines(
        db,
        rows.map(({ kvkNumber }) => kvkNumber),
      );
    },

    async monitoredAmong(kvkNumbers) {
      const numbers = kvkNumbers.filter(isKvkNumber);
      if (numbers.length === 0) return [];
      const rows = await db
        .selectFrom("monitors")
        .select("kvk_number")
        .distinct()
        .where("is_test", "=", 0)
        .where("kvk_number", "in", numbers)
        .orderBy("kvk_number")
        .execute();
      return withBaselines(
        db,
        rows.map(({ kvk_number }) => kvk_number),
      );
    },

    async answeredMonitored(sinceMs, limit) {
      const { rows } = await sql<{ kvkNumber: KvkNumber; atMs: number }>`
        select answers.kvk_number as "kvkNumber", answers.at_ms as "atMs" from (
          select kvk_number, told_at_ms as at_ms from live_companies
          where told_at_ms >= ${sinceMs} and facts is not null
          union all
          select kvk_number, branches_at_ms from live_companies where branches_at_ms >= ${sinceMs}
        ) as answers
        where exists (select 1 from monitors m where m.kvk_number = answers.kvk_number and m.is_test = 0)
        order by answers.at_ms limit ${limit}`.execute(db);
      return rows;
    },

    async liveFigures() {
      const { rows } = await sql<{ companies: number; api: number; openData: number }>`
        select (select count(*) from insolvencies where is_monitored = 1) as companies,
          coalesce((select max(told_at_ms) from live_companies), 0) as api,
          coalesce((select max(observed_at_ms) from insolvencies where is_monitored = 1), 0) as "openData"`.execute(
        db,
      );
      const { companies = 0, api = 0, openData = 0 } = rows[0] ?? {};
      return { companies, answeredAtMs: { [KVK_API_ORIGIN]: api, [OPEN_DATA_ORIGIN]: openData } };
    },
  };
}

function asRound(row: Selectable<Tables["monitor_round"]>): MonitorRound {
  return {
    claim: row.claim,
    serialMs: row.serial_ms,
    comparedAtMs: row.compared_at_ms,
    passSerialMs: row.pass_serial_ms,
    passAfter: row.pass_after,
    liveUntilMs: row.live_until_ms,
    openDataUntilMs: row.open_data_until_ms,
  };
}
