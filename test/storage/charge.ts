/**
 * Charges a state's keys in batches until nothing is left, and prints after each batch what was granted: a separate
 * process with the state's path and the keys' ids. Its clock stands still, so that no month ends meanwhile.
 */
import { writeSync } from "node:fs";
import { openStateOnThread } from "../../src/app/state/thread/stateThread.ts";
import { call, clockAt, decisions, TIERS } from "../kit/stores/fixture.ts";

const [path = "", ...keyIds] = process.argv.slice(2);
const clock = clockAt(Date.UTC(2026, 4, 5, 12));
const store = await openStateOnThread({ path, tiers: TIERS, clock });
for (let granted = 1; granted > 0; ) {
  const decided = await decisions(store.metering.apply(keyIds.map((keyId) => call(keyId, 1))));
  granted = decided.filter(({ outcome }) => outcome === "granted").length;
  writeSync(1, `${granted}\n`);
}
await store.close();
