/** Many keys in use: each is found, none is refused, and made-up ones delay no call. */
import { randomBytes } from "node:crypto";
import { DatabaseSync } from "node:sqlite";
import { beforeAll, expect, it } from "vitest";
import { hashKey, makeKey } from "../../src/contract/keyForm.ts";
import { statePath } from "../../src/database/sqlite/statePath.ts";
import { Keyring } from "../../src/metering/keyring.ts";
import { inject } from "../kit/answer.ts";
import { BAKERY } from "../kit/companies.ts";
import { composeInProcess, type InProcess } from "../kit/inProcess.ts";
import { amount } from "../kit/thorough.ts";
import { makeWorld } from "../kit/world.ts";

const KEYS_IN_USE = amount({ ordinary: 10_000, thorough: 50_000 });
const AT_ONCE = 5_000;
const MADE_UP_AT_ONCE = 500;
const CALLS_AT_ONCE = 600;

const newKey = () => makeKey("live", randomBytes);
const keys = Array.from({ length: KEYS_IN_USE }, newKey);
let service: InProcess;

beforeAll(async () => {
  const world = await makeWorld({ tiers: { wide: { monthlyTokens: 1_000_000, ratePerMinute: 1_000_000 } } });
  service = await composeInProcess(world);
  const { id } = await service.account("wide");
  // Writes directly: the store creates each key in its own transaction.
  const state = new DatabaseSync(statePath(world.dataDir));
  const add = state.prepare(
    `insert into keys (id, account_id, name, hash, prefix, last_four, created_at)
     values (?, ?, 'many', ?, 'opz_live_', '0000', '2026-01-01T00:00:00.000Z')`,
  );
  state.exec("begin");
  for (const [index, key] of keys.entries()) add.run(`key_many_${index}`, id, hashKey(key));
  state.exec("commit");
  state.close();
});

it("the service finds each of many thousand keys in use, thousands at once, among made-up ones, and refuses none", async () => {
  const keyring = new Keyring(service.state.metering);
  let wrong = 0;
  for (let from = 0; from < KEYS_IN_USE; from += AT_ONCE) {
    // In scattered order.
    const places = Array.from({ length: AT_ONCE }, (_, index) => ((from + index) * 7_919) % KEYS_IN_USE);
    const madeUp = Array.from({ length: MADE_UP_AT_ONCE }, () => keyring.find(newKey()));
    const found = await Promise.all(places.map((place) => keyring.find(keys[place] ?? "")));
    wrong += found.filter((key, index) => key?.id !== `key_many_${places[index]}`).length;
    wrong += (await Promise.all(madeUp)).filter((key) => key !== undefined).length;
  }
  expect(wrong).toBe(0);
  expect(keys.filter((key) => keyring.find(key) instanceof Promise)).toEqual([]);
});

it("the service answers the first calls of hundreds of keys at once", async () => {
  const calls = Array.from({ length: CALLS_AT_ONCE }, (_, index) => keys[(index * 83) % KEYS_IN_USE]);
  const answers = await Promise.all(
    calls.map((key) =>
      inject(service.app, { path: `/v1/lookup/${BAKERY}`, ...(key !== undefined && { key }) }),
    ),
  );
  const statuses = answers.map(({ status }) => status);
  expect(statuses.filter((status) => status !== 200)).toEqual([]);
});
