/**
 * Requests sent without waiting for responses: charged means delivered, whatever follows and whichever side closes the
 * connection.
 */
import { once } from "node:events";
import { connect } from "node:net";
import { buffer } from "node:stream/consumers";
import type { FastifyInstance } from "fastify";
import { beforeAll, describe, expect, it } from "vitest";
import { MAX_PENDING_RESPONSES } from "../src/http/connections.ts";
import { drain, listen } from "../src/http/server.ts";
import { BAKERY } from "./kit/companies.ts";
import { composeInProcess } from "./kit/inProcess.ts";
import { parseAnswers, sendBytes } from "./kit/rawSocket.ts";
import { startedBatch } from "./kit/startedBatch.ts";
import { makeWorld } from "./kit/world.ts";

const WITHIN_MS = 60_000;
const BATCH = JSON.stringify({ kvkNumbers: [BAKERY] });

interface Listening {
  readonly app: FastifyInstance;
  readonly port: number;
  readonly key: string;
  /** The tokens charged so far. */
  readonly charged: () => Promise<number>;
}

async function start(): Promise<Listening> {
  const { app, account, state } = await composeInProcess(await makeWorld());
  const port = Number(new URL(await listen(app, "127.0.0.1", 0)).port);
  const { key, id } = await account("plenty");
  return { app, port, key, charged: async () => (await state.ledger.spent(id))?.used ?? 0 };
}

/** The responses in a socket's bytes: the status of each, and the state of the connection. */
const summaryOf = (bytes: Buffer) =>
  parseAnswers(bytes).map(({ status, headers }) => [status, headers["connection"]]);

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
    ["after three lookups", (key) => `${lookup(key).repeat(3)}@@@\r\n\r\n`, [200, 200, 200, 400], 3],
    [
      "with a CONNECT request",
      (key) => `${lookup(key).repeat(2)}CONNECT x:1 HTTP/1.1\r\nhost: x:1\r\n\r\n`,
      [200, 200, 400],
      2,
    ],
    [
      "with too large a header",
      (key) => `${lookup(key)}GET / HTTP/1.1\r\nx: ${"a".repeat(40_000)}`,
      [200, 400],
      1,
    ],
    [
      "after a client's `Connection: close`",
      (key) => lookup(key, "connection: close\r\n") + lookup(key),
      [200],
      1,
    ],
    [
      "after a body and a client's `Connection: close`",
      (key) => batch(key, `connection: close\r\ncontent-length: ${BATCH.length}\r\n`, `${BATCH} \n`),
      [200],
      1,
    ],
    [
      "in a body that is being read",
      (key) => lookup(key) + batch(key, "transfer-encoding: chunked\r\n", "zz\r\n"),
      [200, 400],
      1,
    ],
    [
      "in a body that is not read",
      (key) => `${lookup(key) + lookup(key, "transfer-encoding: chunked\r\n")}zz\r\n`,
      [200, 200],
      2,
    ],
  ])("%s are answered after all responses in progress", async (_what, sent, answers, charged) => {
    const { port, key } = service;
    const before = await service.charged();
    const responses = parseAnswers(await sendBytes(port, sent(key)));
    expect(responses.map(({ status }) => status)).toEqual(answers);
    expect((await service.charged()) - before).toBe(charged);
  });
});

describe("a caller that closes its half after its requests gets the responses it is charged for", () => {
  let service: Listening;
  beforeAll(async () => {
    service = await start();
  });

  const body = (key: string) => batch(key, `content-length: ${BATCH.length}\r\n`, BATCH);

  it.each<[what: string, sent: (key: string) => string, answers: readonly number[]]>([
    ["one", (key) => lookup(key), [200]],
    ["three", (key) => lookup(key).repeat(3), [200, 200, 200]],
    ["one with a body", (key) => body(key), [200]],
    ["one without a valid key", () => lookup("opz_none"), [401]],
  ])("%s", async (_what, sent, answers) => {
    const { port, key } = service;
    const before = await service.charged();
    const socket = connect({ port, host: "127.0.0.1", allowHalfOpen: true });
    socket.end(sent(key));
    const statuses = parseAnswers(await buffer(socket)).map(({ status }) => status);
    expect(statuses).toEqual(answers);
    expect((await service.charged()) - before).toBe(statuses.filter((status) => status === 200).length);
  });

  it("also after earlier responses, and one without pending responses is disconnected at once", async () => {
    const { port, key } = service;
    const socket = connect({ port, host: "127.0.0.1", allowHalfOpen: true });
    socket.write(lookup(key));
    await once(socket, "data");
    socket.end(lookup(key));
    expect(parseAnswers(await buffer(socket))).toHaveLength(1);
    const idle = connect({ port, host: "127.0.0.1", allowHalfOpen: true });
    idle.end();
    expect((await buffer(idle)).length).toBe(0);
  });

  it("half a request is rejected as such", async () => {
    const { port, key } = service;
    const before = await service.charged();
    const socket = connect({ port, host: "127.0.0.1", allowHalfOpen: true });
    socket.end(lookup(key).slice(0, -4));
    expect(summaryOf(await buffer(socket))).toEqual([[400, "close"]]);
    expect(await service.charged()).toBe(before);
  });
});

describe("requests after a response that ends the connection are not started", () => {
  it("when more are sent ahead than a connection allows", async () => {
    const { port, key, charged } = await start();
    const responses = summaryOf(await sendBytes(port, lookup(key).repeat(2_000)));
    expect(responses).toEqual([
      ...Array.from({ length: MAX_PENDING_RESPONSES - 1 }, () => [200, "keep-alive"]),
      [200, "close"],
    ]);
    expect(await charged()).toBe(MAX_PENDING_RESPONSES);
  });

  it("when the service drains: the last one started before announces it", async () => {
    const { app, port, key, charged } = await start();
    const { socket } = await startedBatch({ port }, key);
    const received = buffer(socket);
    const drained = drain(app, WITHIN_MS);
    socket.write(`}${lookup(key).repeat(3)}`);
    expect(summaryOf(await received)).toEqual([[200, "close"]]);
    await drained;
    expect(await charged()).toBe(1);
  });
});
