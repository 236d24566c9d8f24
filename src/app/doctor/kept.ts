import { statSync } from "node:fs";
import { join } from "node:path";
import { nameOfSealKey } from "../../accounts/sealing.ts";
import { dataDateMs } from "../../company/dates.ts";
import { readBackupRecord } from "../../database/backup/lastBackup.ts";
import { checkState, StateMissing, type StateReport } from "../../database/consistency/checkState.ts";
import { OlderState } from "../../database/migrate.ts";
import { StateRefused } from "../../database/stateErrors.ts";
import { readPointer } from "../../registry/directory.ts";
import { RegistryRefusal } from "../../registry/errors.ts";
import { layersOf, type Pointer } from "../../registry/info.ts";
import { readLastWork } from "../../registry/lastWork.ts";
import { registryDirectory } from "../../registry/paths.ts";
import { identityOf, isNoted } from "../../registry/verifiedNote.ts";
import { sealKeys } from "../compose/sealKeys.ts";
import { locationOf, stateExists } from "../compose/state.ts";
import { programVersion } from "../release.ts";
import type { Settings } from "../settings/settings.ts";
import { formatUnknownTiers, unknownTiers } from "../unknownTiers.ts";
import { type Finding, good, problem, spanOf, warning } from "./diagnosis.ts";

const DAY_MS = 86_400_000;
/** Allows one missed nightly backup. */
const OLD_BACKUP_MS = 2 * DAY_MS;
/** The age of data that gets a warning by default. */
const OLD_REGISTRY_MS = 45 * DAY_MS;

const UPGRADE = "see Migrations in docs/backup-and-upgrade.md";
const MIXED = "upgrade all nodes to one version and restart them: see Upgrade in docs/backup-and-upgrade.md";
export const NO_STATE = warning(
  "there is no state yet",
  "the first start, or opzoek account create, creates it",
);

/** Checks quickly whether the state can be read and is consistent. */
export async function state(settings: Settings, version = programVersion()): Promise<Finding> {
  if (!stateExists(settings)) return NO_STATE;
  try {
    const report = await checkState(locationOf(settings), { isQuick: true });
    const { findings, notes, pending, accounts, keys, nodes } = report;
    const [finding] = findings;
    if (finding !== undefined) {
      return problem(
        `${finding.rule}: ${finding.count} found, such as ${finding.examples[0]}`,
        `${finding.meaning}; run opzoek state check for the full list`,
      );
    }
    const unfit = await unfitFor(settings, report);
    if (unfit !== undefined) return unfit;
    if (pending !== undefined) return warning(pending, UPGRADE);
    const running = nodes.map((each) => `${each.nodes} with version ${each.version}`).join(", ") || "none";
    if (nodes.some((each) => each.version !== version))
      return warning(`running nodes: ${running}; this program has version ${version}`, MIXED);
    if (notes.length > 0) return warning(notes.join("; "), "see Wrong clock in docs/troubleshooting.md");
    return good(
      `${accounts} accounts, ${keys} keys; this month's totals, rate windows and reservations are consistent; running nodes: ${running}`,
    );
  } catch (error) {
    if (error instanceof StateMissing) return NO_STATE;
    if (error instanceof OlderState) return warning(error.message, UPGRADE);
    if (!(error instanceof StateRefused)) throw error;
    return problem(error.message, "see The service does not start in docs/troubleshooting.md");
  }
}

/** Settings that the state needs and that are missing. */
async function unfitFor(
  settings: Settings,
  { tiers, sealedUnder }: Pick<StateReport, "tiers" | "sealedUnder">,
): Promise<Finding | undefined> {
  const unknown = await unknownTiers({ byTier: async () => tiers }, settings.TIERS_FILE);
  if (unknown.length > 0)
    return problem(
      formatUnknownTiers(unknown),
      "opzoek serve does not start: see The service does not start in docs/troubleshooting.md",
    );
  const here = sealKeys(settings).toOpen().map(nameOfSealKey);
  const missing = sealedUnder.filter((name) => !here.includes(name));
  if (missing.length === 0) return undefined;
  return problem(
    `the key of two-factor sign-in is missing (${missing.join(", ")}): accounts that use it cannot sign in`,
    "restore two-factor.key from the original DATA_DIR, or add its content to TWO_FACTOR_KEY",
  );
}

/** The age of the last backup of an embedded state. */
export function backup(settings: Settings, nowMs: number): Finding {
  if (settings.DATABASE_URL !== undefined)
    return good("not checked: back up the database with its own tools");
  if (!stateExists(settings)) return good("there is nothing to back up yet");
  const { good: last, failed } = readBackupRecord(settings.DATA_DIR) ?? {};
  const remedy = "run opzoek backup FOLDER every night, to another disk";
  if (failed !== undefined)
    return problem(
      `the last backup failed at ${new Date(failed.atMs).toISOString()}: ${failed.reason}`,
      "fix it, then run opzoek backup again",
    );
  if (last === undefined) return warning("there is no backup of this DATA_DIR", remedy);
  const there = statSync(last.path, { throwIfNoEntry: false });
  if (there?.size !== last.bytes) {
    return warning(
      `the last backup, ${last.path}, ${there === undefined ? "is missing" : "has changed its size"}`,
      "check that its disk is mounted; unless you moved it, run opzoek backup FOLDER",
    );
  }
  const ageMs = nowMs - last.atMs;
  if (ageMs < 0) {
    return warning(
      `the last backup is dated in the future: ${last.path}`,
      "check this machine's clock, then run opzoek backup FOLDER",
    );
  }
  const shown = `the last backup is ${spanOf(ageMs)} old: ${last.path}`;
  return ageMs > OLD_BACKUP_MS ? warning(shown, remedy) : good(shown);
}

/** Whether the last import of each format and the last publication succeeded. */
export function imports({ DATA_DIR }: Pick<Settings, "DATA_DIR">, nowMs: number): Finding {
  const failed = readLastWork(DATA_DIR, nowMs)
    .filter(({ failedAtMs }) => failedAtMs > 0)
    .map((one) => `opzoek ${one.command} failed at ${new Date(one.failedAtMs).toISOString()}: ${one.reason}`);
  if (failed.length === 0) return good("no import or publication has failed since it last succeeded");
  return warning(failed.join("; "), "correct the cause and run the command again");
}

/** Checks the served registry, the age of its data, and whether its files were verified. */
export function registry({ DATA_DIR, KVK_API_KEY }: Settings, nowMs: number): Finding {
  const directory = registryDirectory(DATA_DIR);
  let pointer: Pointer | undefined;
  try {
    pointer = readPointer(directory);
  } catch (error) {
    if (!(error instanceof RegistryRefusal)) throw error;
    return problem(
      error.message,
      "run opzoek registry verify for details, or opzoek registry rollback to return to the previous snapshot",
    );
  }
  if (pointer === undefined) {
    return KVK_API_KEY === undefined
      ? problem("there is no registry", "fill it with opzoek import, or set REGISTRY_URL")
      : warning("there is no registry: every company is fetched from KVK", "fill it with opzoek import");
  }
  const { current } = pointer;
  const lost = layersOf(current).filter(
    ({ file, bytes }) => statSync(join(directory, file), { throwIfNoEntry: false })?.size !== bytes,
  );
  if (lost.length > 0) {
    return problem(
      `missing, or of a wrong size: ${lost.map(({ file }) => file).join(", ")}`,
      "opzoek serve does not start: run opzoek registry rollback, or import again",
    );
  }
  const unread = layersOf(current).filter(({ file, sha256 }) => {
    const path = join(directory, file);
    return !isNoted(path, identityOf(path, sha256));
  });
  const ageMs = nowMs - dataDateMs(current.origins);
  const summary = `${current.file}: ${current.companies.toLocaleString("en")} companies, newest data ${spanOf(ageMs)} old`;
  if (unread.length > 0) {
    return warning(
      `${summary}; not yet verified: ${unread.map(({ file }) => file).join(", ")}`,
      "opzoek registry verify checks it; so does the next start",
    );
  }
  return ageMs > OLD_REGISTRY_MS
    ? warning(summary, "import newer data, or check why REGISTRY_URL has no newer registry")
    : good(summary);
}
