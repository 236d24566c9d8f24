import { connect, type Socket } from "node:net";
import { expect, onTestFinished } from "vitest";
import { JOB_BOUNDS } from "../../src/contract/jobs.ts";
import { codeOf, numberIn } from "../kit/answer.ts";
import { ask } from "../kit/client.ts";
import type { Service } from "../kit/service.ts";
import type { World } from "../kit/world.ts";

type At = Pick<Service, "port">;

const MB = 1 << 20;
const LARGEST_BYTES = JOB_BOUNDS.maxMatchBytes - MB;
/** A megabyte of rows to match. */
const PART = `${JSON.stringify("x".repeat(65_533))}\n`.repeat(16);
const TRICKLE_MS = 1_000;
const NDJSON = "application/x-ndjson";

/**
 * Sends a list of rows of the largest size, but its end only byte by byte. Resolves when all else was sent; aborted
 * after the test.
 */
async function stalledUpload({ port }: At, key: string, query: string): Promise<Socket> {
  const socket = connect({ port, host: "127.0.0.1" });
  onTestFinished(() => void socket.destroy());
  socket.on("error", () => {});
  socket.write(
    `POST /v1/jobs?${query} HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${key}\r\ncontent-type: ${NDJSON}\r\ncontent-length: ${LARGEST_BYTES + MB}\r\n\r\n`,
  );
  for (let sent = 0; sent < LARGEST_BYTES; sent += PART.length)
    await new Promise<void>((resolve) => socket.write(PART, () => resolve()));
  const trickle = setInterval(() => socket.writable && socket.write(" "), TRICKLE_MS);
  socket.once("close", () => clearInterval(trickle));
  return socket;
}

function sendRows(service: At, key: string, bytes: number, query: string) {
  const body = PART.repeat(Math.ceil(bytes / MB)).slice(0, bytes - (bytes % 65_536));
  return ask(service, {
    method: "POST",
    path: `/v1/jobs?${query}`,
    key,
    headers: { "content-type": NDJSON },
    body,
  });
}

/** Two accounts stall uploads of the largest size; lists of others are received at once. */
export async function expectRoomForOthers(world: World, service: At, query: string): Promise<void> {
  const [first, second, free, customer] = await Promise.all(
    ["trial", "trial", "trial", "plenty"].map((tier) => world.account(tier)),
  );
  if (!first || !second || !free || !customer) throw new Error("an account is missing");
  const uploads = [
    await stalledUpload(service, first.key, query),
    await stalledUpload(service, second.key, query),
  ];
  const statusOf = async (key: string, bytes: number, how: string) =>
    (await sendRows(service, key, bytes, how)).status;
  expect(await statusOf(free.key, 8 * MB, "kind=match&dryRun=true")).toBe(200);
  expect(await statusOf(customer.key, 8 * MB, "kind=match&dryRun=true")).toBe(200);
  expect(await statusOf(free.key, 8 * MB, "kind=match")).toBe(202);
  expect(await statusOf(customer.key, LARGEST_BYTES, "kind=match")).toBe(202);
  // Small lists need no room; large ones of the same account are refused.
  expect(await statusOf(first.key, 65_536, query)).toBeLessThan(300);
  const refused = await sendRows(service, first.key, 16 * MB, query);
  expect([codeOf(refused), numberIn(refused, "retry-after"), numberIn(refused, "x-tokens-charged")]).toEqual([
    "SERVICE_UNAVAILABLE",
    5,
    0,
  ]);
  for (const socket of uploads) socket.destroy();
  // The refused call waited until it was known that there is no room; this one waits until there is.
  expect(await statusOf(first.key, 16 * MB, query)).toBeLessThan(300);
}
