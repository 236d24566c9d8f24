import { randomBytes } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Accounts } from "../../../src/accounts/accounts.ts";
import { draftKey } from "../../../src/accounts/keyBounds.ts";
import { composeService } from "../../../src/app/compose/service.ts";
import { openState } from "../../../src/app/compose/state.ts";
import { openLog } from "../../../src/app/log/log.ts";
import { readSettings } from "../../../src/app/settings/settings.ts";
import type { SourcedFacts } from "../../../src/company/facts.ts";
import { makeKey } from "../../../src/contract/keyForm.ts";
import { DEMO_SEED, generateCompanies } from "../../../src/demo/registry/generateCompanies.ts";
import { startDemoVies } from "../../../src/demo/vies/holders.ts";
import { listen } from "../../../src/http/server.ts";
import { importFacts } from "../../../src/registry/importFacts.ts";
import { registryDirectory } from "../../../src/registry/paths.ts";
import { openRegistry } from "../../../src/registry/registry.ts";
import { monitorCompanies } from "./monitored.ts";

export const EMAIL = "dev@korenmolen.example";
export const PASSWORD = "korenmolen draait hard";
const OTHERS = [
  ["inkoop@veerdienst.example", "starter"],
  ["it@postduif.example", "free"],
  ["beheer@sprookjesgroep.example", "pro"],
  ["hallo@zuurdesem.example", "free"],
] as const;
const COMPANIES = 5_000;
const HISTORY_DAYS = 190;
const DAY_MS = 86_400_000;

/** A running service, with an account that has used it for half a year. */
export interface Scene {
  readonly address: string;
  /** Returns a new address each time, for screens that an account sees once. */
  readonly newEmail: () => string;
  /** Makes the account an operator, or not. */
  readonly setOperator: (isOperator: boolean) => Promise<void>;
  readonly close: () => Promise<void>;
}

/** Starts the service of the screenshots, with its history. */
export async function openScene(): Promise<Scene> {
  const folder = mkdtempSync(join(tmpdir(), "opzoek-pictures-"));
  const directory = registryDirectory(join(folder, "data"));
  const companies = () => generateCompanies({ companies: COMPANIES, seed: DEMO_SEED });
  await importFacts(directory, companies(), { replace: true });
  const vies = await startDemoVies("127.0.0.1", directory);
  const settings = readSettings({
    HOST: "127.0.0.1",
    PORT: "0",
    DATA_DIR: join(folder, "data"),
    SIGNUP: "open",
    VIES_URL: vies.url,
    KEYLESS_PER_MINUTE: "1000000",
  });
  const clock = new SharedArrayBuffer(Float64Array.BYTES_PER_ELEMENT);
  const cell = new Float64Array(clock);
  const nowMs = Date.now();
  cell[0] = nowMs - HISTORY_DAYS * DAY_MS;
  const state = await openState(settings, { clock });
  const registry = await openRegistry(directory, { pollMs: 500 });
  const { app, meter } = await composeService(settings, {
    state,
    registry,
    log: openLog({ LOG_LEVEL: "silent" }),
    now: () => cell[0] ?? 0,
  });
  const accounts = new Accounts(state, settings.TIERS_FILE);
  const address = await listen(app, settings.HOST, settings.PORT);
  const { id } = await signUp(address, accounts);
  const keys = [makeKey("live", randomBytes), makeKey("live", randomBytes)] as const;
  await accounts.storeKey(draftKey(id, "website", keys[0], cell[0]));
  await accounts.storeKey(draftKey(id, "nightly invoices", keys[1], cell[0] + DAY_MS));
  const call = async (key: string, path: string, body?: unknown) => {
    await app.inject({
      url: path,
      method: body === undefined ? "GET" : "POST",
      headers: { authorization: `Bearer ${key}` },
      ...(body === undefined ? {} : { payload: body as object }),
    });
  };
  const numbers = (registry.current?.autocomplete("ba", 20) ?? []).map(({ kvkNumber }) => kvkNumber);
  for (let day = HISTORY_DAYS; day >= 0; day -= 1) {
    cell[0] = nowMs - day * DAY_MS;
    // Fewer calls at weekends, and growth over the months.
    const weekday = new Date(cell[0]).getUTCDay();
    const calls = Math.round((weekday % 6 === 0 ? 2 : 6 + ((day * 7) % 5)) * (1.4 - day / HISTORY_DAYS));
    for (let count = 0; count < calls; count += 1) {
      const number = numbers[(day + count) % numbers.length];
      await call(keys[0], `/v1/autocomplete?q=${["ba", "kor", "de"][count % 3]}`);
      await call(keys[0], `/v1/lookup/${number}${count % 3 === 0 ? "?enrich=true" : ""}`);
      if (count % 4 === 1) await call(keys[1], `/v1/lookup/${number}/branches`);
      if (count % 3 === 2) await call(keys[0], "/v1/search?q=bakkerij&city=Utrecht");
    }
    if (weekday % 6 !== 0) await call(keys[1], "/v1/lookup/batch", { kvkNumbers: numbers });
  }
  cell[0] = Date.now();
  const isMonitored = ({ facts }: SourcedFacts) => facts.isActive && numbers.includes(facts.kvkNumber);
  await monitorCompanies(app, keys[0], directory, [...companies()].filter(isMonitored));
  for (const [email, tier] of OTHERS) await accounts.create(email, tier);
  let emails = 0;
  return {
    address,
    newEmail: () => `new-${++emails}@korenmolen.example`,
    setOperator: (isOperator) => accounts.setAdmin(id, isOperator),
    async close() {
      await app.close();
      await meter.close();
      await state.close();
      registry.close();
      await vies.stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** Creates the account of the screenshots, on the largest plan. */
async function signUp(address: string, accounts: Accounts): Promise<{ id: string }> {
  await fetch(`${address}/account/sign-up`, {
    method: "POST",
    headers: { "content-type": "application/json", origin: address },
    body: JSON.stringify({ email: EMAIL, password: PASSWORD, language: "en" }),
  });
  const account = (await accounts.list()).find(({ email }) => email === EMAIL);
  if (account === undefined) throw new Error("signing up made no account");
  await accounts.setTier(account.id, "pro");
  return account;
}
