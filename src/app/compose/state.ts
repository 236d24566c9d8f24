/** Opens the configured store. Modules for one store only are imported when it is opened. */

import type { Upgrade } from "../../database/migrate.ts";
import { type LockPurpose, lockDataDir } from "../../database/sqlite/dataDirLock.ts";
import { statePath } from "../../database/sqlite/statePath.ts";
import type { RawAccess, RawState, StateLocation } from "../../database/transfer/rawState.ts";
import type { Lock } from "../../lib/fileLock.ts";
import { isReadable } from "../../lib/readable.ts";
import type { Settings } from "../settings/settings.ts";
import type { StateStore } from "../state/stateStore.ts";

interface ServiceStateOptions {
  /** Set by tests: Unix milliseconds in one Float64. */
  readonly clock?: SharedArrayBuffer;
  /** Called when the state is lost until this process restarts. */
  readonly onLost?: (error: Error) => void;
}

/**
 * Opens the configured state for a service: the embedded one on its own thread, PostgreSQL in this thread.
 * @throws {StateRefused} if it cannot be used
 */
export async function openState(
  settings: Settings,
  { clock, onLost }: ServiceStateOptions = {},
): Promise<StateStore> {
  const { DATABASE_URL: url, DATA_DIR } = settings;
  const rates = ratesOf(settings);
  if (url !== undefined) {
    const { openPostgresState } = await import("../state/postgresState.ts");
    const cell = clock && new Float64Array(clock);
    return openPostgresState({ url, ...rates, ...(cell && { now: () => cell[0] ?? 0 }) });
  }
  const { openStateOnThread } = await import("../state/thread/stateThread.ts");
  return openStateOnThread({ path: statePath(DATA_DIR), ...rates, ...(clock && { clock }) }, onLost);
}

/**
 * Opens the state in this thread, for a command: starting a thread would take longer than the rest of its work.
 * @param connectWithinMs the timeout for a database connection; by default the timeout of commands
 */
export async function openCommandState(settings: Settings, connectWithinMs?: number): Promise<StateStore> {
  const { DATABASE_URL: url, DATA_DIR } = settings;
  const rates = ratesOf(settings);
  if (url === undefined) {
    const { openSqliteState } = await import("../state/sqliteState.ts");
    return openSqliteState({ path: statePath(DATA_DIR), ...rates });
  }
  const { openPostgresState } = await import("../state/postgresState.ts");
  const { COMMAND_CONNECT_TIMEOUT_MS } = await import("../../database/postgres/connect.ts");
  return openPostgresState({ url, ...rates, connectWithinMs: connectWithinMs ?? COMMAND_CONNECT_TIMEOUT_MS });
}

/**
 * Takes the embedded state for this process; a database is shared.
 * @throws {StateRefused} if another process has it; the message identifies that process
 */
export function lockState({ DATABASE_URL, DATA_DIR }: Settings, work: LockPurpose): Lock | undefined {
  return DATABASE_URL === undefined ? lockDataDir(DATA_DIR, work) : undefined;
}

/**
 * Upgrades the state to this program's version, irreversibly. Everything else refuses an older state.
 * @returns undefined if it is up to date
 * @throws {StateRefused} if another process has the embedded state, or it cannot be used
 */
export async function upgradeState(settings: Settings): Promise<Upgrade | undefined> {
  const { DATABASE_URL: url, DATA_DIR } = settings;
  if (url !== undefined) {
    const { upgradePostgresState } = await import("../state/postgresState.ts");
    return upgradePostgresState(url);
  }
  if (!stateExists(settings)) return undefined;
  const taken = lockDataDir(DATA_DIR, "state migrate");
  try {
    const { upgradeSqliteState } = await import("../../database/sqlite/upgrade.ts");
    return await upgradeSqliteState(statePath(DATA_DIR));
  } finally {
    taken.release();
  }
}

/** The limits of callers from the settings. */
const ratesOf = ({ TIERS_FILE, PAGE_CALLS_PER_MINUTE }: Settings) => ({
  tiers: TIERS_FILE,
  pageRate: PAGE_CALLS_PER_MINUTE,
});

/** Opens the state for a command and always closes it afterwards. */
export async function withState<T>(settings: Settings, use: (state: StateStore) => Promise<T>): Promise<T> {
  return closing(await openCommandState(settings), use);
}

/** Whether a state exists. @throws {NotReadable} if this user may not look */
export function stateExists({ DATABASE_URL, DATA_DIR }: Settings): boolean {
  return DATABASE_URL !== undefined || isReadable(statePath(DATA_DIR));
}

/** The location of the state in the settings. */
export function locationOf({ DATABASE_URL: url, DATA_DIR }: Settings): StateLocation {
  return url === undefined ? { path: statePath(DATA_DIR) } : { url };
}

interface RowsOptions {
  /** Whether this may create the state. */
  readonly mayBeNew?: boolean;
  readonly access?: RawAccess;
}

/** The rows of the configured state. */
export async function openRows(
  settings: Settings,
  { mayBeNew = false, access = "exclusive" }: RowsOptions = {},
): Promise<RawState> {
  const { checkExists } = await import("../../database/transfer/rawState.ts");
  const location = locationOf(settings);
  if (!mayBeNew) checkExists(location);
  await (await openCommandState(settings)).close();
  if ("url" in location) {
    return (await import("../../database/transfer/rawPostgres.ts")).openRawPostgres(location.url, access);
  }
  return (await import("../../database/transfer/rawSqlite.ts")).openRawSqlite(location.path, access);
}

/** Passes the rows on and always closes them afterwards. */
export async function withRows<T>(
  settings: Settings,
  use: (state: RawState) => Promise<T>,
  options: RowsOptions = {},
): Promise<T> {
  return closing(await openRows(settings, options), use);
}

async function closing<State extends { close(): Promise<void> }, T>(
  state: State,
  use: (state: State) => Promise<T>,
): Promise<T> {
  try {
    return await use(state);
  } finally {
    await state.close();
  }
}
