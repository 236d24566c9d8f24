/** Clients that request large files and read nothing: they are cut off, and leave room for others meanwhile. */
import { mkdirSync, writeFileSync } from "node:fs";
import { request } from "node:http";
import { connect } from "node:net";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { expect, it } from "vitest";
import { POOLS } from "../../src/contract/pools.ts";
import { listen } from "../../src/http/server.ts";
import { composeInProcess } from "../kit/inProcess.ts";
import { thoroughIt } from "../kit/thorough.ts";
import { connectionsTo, unreadClient } from "../kit/unreadClient.ts";
import { until } from "../kit/until.ts";
import { makeWorld, temporaryFolder } from "../kit/world.ts";

const { perAddress, slots } = POOLS.unreadAnswers;
const NEVER_MS = 3_600_000;
const FILE = "/assets/large.js";
/** More than a system buffers for a connection, on either side. */
const FILE_BYTES = 24 << 20;
const OTHER = "127.0.0.2";

async function start(
  unreadTimes: { readonly countedAfterMs: number; readonly cutAfterMs: number },
  environment: Readonly<Record<string, string>> = {},
) {
  const pageFolder = temporaryFolder();
  mkdirSync(join(pageFolder, "assets"));
  writeFileSync(join(pageFolder, "index.html"), "<html></html>");
  writeFileSync(join(pageFolder, FILE), Buffer.alloc(FILE_BYTES, " "));
  const { app, account } = await composeInProcess(await makeWorld({ companies: [], environment }), {
    pageFolder,
    unreadTimes: { ...unreadTimes, checkEveryMs: 50 },
  });
  const port = Number(new URL(await listen(app, "127.0.0.1", 0)).port);
  return { app, port, account, ...connectionsTo(app) };
}

/** Connections of a service with unread bytes. */
const unreadOf = (open: Awaited<ReturnType<typeof start>>["open"]) =>
  [...open].filter(({ writableLength }) => writableLength > 0).length;

function statusFor(port: number, localAddress: string, path: string): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    request({ port, host: "127.0.0.1", localAddress, path, agent: false }, (response) => {
      response.resume().once("end", () => resolve(response.statusCode));
    })
      .once("error", reject)
      .end();
  });
}

it("one address holds at most its share of unread responses, and another address is answered", async () => {
  const { port, open, all } = await start({ countedAfterMs: 200, cutAfterMs: NEVER_MS });
  for (let nth = 0; nth < 3 * perAddress; nth++) unreadClient(port, FILE);
  await until("all are connected", () => all.length === 3 * perAddress);
  expect(await statusFor(port, OTHER, FILE)).toBe(200);
  await until("those beyond the share are cut", () => open.size === perAddress);
  expect(unreadOf(open)).toBe(perAddress);
  const other = unreadClient(port, FILE, { localAddress: OTHER });
  await until("another address has a place", () => open.size === perAddress + 1);
  expect(await statusFor(port, "127.0.0.1", "/livez")).toBe(200);
  expect(other.destroyed).toBe(false);
});

thoroughIt("all addresses together hold at most the total", async () => {
  const { port, open, all } = await start({ countedAfterMs: 200, cutAfterMs: NEVER_MS });
  for (let address = 10; address < 10 + slots / perAddress + 2; address++) {
    for (let nth = 0; nth < perAddress; nth++)
      unreadClient(port, FILE, { localAddress: `127.0.0.${address}` });
  }
  await until("all are connected", () => all.length === slots + 2 * perAddress);
  await until("those beyond the places are cut", () => open.size === slots);
});

thoroughIt("one account holds at most its share, from any number of addresses", async () => {
  const { port, open, all, account } = await start({ countedAfterMs: 200, cutAfterMs: NEVER_MS });
  const { key } = await account("plenty");
  const many = 2 * POOLS.unreadAnswers.perAccount;
  // A connection counts for the account of its last request.
  const headers = `authorization: Bearer ${key}\r\n`;
  for (let nth = 0; nth < many; nth++) {
    const socket = unreadClient(port, FILE, { times: 3, localAddress: `127.0.0.${10 + nth}` });
    socket.write(`GET /v1/usage HTTP/1.1\r\nhost: x\r\n${headers}\r\n`);
  }
  await until("all are connected", () => all.length === many);
  await until("those beyond the share are cut", () => open.size === POOLS.unreadAnswers.perAccount);
});

thoroughIt("behind a trusted proxy the share applies to the client that it names", async () => {
  const { port, open, all } = await start(
    { countedAfterMs: 200, cutAfterMs: NEVER_MS },
    { TRUST_PROXY: "127.0.0.1" },
  );
  const many = 2 * perAddress;
  for (let nth = 0; nth < many; nth++) {
    unreadClient(port, FILE, { times: 3, headers: `x-forwarded-for: 192.0.2.${nth}\r\n` });
    unreadClient(port, FILE, { times: 3, headers: "x-forwarded-for: 198.51.100.1\r\n" });
  }
  await until("all are connected", () => all.length === 2 * many);
  await until("those of one client are cut", () => open.size === many + perAddress);
});

it("a connection that reads nothing is cut in time, one that reads slowly is not", async () => {
  const cutAfterMs = 1_500;
  const { port, open } = await start({ countedAfterMs: 500, cutAfterMs });
  for (let nth = 0; nth < perAddress / 2; nth++) unreadClient(port, FILE);
  let got = 0;
  const slow = connect({ port, host: "127.0.0.1", localAddress: OTHER });
  slow.write(`GET ${FILE} HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n`);
  const closed = new Promise<boolean>((resolve) => slow.once("close", (hadError) => resolve(hadError)));
  const began = performance.now();
  for await (const part of slow) {
    got += (part as Buffer).length;
    await pause(10);
  }
  expect(await closed).toBe(false);
  expect(got).toBeGreaterThan(FILE_BYTES);
  expect(performance.now() - began).toBeGreaterThan(2 * cutAfterMs);
  await until("those that read nothing are cut", () => open.size === 0);
});

it("files count against the limit of calls without a key", async () => {
  const { port } = await start({ countedAfterMs: 200, cutAfterMs: NEVER_MS }, { KEYLESS_PER_MINUTE: "3" });
  const received = [];
  for (let nth = 0; nth < 4; nth++) received.push(await statusFor(port, OTHER, FILE));
  expect(received).toEqual([200, 200, 200, 429]);
});

it("only a few requests of a flood on one connection are started", async () => {
  const { app, port, open } = await start({ countedAfterMs: 200, cutAfterMs: NEVER_MS });
  let begun = 0;
  app.server.on("request", () => {
    begun += 1;
  });
  unreadClient(port, FILE, { times: 10_000 });
  await until("it is answered", () => unreadOf(open) === 1);
  await until(
    "everything has arrived",
    () => [...open][0]?.bytesRead === 10_000 * `GET ${FILE} HTTP/1.1\r\nhost: x\r\n\r\n`.length,
  );
  expect(begun).toBeLessThan(40);
});
