import { expect, it } from "vitest";
import { passesElfproef } from "../../contract/numbers.ts";
import { Register } from "./register.ts";

it("gives companies only RSINs that pass the elfproef, so that VAT numbers can be derived", () => {
  const rsins = Array.from(new Register().all, ({ facts }) => facts.rsin).filter(
    (rsin) => rsin !== undefined,
  );
  expect(rsins.length).toBeGreaterThan(500);
  expect(rsins.filter((rsin) => !passesElfproef(rsin))).toEqual([]);
  expect(new Set(rsins).size).toBe(rsins.length);
});
