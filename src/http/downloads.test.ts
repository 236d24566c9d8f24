import { buffer } from "node:stream/consumers";
import { expect, it } from "vitest";
import { POOLS } from "../contract/pools.ts";
import { Downloads } from "./downloads.ts";

const PIECES = 10;
const BUSY_MS = 4;
const A = { id: "a", tierName: "plenty" };

async function* busyPieces(): AsyncGenerator<string, void> {
  for (let piece = 0; piece < PIECES; piece++) {
    const endMs = performance.now() + BUSY_MS;
    while (performance.now() < endMs) {
      // Blocks the event loop.
    }
    yield "piece";
  }
}

it("leave most of the event loop to others, however many there are", async () => {
  const downloads = new Downloads(["free"]);
  const accounts = ["a", "a", "b", "c"];
  const beganMs = performance.now();
  const made = await Promise.all(
    accounts.map((account) =>
      downloads.with({ id: account, tierName: "plenty" }, async (bodyOf) => buffer(bodyOf(busyPieces()))),
    ),
  );
  const tookMs = performance.now() - beganMs;
  expect(made.map(String)).toEqual(accounts.map(() => "piece".repeat(PIECES)));
  expect(tookMs).toBeGreaterThan(3 * accounts.length * PIECES * BUSY_MS * 0.9);
});

it("release their place if there is no body, on failure, and when the reader disconnects", async () => {
  const downloads = new Downloads(["free"]);
  const ends: readonly (() => Promise<unknown>)[] = [
    () => downloads.with(A, async () => "no body"),
    () => downloads.with(A, async () => Promise.reject(new Error("not made"))),
    () =>
      downloads.with(A, async (bodyOf) => {
        bodyOf(busyPieces());
        throw new Error("failed later");
      }),
    () => downloads.with(A, async (bodyOf) => bodyOf(busyPieces()).destroy()),
    () =>
      downloads.with(A, async (bodyOf) => {
        for await (const _piece of bodyOf(busyPieces())) break;
      }),
  ];
  const takesAll = async () => {
    const all = Array.from({ length: POOLS.downloads.perAccount }, () => downloads.with(A, async () => true));
    return (await Promise.allSettled(all)).every(({ status }) => status === "fulfilled");
  };
  for (const end of ends) {
    for (let nth = 0; nth < POOLS.downloads.perAccount; nth++) {
      await end().catch((error: Error) => expect(error.message).toMatch(/not made|failed later/));
    }
    // A piece that is being produced when its reader disconnects is finished first.
    await expect.poll(takesAll).toBe(true);
  }
});

it("of free accounts leave places for others", async () => {
  const downloads = new Downloads(["free"]);
  const { slots, freeTiers, perAccount } = POOLS.downloads;
  const { promise: gate, resolve: open } = Promise.withResolvers<void>();
  const begin = (id: string, tierName: string) => downloads.with({ id, tierName }, () => gate);
  const inProgress = Array.from({ length: freeTiers }, (_, nth) =>
    begin(`free ${Math.floor(nth / perAccount)}`, "free"),
  );
  await expect(begin("free and new", "free")).rejects.toMatchObject({ code: "RATE_LIMIT_EXCEEDED" });
  for (let nth = freeTiers; nth < slots; nth++) inProgress.push(begin(`paying ${nth}`, "pro"));
  await expect(begin("one more", "pro")).rejects.toMatchObject({ code: "RATE_LIMIT_EXCEEDED" });
  open();
  await Promise.all(inProgress);
});
