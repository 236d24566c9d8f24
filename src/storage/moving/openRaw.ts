import { existsSync } from "node:fs";
import { StateRefused } from "../stateStore.ts";
import { openRawPostgres } from "./rawPostgres.ts";
import { openRawSqlite } from "./rawSqlite.ts";
import type { RawAccess, RawState } from "./rawState.ts";

/** Where a state is: the file of an embedded one, or the address of a database. */
export type StatePlace = { readonly path: string } | { readonly url: string };

/**
 * The rows of a state that is up to date.
 * @throws {StateRefused} when it is not there, or is to be had alone and in use
 */
export async function openRaw(place: StatePlace, access: RawAccess): Promise<RawState> {
  return "url" in place ? openRawPostgres(place.url, access) : openRawSqlite(place.path, access);
}

/** @throws {StateRefused} when there is no state to read */
export function checkIsThere(place: StatePlace): void {
  if ("path" in place && !existsSync(place.path)) {
    throw new StateRefused(`there is no state in ${place.path}: check DATA_DIR`);
  }
}
