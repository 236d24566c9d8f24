/**
 * A paid call with an Idempotency-Key whose caller disconnects, at any moment and in any way, can be repeated: it is
 * paid once and returned.
 */
import { connect, type Socket } from "node:net";
import { beforeAll, describe, expect, it } from "vitest";
import { type Answer, messageOf, numberIn } from "../kit/answer.ts";
import { ask } from "../kit/client.ts";
import { BAKERY, PLAIN } from "../kit/companies.ts";
import { expectError } from "../kit/contractAnswer.ts";
import { startKvk } from "../kit/kvk.ts";
import { requestBytes } from "../kit/rawSocket.ts";
import { type Service, startService } from "../kit/service.ts";
import { awayFromMonthEnd, until } from "../kit/until.ts";
import { usedTokens } from "../kit/usage.ts";
import { validationOf } from "../kit/vat.ts";
import { fictionalRsins, REGISTERED, startVies } from "../kit/vies.ts";
import { makeWorld, type World } from "../kit/world.ts";

const [kvk, vies] = await Promise.all([startKvk(), startVies({ companyOf: () => REGISTERED })]);
let world: World;
let service: Service;
beforeAll(async () => {
  await awayFromMonthEnd();
  world = await makeWorld({
    environment: {
      VIES_URL: vies.url,
      VIES_DEADLINE_MS: "30000",
      KVK_API_URL: kvk.url,
      KVK_API_KEY: kvk.apiKey,
      KVK_DEADLINE_MS: "30000",
    },
  });
  service = await startService(world);
});

/** How a caller disconnects: by a reset, or gracefully without reading on. */
type Ending = "RST" | "FIN";
const ENDINGS: readonly Ending[] = ["RST", "FIN"];

async function gone(socket: Socket, ending: Ending): Promise<void> {
  const closed = new Promise<void>((resolve) => socket.once("close", () => resolve()));
  if (ending === "RST") socket.resetAndDestroy();
  else socket.end(() => socket.destroy());
  await closed;
}

async function opened(): Promise<Socket> {
  const socket = connect({ port: service.port, host: "127.0.0.1" });
  socket.on("error", () => {});
  await new Promise<void>((resolve) => socket.once("connect", () => resolve()));
  return socket;
}

interface Repeated {
  readonly line: string;
  readonly path: string;
  readonly price: number;
  readonly body?: object;
}

const BATCH: Repeated = {
  line: "POST /v1/lookup/batch",
  path: "/v1/lookup/batch",
  price: 3,
  body: { kvkNumbers: PLAIN.slice(0, 3) },
};
const BRANCHES: Repeated = {
  line: `GET /v1/lookup/${BAKERY}/branches`,
  path: `/v1/lookup/${BAKERY}/branches`,
  price: 5,
};

function bytesOf({ line, body }: Repeated, key: string): { head: Buffer; body: string } {
  const text = body === undefined ? "" : JSON.stringify(body);
  const headers = {
    authorization: `Bearer ${key}`,
    "idempotency-key": "one",
    ...(body !== undefined && {
      "content-type": "application/json",
      "content-length": String(Buffer.byteLength(text)),
    }),
  };
  return { head: requestBytes(line, headers), body: text };
}

const repeat = ({ path, body }: Repeated, key: string): Promise<Answer> =>
  ask(service, {
    path,
    key,
    headers: { "idempotency-key": "one" },
    ...(body !== undefined && { method: "POST", body }),
  });

/** The response once the same call is no longer in progress; until then it is a conflict. */
const whenCompleted = (call: Repeated, key: string): Promise<Answer> =>
  until("the work is done", async () => {
    const answer = await repeat(call, key);
    return answer.status === 409 ? undefined : answer;
  });

const usedBy = (key: string) => usedTokens(service, key);

describe.each(ENDINGS)("a caller that disconnects by %s and calls again", (ending) => {
  it.each([
    ["with half a head", BRANCHES, 0.5, 0],
    ["with half a body", BATCH, 1, 0.5],
  ])("pays nothing before and once in total: %s", async (_what, call, headPart, bodyPart) => {
    const { key } = await world.account("plenty");
    const { head, body } = bytesOf(call, key);
    const socket = await opened();
    await new Promise<void>((resolve) => {
      const part = Buffer.concat([
        head.subarray(0, head.length * headPart),
        Buffer.from(body.slice(0, body.length * bodyPart)),
      ]);
      socket.write(part, () => resolve());
    });
    await gone(socket, ending);
    expect(await usedBy(key)).toBe(0);
    const [first, again] = [await repeat(call, key), await repeat(call, key)];
    expect([first.status, numberIn(first, "x-tokens-charged")]).toEqual([200, call.price]);
    expect([again.text, numberIn(again, "x-tokens-charged")]).toEqual([first.text, 0]);
    expect(await usedBy(key)).toBe(call.price);
  });

  it.each([
    ["a call that is answered at once", BRANCHES],
    ["a batch", BATCH],
  ])("as soon as the call is sent gets the paid response, or pays then: %s", async (_what, call) => {
    const { key } = await world.account("plenty");
    for (let round = 0; round < 5; round++) {
      const { head, body } = bytesOf(call, key);
      const socket = await opened();
      await new Promise<void>((resolve) => {
        socket.write(Buffer.concat([head, Buffer.from(body)]), () => resolve());
      });
      await gone(socket, ending);
    }
    const response = await whenCompleted(call, key);
    expect(response.status).toBe(200);
    expect(await usedBy(key)).toBe(call.price);
  });

  it("at the first byte of the response gets the same response free of charge", async () => {
    const { key } = await world.account("plenty");
    const { head, body } = bytesOf(BATCH, key);
    const socket = await opened();
    const began = new Promise<void>((resolve) => socket.once("data", () => resolve()));
    socket.write(Buffer.concat([head, Buffer.from(body)]));
    await began;
    await gone(socket, ending);
    const response = await repeat(BATCH, key);
    expect([response.status, numberIn(response, "x-tokens-charged")]).toEqual([200, 0]);
    expect(response.headers["idempotency-replayed"]).toBe("true");
    expect(await usedBy(key)).toBe(BATCH.price);
  });

  it.each([
    [
      "VIES",
      `NL${fictionalRsins(2)[ENDINGS.indexOf(ending)]}B01`,
      (number: string): Repeated => ({
        line: `GET ${validationOf(number)}`,
        path: validationOf(number),
        price: 1,
      }),
      vies,
    ],
    [
      "KVK",
      ending === "RST" ? "90000010" : "90000020",
      (number: string): Repeated => ({
        line: `GET /v1/lookup/${number}`,
        path: `/v1/lookup/${number}`,
        price: 1,
      }),
      kvk,
    ],
  ])(
    "while %s is working gets a conflict, then the response, charged once",
    async (_who, number, callOf, upstream) => {
      const { key } = await world.account("plenty");
      const call = callOf(number);
      upstream.setFault("*", { kind: "hang" });
      const socket = await opened();
      socket.write(bytesOf(call, key).head);
      await until("the call is in progress", () => upstream.counts.all.inFlight > 0);
      await gone(socket, ending);
      const waiting = await repeat(call, key);
      expectError(waiting, "CONFLICT");
      expect(messageOf(waiting)).toContain("is in progress");
      expect(numberIn(waiting, "retry-after")).toBeGreaterThan(0);
      expect(numberIn(waiting, "x-tokens-charged")).toBe(0);
      upstream.clearFaults();
      const response = await whenCompleted(call, key);
      expect([response.status, numberIn(response, "x-tokens-charged")]).toEqual([200, 0]);
      expect(response.headers["idempotency-replayed"]).toBe("true");
      expect(await usedBy(key)).toBe(call.price);
    },
  );
});
