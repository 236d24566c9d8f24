import { expect, it } from "vitest";
import { BrowserSightings } from "./browserSightings.ts";
import type { BrowserSighting } from "./recordedCalls.ts";

const HOUR_MS = 3_600_000;
const SHOP = "https://shop.example";

function recording() {
  const written: (readonly BrowserSighting[])[] = [];
  const state = { isUnreachable: false, isBusy: false };
  const sightings = new BrowserSightings({
    store: {
      async addSightings(some) {
        if (state.isUnreachable) throw new Error("away");
        written.push(some);
      },
    },
    isBusy: () => state.isBusy,
  });
  return { written, state, sightings };
}

it("writes a key and its page once an hour, and another page at once", async () => {
  const { written, sightings } = recording();
  for (let count = 0; count < 5; count++) sightings.record("key_1", SHOP, count);
  await sightings.now();
  expect(written).toEqual([[{ keyId: "key_1", origin: SHOP, atMs: 0 }]]);
  sightings.record("key_1", SHOP, HOUR_MS - 1);
  await sightings.now();
  expect(written).toHaveLength(1);
  sightings.record("key_1", "null", HOUR_MS - 1);
  await sightings.now();
  sightings.record("key_1", "null", 2 * HOUR_MS);
  await sightings.close();
  expect(
    written
      .slice(1)
      .flat()
      .map(({ origin, atMs }) => [origin, atMs]),
  ).toEqual([
    ["null", HOUR_MS - 1],
    ["null", 2 * HOUR_MS],
  ]);
});

it("ignores text that is not an origin, is bounded, and waits while charges do", async () => {
  const { written, state, sightings } = recording();
  for (const text of [
    "",
    "https://a b",
    `https://${"a".repeat(300)}`,
    "javascript:alert(1)",
    "https://x<y>",
  ]) {
    sightings.record("key_bad", text, 0);
  }
  for (let count = 0; count < 2_000; count++) sightings.record(`key_${count}`, SHOP, 0);
  state.isBusy = true;
  await sightings.now();
  expect(written).toEqual([]);
  state.isBusy = false;
  for (let count = 0; count < 20; count++) await sightings.now();
  expect(written.map((some) => some.length)).toEqual(Array(10).fill(50));
  expect(written.flat().some(({ keyId }) => keyId === "key_bad")).toBe(false);
  state.isUnreachable = true;
  sightings.record("key_lost", SHOP, 0);
  await sightings.close();
  expect(written.flat()).toHaveLength(500);
});
