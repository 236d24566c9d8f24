/** Which store the settings name. What only one of them needs is imported when that one is opened. */
import { existsSync } from "node:fs";
import type { RawAccess, RawState } from "../../storage/moving/rawState.ts";
import { openEmbeddedState, statePath } from "../../storage/sqlite/embeddedState.ts";
import type { StateStore } from "../../storage/stateStore.ts";
import type { Settings } from "../settings/settings.ts";

/**
 * The store that the settings name. `clock` is set by tests: Unix milliseconds in one Float64. `onLost` is told when the
 * store is gone for as long as this process lives.
 */
export async function openState(
  settings: Settings,
  clock?: SharedArrayBuffer,
  onLost?: (error: Error) => void,
): Promise<StateStore> {
  if (settings.DATABASE_URL !== undefined) {
    const { openPostgresState } = await import("../../storage/postgres/postgresState.ts");
    const cell = clock === undefined ? undefined : new Float64Array(clock);
    return openPostgresState({
      url: settings.DATABASE_URL,
      tiers: settings.TIERS_FILE,
      ...(cell === undefined ? {} : { now: () => cell[0] ?? 0 }),
    });
  }
  const writer = {
    path: statePath(settings.DATA_DIR),
    tiers: settings.TIERS_FILE,
    ...(clock === undefined ? {} : { clock }),
  };
  return openEmbeddedState(writer, onLost);
}

/** Opens the state, hands it over and closes it again, whatever comes of it. */
export async function withState<T>(settings: Settings, use: (state: StateStore) => Promise<T>): Promise<T> {
  const state = await openState(settings);
  try {
    return await use(state);
  } finally {
    await state.close();
  }
}

/** Whether there is a state that could hold anything. */
export function isThere({ DATABASE_URL, DATA_DIR }: Settings): boolean {
  return DATABASE_URL !== undefined || existsSync(statePath(DATA_DIR));
}

interface RowsOptions {
  /** Whether the state may be made by this. */
  readonly mayBeNew?: boolean;
  readonly access?: RawAccess;
}

/** The rows of the state that the settings name, brought up to date. */
export async function openRows(
  settings: Settings,
  { mayBeNew = false, access = "alone" }: RowsOptions = {},
): Promise<RawState> {
  const { checkIsThere, openRaw } = await import("../../storage/moving/openRaw.ts");
  const { DATABASE_URL: url, DATA_DIR } = settings;
  const place = url === undefined ? { path: statePath(DATA_DIR) } : { url };
  if (!mayBeNew) checkIsThere(place);
  await (await openState(settings)).close();
  return openRaw(place, access);
}

/** Hands the rows over and closes them again, whatever comes of it. */
export async function withRows<T>(
  settings: Settings,
  use: (state: RawState) => Promise<T>,
  options: RowsOptions = {},
): Promise<T> {
  const state = await openRows(settings, options);
  try {
    return await use(state);
  } finally {
    await state.close();
  }
}
