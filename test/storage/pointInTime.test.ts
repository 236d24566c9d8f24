/**
 * A state on PostgreSQL is restored to a chosen moment, by the steps of docs/backup-and-upgrade.md: base backup,
 * archived WAL, recovery.
 */
import { appendFileSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { openCommandState } from "../../src/app/compose/state.ts";
import { readSettings } from "../../src/app/settings/settings.ts";
import { textOf } from "../architecture/repository.ts";
import { afterFile } from "../kit/afterFile.ts";
import { opzoek } from "../kit/opzoek.ts";
import { databasesOn, launchPostgres, startPostgresOn } from "../kit/postgres.ts";
import { makePostgresHome } from "../kit/postgresServer.ts";
import { expectSoundState } from "../kit/soundState.ts";
import { baseBackup, giveToOwnerOf, operate } from "../kit/standby.ts";
import { call } from "../kit/stores/fixture.ts";
import { awayFromMonthEnd, until } from "../kit/until.ts";
import { makeWorld } from "../kit/world.ts";

/** The page's value for a server setting, with its WAL folder moved. */
function documented(setting: string, walFolder: string): string {
  const found = new RegExp(`^${setting} = '([^']+)'`, "m").exec(textOf("docs/backup-and-upgrade.md"));
  if (found?.[1] === undefined) throw new Error(`docs/backup-and-upgrade.md shows no ${setting}`);
  return found[1].replaceAll("/srv/wal", walFolder);
}

it("a charge answered before the moment is restored, and a later one is not", async () => {
  const { folder, remove } = makePostgresHome();
  afterFile(remove);
  const wal = join(folder, "wal");
  mkdirSync(wal);
  const server = await launchPostgres([
    ...["-c", "archive_mode=on"],
    ...["-c", `archive_command=${documented("archive_command", wal)}`],
  ]);
  afterFile(() => server.remove());
  giveToOwnerOf(server.folder, wal);
  const url = await databasesOn(server.port).newDatabase("opzoek");

  const world = await makeWorld({ companies: [], environment: { DATABASE_URL: url } });
  const { id, keys } = await world.account("plenty");
  const keyId = keys[0]?.id ?? "";
  await awayFromMonthEnd();
  const state = await openCommandState(readSettings(world.environment));
  const charge = async (tokens: number) => {
    expect(await state.metering.apply([call(keyId, tokens)])).toMatchObject([
      { outcome: "granted", charged: tokens },
    ]);
  };
  await charge(3);
  const base = join(folder, "base");
  await baseBackup(url, server.folder, base);
  await charge(5);
  const { moment } = await operate<{ moment: string }>(url, "select clock_timestamp()::text as moment");
  await charge(7);
  await state.close();
  const { last } = await operate<{ last: string }>(url, "select pg_walfile_name(pg_switch_wal()) as last");
  await until("the last WAL is archived", async () => {
    const { archived } = await operate<{ archived: string | null }>(
      url,
      "select last_archived_wal as archived from pg_stat_archiver",
    );
    return archived !== null && archived >= last;
  });
  await server.stop();

  const settings = {
    restore_command: documented("restore_command", wal),
    recovery_target_time: moment,
    recovery_target_action: "promote",
  };
  for (const [name, value] of Object.entries(settings)) {
    appendFileSync(join(base, "postgresql.auto.conf"), `${name} = '${value}'\n`);
  }
  writeFileSync(join(base, "recovery.signal"), "");
  giveToOwnerOf(server.folder, join(base, "recovery.signal"));
  const port = await startPostgresOn(base);
  const DATABASE_URL = databasesOn(port).address("opzoek");
  await until("the server has recovered", async () => {
    const { waits } = await operate<{ waits: boolean }>(DATABASE_URL, "select pg_is_in_recovery() as waits");
    return !waits;
  });
  const restored = { environment: { ...world.environment, DATABASE_URL } };
  const { out } = await opzoek(["usage", id, "--json"], restored.environment);
  const { ledger } = JSON.parse(out) as { ledger: readonly { tokens: number }[] };
  expect(ledger.reduce((sum, { tokens }) => sum + tokens, 0)).toBe(8);
  await expectSoundState(restored);
});
