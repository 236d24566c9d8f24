import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { sql } from "kysely";
import { type Migration, Migrator } from "kysely/migration";
import { afterAll, expect, it } from "vitest";
import { call, outcomes, TIERS } from "../../../test/kit/stores/fixture.ts";
import { MIGRATIONS } from "../migrations/all.ts";
import { kyselyOver } from "./dialect.ts";
import { openSqliteState } from "./sqliteState.ts";
import { statePath } from "./statePath.ts";

const NOW = "2026-05-05T12:00:00.000Z";
const folder = mkdtempSync(join(tmpdir(), "opzoek-upgraded-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** The changes that states out there have had, in their order: written down, so that none slips in between. */
const CHANGES_SO_FAR = ["0001_state", "0002_verdicts", "0003_applied_batches", "0005_kvk", "0006_granted"];

/** A state as a version left it: an account with a key that has spent 3. */
async function stateUpTo(lastChange: string): Promise<string> {
  const path = statePath(mkdtempSync(join(folder, "state-")));
  const db = kyselyOver(new DatabaseSync(path));
  const names = CHANGES_SO_FAR.slice(0, CHANGES_SO_FAR.indexOf(lastChange) + 1);
  const known: Record<string, Migration> = Object.fromEntries(
    Object.entries(MIGRATIONS).filter(([name]) => names.includes(name)),
  );
  const { error } = await new Migrator({
    db,
    provider: { getMigrations: async () => known },
  }).migrateToLatest();
  expect(error).toBeUndefined();
  await sql`insert into accounts values ('acc', 'a@example.test', 'small', 0, ${NOW})`.execute(db);
  await sql`insert into keys values ('key', 'acc', 'k', 'hash', 'opz_test_', '0000', ${NOW}, null, 0, 0)`.execute(
    db,
  );
  await sql`insert into account_months values ('acc', ${2026 * 12 + 4}, 3)`.execute(db);
  await db.destroy();
  return path;
}

function schemaOf(path: string): unknown {
  const database = new DatabaseSync(path, { readOnly: true });
  const rows = database.prepare("select type, name, sql from sqlite_schema order by type, name").all();
  database.close();
  return rows;
}

it.each(CHANGES_SO_FAR)(
  "a state that ends at %s gets the tables of a new one, nothing lost",
  async (lastChange) => {
    const path = await stateUpTo(lastChange);
    const state = await openSqliteState({ path, tiers: TIERS, now: () => Date.parse(NOW) });
    expect(await state.ledger.spent("acc")).toMatchObject({ used: 3 });
    expect(await outcomes(state.metering.apply([call("key", 1)]))).toEqual(["granted 1"]);
    // Whatever it begins with: what it may do stays as it was.
    expect(await state.metering.findKeys(["hash"])).toEqual([{ id: "key", kind: "live" }]);
    const answer = { valid: true, validatedAt: NOW, receivedAtMs: Date.parse(NOW) };
    await state.verdicts.keepVerdict("PL1234567890", answer);
    expect(await state.verdicts.findVerdicts(["PL1234567890"])).toEqual([
      { last: answer, lastPositive: answer },
    ]);
    await state.close();

    const newPath = statePath(mkdtempSync(join(folder, "new-")));
    await (await openSqliteState({ path: newPath, tiers: TIERS })).close();
    expect(schemaOf(path)).toEqual(schemaOf(newPath));
  },
);
