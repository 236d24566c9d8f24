/**
 * Uploads over slow lines, with times that are a fiftieth of the real ones: they may take long, but not pause for long
 * or crawl.
 */
import { connect, type Socket } from "node:net";
import { setTimeout as pause } from "node:timers/promises";
import { beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { BODY_TIMES } from "../../src/http/limits.ts";
import { listen } from "../../src/http/server.ts";
import { codeOf, jsonOf, messageOf } from "../kit/answer.ts";
import { ask } from "../kit/client.ts";
import { composeInProcess } from "../kit/inProcess.ts";
import { parseAnswer } from "../kit/rawSocket.ts";
import { until } from "../kit/until.ts";
import { makeWorld, PLENTY, type World } from "../kit/world.ts";

const TIMES = { ...BODY_TIMES, wholeMs: 300, pauseMs: 300, slowAfterMs: 600, checkEveryMs: 20 };
const LINE = '"51000000"\n';
const PIECE_EVERY_MS = 20;
/** At twice the slowest rate, an upload takes several times as long as another request may. */
const PIECE = LINE.repeat(Math.ceil((TIMES.minBytesPerSecond * 2 * PIECE_EVERY_MS) / 1_000 / LINE.length));
const PIECES = 120;

let world: World;
let port: number;
let key: string;
let other: string;
beforeAll(async () => {
  world = await makeWorld({ tiers: { trial: { ...PLENTY, isFree: true } } });
  const { app, account } = await composeInProcess(world, { bodyTimes: TIMES });
  port = Number(new URL(await listen(app, "127.0.0.1", 0)).port);
  ({ key } = await account("plenty"));
  ({ key: other } = await account("trial"));
});

interface Upload {
  readonly socket: Socket;
  /** Everything that was received. */
  readonly received: () => string;
  readonly isClosed: () => boolean;
}

/** Sends the head of a request with a body of `length` bytes. */
function begin(path: string, type: string, length: number, sender = key): Upload {
  const socket = connect({ port, host: "127.0.0.1" });
  onTestFinished(() => void socket.destroy());
  let received = "";
  let isClosed = false;
  socket.on("data", (part) => {
    received += part.toString("latin1");
  });
  socket.on("error", () => {});
  socket.on("close", () => {
    isClosed = true;
  });
  socket.write(
    `POST ${path} HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${sender}\r\ncontent-type: ${type}\r\ncontent-length: ${length}\r\n\r\n`,
  );
  return { socket, received: () => received, isClosed: () => isClosed };
}

const NDJSON = "application/x-ndjson";
const LIST = "/v1/jobs?kind=lookup&dryRun=true";

/** Sends a piece at a time until the connection ends. */
async function trickle({ socket, isClosed }: Upload, piece: string): Promise<void> {
  while (!isClosed() && socket.writable) {
    socket.write(piece);
    await pause(PIECE_EVERY_MS);
  }
}

const answerTo = ({ received }: Upload) => parseAnswer(Buffer.from(received()));

async function throttled(sender: string): Promise<Upload> {
  const upload = begin(LIST, NDJSON, PIECE.length * PIECES, sender);
  for (let nth = 0; nth < PIECES; nth++) {
    upload.socket.write(PIECE);
    await pause(PIECE_EVERY_MS);
  }
  await until("it is answered", () => upload.received().includes("}}"));
  return upload;
}

describe("an upload", () => {
  it("over a slow line may take longer than any other request", async () => {
    const answer = answerTo(await throttled(key));
    expect([answer.status, jsonOf(answer)]).toMatchObject([200, { counts: { numbers: 1 } }]);
  });

  it("that pauses for long is cut off", async () => {
    const upload = begin(LIST, NDJSON, 1_000_000);
    upload.socket.write(PIECE);
    await until("it is cut off", upload.isClosed);
    expect([codeOf(answerTo(upload)), answerTo(upload).status]).toEqual(["INVALID_REQUEST", 400]);
    expect(messageOf(answerTo(upload))).toContain("it may pause for at most 15 s");
  });

  it("that crawls is cut off", async () => {
    const upload = begin(LIST, NDJSON, 1_000_000);
    await trickle(upload, LINE);
    await until("it is cut off", upload.isClosed);
    expect(codeOf(answerTo(upload))).toBe("INVALID_REQUEST");
    expect(messageOf(answerTo(upload))).toContain("an average of 32 KB/s");
  });

  it.each([
    ["without a good key", LIST, NDJSON, "opz_live_wrong", "UNAUTHORIZED"],
    ["of another type", LIST, "text/plain", undefined, "UNSUPPORTED_MEDIA_TYPE"],
    ["with bad parameters", "/v1/jobs?kind=none", NDJSON, undefined, "INVALID_REQUEST"],
  ])("%s is answered at once, and its body cannot last", async (_what, path, type, sender, code) => {
    const upload = begin(path, type, 1e12, sender);
    await until("it is answered", () => upload.received().includes("}}"));
    expect(codeOf(answerTo(upload))).toBe(code);
    await trickle(upload, PIECE);
    await until("it is cut off", upload.isClosed);
  });
});

it("the body of any other request must arrive as a whole, however fast", async () => {
  const upload = begin("/v1/lookup/batch", "application/json", 60_000);
  await trickle(upload, " ".repeat(100));
  await until("it is cut off", upload.isClosed);
  expect(messageOf(answerTo(upload))).toContain("send all of it within 15 s");
});

it("slow uploads of an account leave room for the lists of another, and for lookups", async () => {
  const slow = Array.from({ length: 40 }, () => begin("/v1/jobs?kind=match&dryRun=true", NDJSON, 64e6));
  const trickling = slow.map((upload) => trickle(upload, PIECE.repeat(8)));
  expect(answerTo(await throttled(other)).status).toBe(200);
  expect((await ask({ port }, { path: "/v1/usage", key: other })).status).toBe(200);
  for (const { socket } of slow) socket.destroy();
  await Promise.all(trickling);
});
