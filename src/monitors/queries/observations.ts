/** Storing what was observed about monitored companies, and the changes since. */

import { type Kysely, sql, type Transaction } from "kysely";
import type { StoreClock } from "../../database/clock.ts";
import { retryCollisions } from "../../database/collisions.ts";
import { isPostgres, listOf, rowsOf } from "../../database/rows.ts";
import type { Tables } from "../../database/schema/tables.ts";
import { columnsOf } from "../../database/sql.ts";
import { shareSuppressions } from "../../database/suppressions.ts";
import type { Observation } from "../types.ts";
import { hideAddresses } from "./hiding.ts";
import { addPending, pendingOf, reservePlaces, type WatchingMonitor } from "./pending.ts";

/** Observations stored in one transaction: some milliseconds. */
const OBSERVATIONS_AT_ONCE = 200;
const BASELINE = columnsOf("monitor_baselines");

export function observationQueries(db: Kysely<Tables>, now: StoreClock) {
  return {
    /**
     * Stores baselines, each with its changes for every monitor that wants them, in one transaction. An
     * observation whose baseline was replaced meanwhile changes nothing, so that each change is recorded once.
     */
    async recordObservations(observations: readonly Observation[]): Promise<void> {
      const sorted = [...observations].sort(byCompany);
      for (let from = 0; from < sorted.length; from += OBSERVATIONS_AT_ONCE) {
        const nowMs = await now();
        const some = sorted.slice(from, from + OBSERVATIONS_AT_ONCE);
        await retryCollisions(() =>
          db.transaction().execute((transaction) => record(transaction, some, nowMs)),
        );
      }
    },
  };
}

/** One order for all processes, so that they wait for each other's rows instead of deadlocking. */
function byCompany({ baseline: a }: Observation, { baseline: b }: Observation): number {
  const [left, right] = [`${a.kvkNumber} ${a.origin}`, `${b.kvkNumber} ${b.origin}`];
  return left < right ? -1 : left > right ? 1 : 0;
}

async function record(
  transaction: Transaction<Tables>,
  observations: readonly Observation[],
  nowMs: number,
): Promise<void> {
  await shareSuppressions(transaction);
  const hasChanges = observations.some(({ changes, hidesAddress }) => changes.length > 0 || hidesAddress);
  // Writers of changes follow one another; this also orders their locks.
  if (hasChanges) await reservePlaces(transaction, 0);
  const stored = await storeBaselines(transaction, observations);
  if (!hasChanges) return;
  const counted = observations.filter(({ baseline }) =>
    stored.has(`${baseline.kvkNumber} ${baseline.origin}`),
  );
  // First, because it may wait for a delivery of changes, which may wait for the figures of an account with a new
  // change.
  for (const { baseline, hidesAddress } of counted) {
    if (hidesAddress) await hideAddresses(transaction, baseline.kvkNumber);
  }
  await addChanges(transaction, counted, nowMs);
}

/** Stores baselines whose predecessor has not changed since the comparison. @returns the company and origin of each */
async function storeBaselines(
  transaction: Transaction<Tables>,
  observations: readonly Observation[],
): Promise<ReadonlySet<string>> {
  const rowOf = ({ baseline }: Observation) => ({ ...baseline, fields: JSON.stringify(baseline.fields) });
  const first = observations.filter(({ replaces }) => replaces === undefined).map(rowOf);
  const next = observations.flatMap((observation) => {
    const { replaces } = observation;
    if (replaces === undefined) return [];
    return [{ ...rowOf(observation), beforeAsOfMs: replaces.asOfMs, beforeSerialMs: replaces.serialMs }];
  });
  const stored = new Set<string>();
  const note = (rows: readonly StoredKey[]) => {
    for (const { kvk_number, origin } of rows) stored.add(`${kvk_number} ${origin}`);
  };
  if (next.length > 0) {
    const { rows } = await sql<StoredKey>`
      update monitor_baselines set as_of_ms = w.as_of_ms, serial_ms = w.serial_ms, format = w.format, fields = w.fields
      from ${rowsOf(transaction, next, "w", `${BASELINE}, before_as_of_ms bigint, before_serial_ms bigint`)}
      where monitor_baselines.kvk_number = w.kvk_number and monitor_baselines.origin = w.origin
        and monitor_baselines.as_of_ms = w.before_as_of_ms and monitor_baselines.serial_ms = w.before_serial_ms
      returning monitor_baselines.kvk_number, monitor_baselines.origin`.execute(transaction);
    note(rows);
  }
  if (first.length > 0) {
    const { rows } = await sql<StoredKey>`
      insert into monitor_baselines (kvk_number, origin, as_of_ms, serial_ms, format, fields)
      select w.kvk_number, w.origin, w.as_of_ms, w.serial_ms, w.format, w.fields
      from ${rowsOf(transaction, first, "w", BASELINE)}
      where exists (select 1 from monitors m where m.kvk_number = w.kvk_number and m.is_test = 0)
        and not exists (select 1 from forgotten f where f.kvk_number = w.kvk_number)
      on conflict (kvk_number, origin) do nothing
      returning kvk_number, origin`.execute(transaction);
    note(rows);
  }
  return stored;
}

interface StoredKey {
  readonly kvk_number: string;
  readonly origin: string;
}

/** Adds a pending change for each monitor that wants its type. */
async function addChanges(
  transaction: Transaction<Tables>,
  observations: readonly Observation[],
  nowMs: number,
): Promise<void> {
  const changed = observations.filter(({ changes }) => changes.length > 0);
  if (changed.length === 0) return;
  const numbers = [...new Set(changed.map(({ baseline }) => baseline.kvkNumber))];
  // Their monitors must exist until the changes are stored.
  const locked = isPostgres(transaction) ? sql`for key share of m` : sql``;
  const { rows: monitors } = await sql<WatchingMonitor>`
    select m.id, m.account_id, m.key_id, m.kvk_number, m.events from monitors m
    where m.is_test = 0 and m.kvk_number in ${listOf(numbers)} order by m.account_id, m.id ${locked}`.execute(
    transaction,
  );
  const byCompany = Map.groupBy(monitors, ({ kvk_number }) => kvk_number);
  const pending = changed.flatMap(({ baseline, changes }) =>
    (byCompany.get(baseline.kvkNumber) ?? []).flatMap((monitor) =>
      changes.flatMap((change) => pendingOf(monitor, change, baseline)),
    ),
  );
  await addPending(transaction, nowMs, pending);
}
