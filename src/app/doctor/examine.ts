import { databaseFacts } from "../../database/postgres/databaseFacts.ts";
import { FIRST_SETTINGS, SETTINGS, type Settings } from "../settings/settings.ts";
import { archive, databaseClock, databaseSettings } from "./database.ts";
import { type Diagnosis, type Finding, good, problem, reasonOf } from "./diagnosis.ts";
import { courtRegister, insolvencies } from "./insolvency.ts";
import { backup, imports, registry, state } from "./kept.ts";
import { disk, rights } from "./machine.ts";
import {
  type ClockSample,
  clock,
  kvk,
  mail,
  openData,
  peppol,
  port,
  proxy,
  service,
  vies,
} from "./network.ts";

type Check = readonly [name: string, run: () => Finding | Promise<Finding>];

/**
 * Checks everything that a service depends on, one after the other, whether or not it runs. Changes nothing and makes
 * no paid call.
 * @param onCheck is called with the name of each check
 */
export async function examine(
  settings: Settings,
  onCheck: (name: string) => void = () => {},
  now: () => number = Date.now,
): Promise<readonly Diagnosis[]> {
  const sample: ClockSample = {};
  const { DATABASE_URL: url, WORKERS: processes = 1 } = settings;
  const facts = url === undefined ? undefined : databaseFacts(url);
  // Each check reports the failure.
  facts?.catch(() => {});
  const checks: readonly Check[] = [
    ["settings", () => good(`all settings are valid; ${firstSettingsIn(settings)}`)],
    ["rights", () => rights(settings)],
    ["disk", () => disk(settings)],
    ...(facts === undefined
      ? []
      : ([
          ["database", async () => databaseSettings(await facts, processes)],
          ["database clock", () => databaseClock(facts, now)],
          ["archive", async () => archive(await facts, now())],
        ] satisfies Check[])),
    ["state", () => state(settings)],
    ["backup", () => backup(settings, now())],
    ["registry", () => registry(settings, now())],
    ["imports", () => imports(settings, now())],
    ["vies", () => vies(settings, sample)],
    ["kvk", () => kvk(settings)],
    ["kvk open data", () => openData(settings)],
    ["insolvency register", () => courtRegister(settings)],
    ["insolvencies", () => insolvencies(settings, now())],
    ["peppol", () => peppol(settings)],
    ["mail", () => mail(settings)],
    ["port", () => port(settings)],
    ["service", () => service(settings)],
    ["proxy", () => proxy(settings, sample)],
    ["clock", () => clock(sample)],
  ];
  const all: Diagnosis[] = [];
  for (const [check, run] of checks) {
    onCheck(check);
    try {
      all.push({ check, ...(await run()) });
    } catch (error) {
      // A check that fails to run is reported as a problem, and does not stop the others.
      all.push({ check, ...problem(reasonOf(error), "fix it, then run opzoek doctor again") });
    }
  }
  return all;
}

/** Lists which settings of a first node are set, without their values, because some are secrets. */
function firstSettingsIn(settings: Settings): string {
  const isDefault = (name: (typeof FIRST_SETTINGS)[number]) =>
    JSON.stringify(settings[name]) === JSON.stringify(SETTINGS[name].fallback);
  const names = (isShown: boolean) =>
    FIRST_SETTINGS.filter((name) => isDefault(name) === isShown).join(", ") || "none";
  return `set: ${names(false)}; at their defaults: ${names(true)}`;
}
