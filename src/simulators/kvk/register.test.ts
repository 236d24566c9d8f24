import { expect, it } from "vitest";
import { passesElfproef } from "../../contract/numbers.ts";
import { Register } from "./register.ts";

it("gives no company an RSIN that cannot be one, so that its VAT number follows from it", () => {
  const rsins = Array.from(new Register().all, ({ facts }) => facts.rsin).filter(
    (rsin) => rsin !== undefined,
  );
  expect(rsins.length).toBeGreaterThan(500);
  expect(rsins.filter((rsin) => !passesElfproef(rsin))).toEqual([]);
  expect(new Set(rsins).size).toBe(rsins.length);
});
