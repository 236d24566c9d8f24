import { expect, it } from "vitest";
import { SuppressionMark } from "./suppressionMark.ts";

/** @param stored the store's answers, the last one repeatedly, each with what happens right after it */
function marked(...stored: readonly (readonly [mark: string, then?: string])[]) {
  const suppressed = { mark: "0" };
  let asked = 0;
  const store = {
    async suppressionMark() {
      const [mark, then] = stored[Math.min(asked++, stored.length - 1)] ?? ["0"];
      if (then !== undefined) setTimeout(() => Object.assign(suppressed, { mark: then }));
      return mark;
    },
  };
  return new SuppressionMark({ store, suppressed });
}

it("is the store's mark with the version of the format, once this process has that list", async () => {
  expect(await marked(["0"]).current()).toBe("3 0");
  expect(await marked(["1", "1"]).current()).toBe("3 1");
});

it("is not one that was read before the request", async () => {
  expect(await marked(["2", "1"], ["2", "2"]).current()).toBe("3 2");
});

it("may be newer than the store's at the request, however often it changes", async () => {
  expect(await marked(["1", "2"], ["2"]).current()).toBe("3 2");
  expect(await marked(["1", "2"], ["3", "4"], ["5"]).current()).toBe("3 4");
});
