import { isReadable } from "../../lib/readable.ts";
import { StateRefused } from "../stateStore.ts";
import { openRawPostgres } from "./rawPostgres.ts";
import { openRawSqlite } from "./rawSqlite.ts";
import type { RawAccess, RawState } from "./rawState.ts";

/** Where a state is: the file of an embedded one, or the address of a database. */
export type StateLocation = { readonly path: string } | { readonly url: string };

/**
 * The rows of a state that is up to date.
 * @throws {StateRefused} when it is not there, or is to be had alone and in use
 */
export async function openRaw(location: StateLocation, access: RawAccess): Promise<RawState> {
  return "url" in location ? openRawPostgres(location.url, access) : openRawSqlite(location.path, access);
}

/** @throws {StateRefused} when there is no state to read */
export function checkIsThere(location: StateLocation): void {
  if ("path" in location && !isReadable(location.path)) {
    throw new StateRefused(`there is no state in ${location.path}: check DATA_DIR`);
  }
}
