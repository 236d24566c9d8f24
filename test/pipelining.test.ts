/** Requests that are sent without waiting for answers: what is charged is delivered, whatever comes behind it and whoever ends the connection. */
import type { AddressInfo } from "node:net";
import { beforeAll, describe, expect, it } from "vitest";
import { BAKERY } from "./kit/companies.ts";
import { composeInProcess } from "./kit/inProcess.ts";
import { parseAnswers, sendBytes } from "./kit/rawSocket.ts";
import { usedTokens } from "./kit/usage.ts";
import { makeWorld } from "./kit/world.ts";

const BATCH = JSON.stringify({ kvkNumbers: [BAKERY] });

interface Listening {
  readonly port: number;
  readonly key: string;
}

async function start(): Promise<Listening> {
  const { app, account } = await composeInProcess(await makeWorld());
  await app.listen({ host: "127.0.0.1", port: 0 });
  const { port } = app.server.address() as AddressInfo;
  return { port, key: (await account("plenty")).key };
}

const lookup = (key: string, headers = "") =>
  `GET /v1/lookup/${BAKERY} HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${key}\r\n${headers}\r\n`;
const batch = (key: string, headers: string, body: string) =>
  `POST /v1/lookup/batch HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${key}\r\ncontent-type: application/json\r\n${headers}\r\n${body}`;

describe("broken bytes", () => {
  let service: Listening;
  beforeAll(async () => {
    service = await start();
  });

  it.each<[what: string, sent: (key: string) => string, answers: readonly number[], charged: number]>([
    ["behind three lookups", (key) => `${lookup(key).repeat(3)}@@@\r\n\r\n`, [200, 200, 200, 400], 3],
    [
      "that are a header which is too large",
      (key) => `${lookup(key)}GET / HTTP/1.1\r\nx: ${"a".repeat(40_000)}`,
      [200, 400],
      1,
    ],
    [
      "behind a client's `Connection: close`",
      (key) => lookup(key, "connection: close\r\n") + lookup(key),
      [200],
      1,
    ],
    [
      "behind a body and a client's `Connection: close`",
      (key) => batch(key, `connection: close\r\ncontent-length: ${BATCH.length}\r\n`, `${BATCH} \n`),
      [200],
      1,
    ],
    [
      "in a body that is waited for",
      (key) => lookup(key) + batch(key, "transfer-encoding: chunked\r\n", "zz\r\n"),
      [200, 400],
      1,
    ],
    [
      "in a body that nobody waits for",
      (key) => `${lookup(key) + lookup(key, "transfer-encoding: chunked\r\n")}zz\r\n`,
      [200, 200],
      2,
    ],
  ])("%s are answered when all that is owed has left", async (_what, sent, answers, charged) => {
    const { port, key } = service;
    const before = await usedTokens({ port }, key);
    const told = parseAnswers(await sendBytes(port, sent(key)));
    expect(told.map(({ status }) => status)).toEqual(answers);
    expect((await usedTokens({ port }, key)) - before).toBe(charged);
  });
});
