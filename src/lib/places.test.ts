import { expect, it } from "vitest";
import { Places } from "./places.ts";

const BOUNDS = { places: 4, perAccount: 2, perAddress: 3 };

it("are given up to the share of an account, of an address, and up to all that there are", () => {
  const places = new Places(BOUNDS);
  const taken = [
    places.take({ account: "a", address: "1" }),
    places.take({ account: "a", address: "1" }),
    places.take({ account: "a", address: "2" }),
    places.take({ account: "b", address: "1" }),
    places.take({ account: "c", address: "1" }),
    places.take({}),
    places.take({}),
  ].map((place) => place !== undefined);
  expect(taken).toEqual([true, true, false, true, false, true, false]);
  expect(places.taken).toBe(BOUNDS.places);
});

it("of free tiers together are no more than their share", () => {
  const places = new Places({ places: 3, freeTiers: 1 });
  const taken = [true, true, false, false, false].map((isFree) => places.take({ isFree }) !== undefined);
  expect(taken).toEqual([true, false, true, true, false]);
});

it("come back once each", () => {
  const places = new Places({ places: 2 });
  const first = places.take({ account: "a" });
  places.take({ account: "a" });
  first?.();
  first?.();
  expect(places.taken).toBe(1);
  expect(places.take({ account: "a" })).toBeDefined();
  expect(places.take({ account: "a" })).toBeUndefined();
});
