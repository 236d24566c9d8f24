import { once } from "node:events";
import { PassThrough, Readable } from "node:stream";
import { describe, expect, it, onTestFinished } from "vitest";
import { JOB_BOUNDS } from "../contract/jobs.ts";
import { ReceivingPlaces, type Sender } from "./receivingPlaces.ts";

/** So many that reading them takes several times the work of one step. */
const MANY = 100_000;
const lines = Buffer.from(Array.from({ length: MANY }, (_, nth) => `"${10_000_000 + nth}"\n`).join(""));
const small = Buffer.from('"51234567"\n');

const FREE: Sender = { accountId: "acc_free", isFree: true, isDryRun: false };
const DRY: Sender = { accountId: "acc_paying", isFree: false, isDryRun: true };
const PAYING: Sender = { accountId: "acc_paying", isFree: false, isDryRun: false };
const of = (accountId: string, sender: Sender): Sender => ({ ...sender, accountId });

/** Places whose background work waits until `go` is called, and how long it was asked to pause. */
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
  for (const workedMs of left) expect(workedMs).toBeGreaterThanOrEqual(2);
  go();
  for (const received of await Promise.all(inBackground)) expect(received).toMatchObject({ sent: MANY });
  expect(left.length).toBeGreaterThan(2);
});

it("lets accounts take turns: one that sends many lists does not delay the list of another", async () => {
  const { left, go, receive } = placesThatStand();
  const ended: string[] = [];
  const all = Array.from({ length: 8 }, () => receive(FREE).then(() => ended.push("large")));
  await expect.poll(() => left.length).toBe(1);
  all.push(receive(of("acc_other", FREE), small).then(() => ended.push("small")));
  expect(await receive(DRY, small)).toMatchObject({ sent: 1 });
  expect(ended).toEqual([]);
  go();
  await Promise.all(all);
  expect(ended).toEqual(["small", ...Array(8).fill("large")]);
});

it("continues with the next list after an invalid one", async () => {
  const { receive, go } = placesThatStand();
  go();
  await expect(receive(FREE, Buffer.from("{"))).rejects.toMatchObject({ code: "INVALID_REQUEST" });
  expect(await receive(FREE)).toMatchObject({ sent: MANY });
});

describe("slow uploads", () => {
  const MB = 1 << 20;
  const LARGEST = JOB_BOUNDS.maxMatchBytes;

  function places() {
    const receiving = new ReceivingPlaces({ pauseAfter: async () => {} });
    /** Sends rows to match of `bytes` bytes. */
    const send = (bytes: number, sender: Sender) =>
      receiving.receive(rowsOf(bytes), "jsonl", "match", sender).then(
        ({ sent }) => sent,
        (error: unknown) => (error instanceof Error && "code" in error ? error.code : error),
      );
    /** Sends all of a list but its end. */
    const stall = async (bytes: number, sender: Sender) => {
      const stream = new PassThrough({ highWaterMark: MB });
      onTestFinished(() => void stream.destroy());
      const refused = receiving.receive(stream, "jsonl", "match", sender).catch((error: unknown) => error);
      for await (const part of rowsOf(bytes)) if (!stream.write(part)) await once(stream, "drain");
      await expect.poll(() => stream.readableLength).toBe(0);
      return { stream, refused };
    };
    return { send, stall };
  }

  /** Rows to match, sixteen a megabyte. */
  function rowsOf(bytes: number): Readable {
    const part = Buffer.from(`${`${JSON.stringify("x".repeat(65_533))}\n`.repeat(16)}`).subarray(0, MB);
    return Readable.from(
      Array.from({ length: Math.floor(bytes / MB) }, () => part),
      { objectMode: false },
    );
  }

  it.each([
    ["a free account", FREE],
    ["a free account, only to get the price,", { ...FREE, isDryRun: true }],
    ["an account", PAYING],
    ["an account, only to get the price,", DRY],
  ])("of the largest lists of %s leave room for all others", async (_whose, sender) => {
    const { send, stall } = places();
    await stall(LARGEST - MB, sender);
    expect(await send(LARGEST - MB, { ...FREE, accountId: "acc_other" })).toBeGreaterThan(0);
    expect(await send(40 * MB, { ...FREE, accountId: "acc_other", isDryRun: true })).toBeGreaterThan(0);
    expect(await send(LARGEST - MB, { ...PAYING, accountId: "acc_third" })).toBeGreaterThan(0);
    expect(await send(40 * MB, { ...DRY, accountId: "acc_third" })).toBeGreaterThan(0);
  });

  it("of several accounts leave room, and small lists need none", async () => {
    const { send, stall } = places();
    for (const nth of [1, 2, 3])
      await stall(LARGEST - MB, of(`acc_${nth}`, { ...FREE, isDryRun: nth === 1 }));
    expect(await send(4 * MB, of("acc_new", FREE))).toBeGreaterThan(0);
    expect(await send(LARGEST - MB, of("acc_new", PAYING))).toBeGreaterThan(0);
    expect(await send(LARGEST - MB, of("acc_1", FREE))).toBe("SERVICE_UNAVAILABLE");
    const { receive } = placesThatStand();
    expect(await receive(of("acc_1", PAYING), small)).toMatchObject({ sent: 1 });
  });

  it("of short rows count with the memory of their rows", async () => {
    const { places } = placesThatStand();
    const sent = Buffer.from('{"name":"x"}\n'.repeat(MANY));
    const outcomes = Array.from({ length: 4 }, () =>
      places.receive(Readable.from([sent]), "jsonl", "match", FREE).catch((error: unknown) => error),
    );
    expect(await Promise.race(outcomes)).toMatchObject({ code: "SERVICE_UNAVAILABLE" });
  });

  it("wait shortly for room, which ended uploads give back", async () => {
    const { send, stall } = places();
    const { stream, refused } = await stall(LARGEST - MB, FREE);
    const waiting = send(LARGEST - MB, FREE);
    stream.destroy(new Error("the connection was reset"));
    expect(await refused).toMatchObject({ code: "INVALID_REQUEST" });
    expect(await waiting).toBeGreaterThan(0);
    expect(await send(LARGEST - MB, FREE)).toBeGreaterThan(0);
  });
});
