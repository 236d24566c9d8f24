import { expect, it } from "vitest";
import { SuppressionMark } from "./suppressionMark.ts";

/** @param stored the store's answers, the last again and again, each with what happens right after it */
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

it("is that of the store with the version of the form, which is known here already or soon", async () => {
  expect(await marked(["0"]).current()).toBe("2 0");
  expect(await marked(["1", "1"]).current()).toBe("2 1");
});

it("is not one that was on its way here before it was asked for", async () => {
  expect(await marked(["2", "1"], ["2", "2"]).current()).toBe("2 2");
});

it("may be newer than it was in the store, however often that changes", async () => {
  expect(await marked(["1", "2"], ["2"]).current()).toBe("2 2");
  expect(await marked(["1", "2"], ["3", "4"], ["5"]).current()).toBe("2 4");
});
