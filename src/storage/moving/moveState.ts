import { StateRefused } from "../stateStore.ts";
import { type Summary, summarise, TABLES_IN_ORDER } from "./exportLines.ts";
import type { RawState } from "./rawState.ts";

/**
 * Copies a state into an empty one, all of it or nothing, and compares the two before it is committed. The first is left
 * as it is.
 * @throws {StateRefused} when the second is not empty, or they differ
 */
export async function moveState(
  from: RawState,
  to: RawState,
  onProgress: (rows: number) => void = () => {},
): Promise<Summary> {
  await checkEmpty(to);
  let moved = 0;
  for (const table of TABLES_IN_ORDER) {
    for await (const rows of from.rowsOf(table)) {
      await to.add(table, rows);
      moved += rows.length;
      onProgress(moved);
    }
  }
  const [before, after] = [await summarise(from), await summarise(to)];
  if (before.sha256 !== after.sha256) {
    throw new StateRefused(
      "the copy is not what was copied, so it was undone: report this, with both versions",
    );
  }
  await to.commit();
  return after;
}

/** @throws {StateRefused} when there is any row */
export async function checkEmpty(state: RawState): Promise<void> {
  for (const table of TABLES_IN_ORDER) {
    for await (const _rows of state.rowsOf(table)) {
      throw new StateRefused(
        `the state to write to is not empty (it has ${table}): nothing was written; name an empty database, or another DATA_DIR`,
      );
    }
  }
}
