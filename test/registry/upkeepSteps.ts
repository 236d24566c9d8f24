import { learnedOrigin } from "../../src/company/learned.ts";
import { kvkNumberOf } from "../../src/contract/numbers.ts";
import { readCursor, writeCursor } from "../../src/snapshot/upkeep/learnedCursor.ts";
import { learnFacts } from "../../src/snapshot/upkeep/learnFacts.ts";
import { withdraw } from "../../src/snapshot/withdrawing/withdraw.ts";

/** The state that is read. */
export const STATE = "state";
/** How many batches are learned. */
export const BATCHES = 2;
/** A company of the base and one of a segment. */
export const FORGOTTEN: readonly string[] = ["50000001", "50000010"];

/** Work that keeps a registry up, as its thread does it; done again, it goes on where it was. */
export const WORK = {
  learning: async (directory: string, step = () => {}) => {
    for (let { mark } = readCursor(directory, STATE); mark < BATCHES; ) {
      mark++;
      const facts = { kvkNumber: kvkNumberOf(60_000_000 + mark), name: `Geleerd ${mark}`, isActive: true };
      const told = { origin: learnedOrigin("kvk-api"), asOf: `2026-01-0${mark}T00:00:00.000Z`, facts };
      const learning = { directory, facts: [told], forgotten: new Set<string>(), renewAfterMs: 0 };
      const { moment } = await learnFacts(learning);
      step();
      writeCursor(directory, STATE, { mark }, moment);
    }
  },
  withdrawing: async (directory: string) => {
    await withdraw(directory, { forgotten: new Set(FORGOTTEN), learnedBeforeMs: 0 });
  },
};
