import { PassThrough, Readable } from "node:stream";
import { expect, it } from "vitest";
import { POOLS } from "../contract/pools.ts";
import { ReceivingPlaces, type Sender } from "./receivingPlaces.ts";

/** So many that reading them takes several times the work of one step. */
const MANY = 100_000;
const lines = Buffer.from(Array.from({ length: MANY }, (_, nth) => `"${10_000_000 + nth}"\n`).join(""));

const FREE: Sender = { accountId: "acc_free", isFree: true, isDryRun: false };
const DRY: Sender = { accountId: "acc_paying", isFree: false, isDryRun: true };
const PAYING: Sender = { accountId: "acc_paying", isFree: false, isDryRun: false };

/** Places whose background work waits until `go` is called, and how long it was asked to yield. */
function placesThatStand() {
  const left: number[] = [];
  const gate = Promise.withResolvers<void>();
  const places = new ReceivingPlaces({
    async pauseAfter(workedMs) {
      left.push(workedMs);
      await gate.promise;
    },
  });
  const receive = (sender: Sender, sent: Buffer = lines) =>
    places.receive(Readable.from([sent]), "jsonl", "lookup", sender);
  return { places, left, go: () => gate.resolve(), receive };
}

it("reads dry runs and lists of free tiers in the background, and customers' lists at once", async () => {
  const { left, go, receive } = placesThatStand();
  const inBackground = [receive(FREE), receive(DRY)];
  await expect.poll(() => left.length).toBe(2);
  expect(await receive(PAYING)).toMatchObject({ sent: MANY });
  expect(left).toHaveLength(2);
  for (const workedMs of left) expect(workedMs).toBeGreaterThanOrEqual(4);
  go();
  for (const received of await Promise.all(inBackground)) expect(received).toMatchObject({ sent: MANY });
  expect(left.length).toBeGreaterThan(2);
});

it("reads lists of free tiers one after the other, without delaying dry runs of others", async () => {
  const { left, go, receive } = placesThatStand();
  const ended: string[] = [];
  const small = Buffer.from('"51234567"\n');
  const all = [
    receive(FREE).then(() => ended.push("large")),
    receive({ ...FREE, accountId: "acc_other" }, small).then(() => ended.push("small")),
  ];
  await expect.poll(() => left.length).toBe(1);
  expect(await receive(DRY, small)).toMatchObject({ sent: 1 });
  expect(ended).toEqual([]);
  go();
  await Promise.all(all);
  expect(ended).toEqual(["large", "small"]);
});

it("continues with the next list after an invalid one", async () => {
  const { receive, go } = placesThatStand();
  go();
  await expect(receive(FREE, Buffer.from("{"))).rejects.toMatchObject({ code: "INVALID_REQUEST" });
  expect(await receive(FREE)).toMatchObject({ sent: MANY });
});

it.each<[string, (nth: number) => Sender, number, RegExp]>([
  ["an account", () => PAYING, POOLS.receiving.perAccount, /from this account/],
  [
    "an account, with dry runs",
    (nth) => (nth === 3 ? DRY : PAYING),
    POOLS.receiving.perAccount,
    /from this account/,
  ],
  ["dry runs of an account", () => DRY, POOLS.dryRuns.perAccount, /from this account/],
  [
    "dry runs of all",
    (nth) => ({ ...DRY, accountId: `acc_${nth}` }),
    POOLS.dryRuns.slots,
    /too many lists are/,
  ],
  ["an account of a free tier", () => FREE, POOLS.receiving.perFreeAccount, /from this account/],
  [
    "dry runs of free tiers",
    (nth) => ({ ...DRY, isFree: true, accountId: `acc_${nth}` }),
    POOLS.dryRuns.freeTiers,
    /from free plans/,
  ],
  [
    "free tiers",
    (nth) => ({ ...FREE, accountId: `acc_${nth}` }),
    POOLS.receiving.freeTiers,
    /from free plans/,
  ],
  ["all", (nth) => ({ ...PAYING, accountId: `acc_${nth}` }), POOLS.receiving.slots, /too many lists are/],
])("has as many places as there are for %s, and gives them back", async (_whose, sender, count, said) => {
  const places = new ReceivingPlaces({ pauseAfter: async () => {} });
  const open = Array.from({ length: count }, () => new PassThrough());
  const received = open.map((stream, nth) => places.receive(stream, "jsonl", "lookup", sender(nth)));
  const next = () => places.receive(Readable.from([lines]), "jsonl", "lookup", sender(count));
  await expect(next()).rejects.toMatchObject({
    code: "SERVICE_UNAVAILABLE",
    message: expect.stringMatching(said),
    retryAfterSeconds: 5,
  });
  const [broken, ...others] = open;
  broken?.destroy(new Error("the connection was reset"));
  for (const stream of others) stream.end('"51234567"\n');
  const ends = await Promise.allSettled(received);
  expect(ends.map(({ status }) => status)).toEqual(["rejected", ...Array(count - 1).fill("fulfilled")]);
  expect(await next()).toMatchObject({ sent: MANY });
});
