import { openPostgresState } from "../../../src/app/state/postgresState.ts";
import type { StateStore } from "../../../src/app/state/stateStore.ts";
import type { OpenOptions } from "./fixture.ts";

/** Longer than a busy machine takes for a dozen connections. */
const CONNECTS_WITHIN_MS = 60_000;

/** Opens the state on a database, in this process, on a clock that a test sets. */
export function openByClock(
  url: string,
  { tiers, clock }: Pick<OpenOptions, "tiers" | "clock">,
): Promise<StateStore> {
  const cell = new Float64Array(clock);
  return openPostgresState({
    url,
    tiers,
    now: () => cell[0] ?? 0,
    connectWithinMs: CONNECTS_WITHIN_MS,
  });
}
