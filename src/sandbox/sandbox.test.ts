import { expect, it } from "vitest";
import { TEST_COMPANIES } from "./companies.ts";
import { Sandbox } from "./sandbox.ts";

function stepsOf(sandbox: Sandbox, q: string) {
  const found = sandbox.autocomplete(q, 20);
  if (found.kind !== "in-steps") throw new Error("names are found in steps");
  return found.steps;
}

it("makes its index of names in steps of a company or less, together for all who wait for it, and once", () => {
  const sandbox = new Sandbox();
  const [one, other] = [stepsOf(sandbox, "proefdeeg"), stepsOf(sandbox, "proefdeeg")];
  let steps = 0;
  let isDone = false;
  while (!isDone) {
    isDone = one.next().done === true;
    steps += 1;
    if (!isDone) steps += other.next().done === true ? 0 : 1;
  }
  expect(steps).toBeGreaterThan(TEST_COMPANIES.length + 5);
  expect(steps).toBeLessThan(2 * TEST_COMPANIES.length);
  const again = stepsOf(sandbox, "proefdeeg").next();
  expect(again).toEqual({ done: true, value: [expect.objectContaining({ kvkNumber: "99990001" })] });
});
