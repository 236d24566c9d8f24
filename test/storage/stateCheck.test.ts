import { beforeAll, describe, expect, it } from "vitest";
import { openCommandState } from "../../src/app/compose/state.ts";
import { readSettings } from "../../src/app/settings/settings.ts";
import { opzoek } from "../kit/opzoek.ts";
import { sharedPostgres } from "../kit/sharedPostgres.ts";
import { expectSoundState } from "../kit/soundState.ts";
import { changeStored } from "../kit/storedState.ts";
import { call, reserve, settle } from "../kit/stores/fixture.ts";
import { variants } from "../kit/thorough.ts";
import { awayFromMonthEnd } from "../kit/until.ts";
import { makeWorld, type World } from "../kit/world.ts";

const HOUR_MS = 3_600_000;

/** The columns of every reservation. */
const RESERVATION = "id, account_id, key_id, operation, month, tokens, expires_at_ms, given_back, is_test";

/** Violations: statements that cause one, statements that undo it, and the rule that it breaks. */
const BROKEN: readonly (readonly [string, string, string])[] = [
  ["sums", "update account_months set used = used + 1", "update account_months set used = used - 1"],
  [
    "sums of test keys",
    "insert into account_months select id, 24000, 1, 1 from accounts",
    "delete from account_months where is_test = 1",
  ],
  ["windows", "update keys set calls_in_minute = -1", "update keys set calls_in_minute = 0"],
  [
    "reservations",
    `insert into reservations (${RESERVATION}) select 'old', account_id, id, 'lookup', 24000, 1, ${Date.now() - 3 * HOUR_MS}, 0, 0 from keys where id not like 'page%'`,
    "delete from reservations where id = 'old'",
  ],
  [
    "reservations",
    `insert into reservations (${RESERVATION}) select 'far', account_id, id, 'lookup', 24000, 1, ${Date.now() + 3 * HOUR_MS}, 0, 0 from keys where id not like 'page%'`,
    "delete from reservations where id = 'far'",
  ],
  [
    "keys",
    "insert into calls values ((select id from accounts), 1, 'req', 'nobodys', 'lookup', 200, null, 0, 1)",
    "delete from calls",
  ],
  [
    "accounts of calls",
    "insert into calls select 'gone', 1, 'req', id, 'lookup', 200, null, 0, 1 from keys",
    "delete from calls",
  ],
  [
    "keys",
    `insert into typing_sessions select 'nobodys', 's', account_id, ${Date.now()}, 1 from keys`,
    "delete from typing_sessions",
  ],
  [
    "events of monitors",
    "insert into events select id, 0, 1, 'evt', null, null, 'monitor.test', '{}', null, null, 1, null, 1 from accounts",
    "delete from events",
  ],
];

const server = await sharedPostgres();

describe.each(variants(["embedded", "on PostgreSQL"], { ordinary: 1 }))("a state that is %s", (store) => {
  let world: World;
  const run = (statements: string) => changeStored(world, statements, { enforcesForeignKeys: false });

  beforeAll(async () => {
    const environment = store === "embedded" ? {} : { DATABASE_URL: await server.database("checked") };
    world = await makeWorld({ companies: [], environment });
    const { keys } = await world.account("plenty");
    const keyId = keys[0]?.id ?? "";
    await awayFromMonthEnd();
    const state = await openCommandState(readSettings(world.environment));
    await state.metering.apply([call(keyId, 3), reserve(keyId, "kept", 5), reserve(keyId, "spent", 5)]);
    await state.metering.apply([settle(keyId, "spent", 4), call(keyId, 1)]);
    await state.close();
  });

  it("is consistent after calls, reservations and settlements", () => expectSoundState(world));

  it.each(BROKEN)("with broken %s is reported: %s", async (rule, broken, undone) => {
    await run(broken);
    const { code, out, err } = await opzoek(["state", "check", "--json"], world.environment);
    await run(undone);
    const { findings } = JSON.parse(out) as { findings: readonly { rule: string; examples: string[] }[] };
    expect(findings.map(({ rule: found }) => found)).toContain(rule);
    expect(findings[0]?.examples.length).toBeGreaterThan(0);
    expect([code, err]).toEqual([1, expect.stringContaining("is inconsistent")]);
  });

  it("is reported to a person, also if it does not exist", async () => {
    const { code, out } = await opzoek(["state", "check"], world.environment);
    expect([code, out]).toEqual([
      0,
      expect.stringMatching(/^The state is consistent: 1 accounts, 1 keys, \d+ rules\.\n$/),
    ]);
    const empty =
      store === "embedded"
        ? { DATA_DIR: `${world.dataDir}-none` }
        : { DATABASE_URL: await server.newDatabase("none") };
    const missing = await opzoek(["state", "check"], { ...world.environment, ...empty });
    expect([missing.code, missing.out]).toEqual([1, ""]);
    expect(missing.err).toMatch(/no state in|has no state yet/);
  });
});
