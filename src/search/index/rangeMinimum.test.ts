import fc from "fast-check";
import { expect, it } from "vitest";
import { blockMinima, RangeMinimum } from "./rangeMinimum.ts";

it("yields the numbers of any range in ascending order", () => {
  const permutation = fc.integer({ min: 1, max: 9_000 }).chain((length) =>
    fc.integer().map((seed) => {
      const values = Uint32Array.from({ length }, (_, at) => at);
      let state = seed | 1;
      for (let at = length - 1; at > 0; at--) {
        state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
        const other = state % (at + 1);
        [values[at], values[other]] = [values[other] ?? 0, values[at] ?? 0];
      }
      return values;
    }),
  );
  fc.assert(
    fc.property(permutation, fc.nat(), fc.nat(), (values, one, other) => {
      const ends = [one % (values.length + 1), other % (values.length + 1)].sort((a, b) => a - b);
      const [from = 0, to = 0] = ends;
      const minimum = new RangeMinimum(values, blockMinima(values));
      expect([...minimum.ascending(from, to)]).toEqual([...values.slice(from, to).sort()]);
    }),
    { numRuns: 100 },
  );
});
