/** A key seen on a connection does not apply to the next call on it: a proxy sends many clients' calls over one. */
import { Agent, type IncomingHttpHeaders, request } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { BAKERY } from "./kit/companies.ts";
import { composeInProcess, type InProcess } from "./kit/inProcess.ts";
import { makeWorld } from "./kit/world.ts";

const LOOKUP = `/v1/lookup/${BAKERY}`;
const RATE = 1_000;

describe("calls over one connection", () => {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  let service: InProcess;
  beforeAll(async () => {
    service = await composeInProcess(
      await makeWorld({ tiers: { counted: { monthlyTokens: 1_000, ratePerMinute: RATE } } }),
    );
    await service.app.listen({ host: "127.0.0.1", port: 0 });
  });
  afterAll(() => agent.destroy());

  /** @returns the status, and the number of calls that the key has made this minute */
  async function ask(authorization?: string, path = LOOKUP): Promise<[status: number, calls?: number]> {
    const { port } = service.app.server.address() as AddressInfo;
    const headers = authorization === undefined ? {} : { authorization };
    const answer = await new Promise<{ status: number; headers: IncomingHttpHeaders }>((resolve, reject) => {
      request({ port, host: "127.0.0.1", path, headers, agent }, async (response) => {
        await text(response);
        resolve({ status: response.statusCode ?? 0, headers: response.headers });
      })
        .on("error", reject)
        .end();
    });
    const left = answer.headers["x-ratelimit-remaining"];
    return left === undefined ? [answer.status] : [answer.status, RATE - Number(left)];
  }

  it("use only their own key, and none if they have none", async () => {
    const [one, other] = [await service.account("counted"), await service.account("counted")];
    const wrong = one.key.slice(0, -1) + (one.key.endsWith("0") ? "1" : "0");
    expect(await ask(`Bearer ${one.key}`)).toEqual([200, 1]);
    expect(await ask(`Bearer ${one.key}`)).toEqual([200, 2]);
    expect(await ask(`Bearer ${other.key}`)).toEqual([200, 1]);
    expect(await ask()).toEqual([401]);
    expect(await ask(`Bearer ${wrong}`)).toEqual([401]);
    expect(await ask(`Bearer ${one.key}x`)).toEqual([401]);
    expect(await ask(`bearer   ${one.key} `)).toEqual([200, 3]);
    expect(await ask(`Bearer${" ".repeat(200)}${one.key}`)).toEqual([200, 4]);
    expect(await ask(undefined, `${LOOKUP}?apikey=${other.key}`)).toEqual([200, 2]);
    expect(await ask(undefined)).toEqual([401]);
    expect(await ask(`Bearer ${one.key}`, `${LOOKUP}?apikey=${other.key}`)).toEqual([200, 5]);
  });

  it("use the key of the query if the header has another scheme, which is not cached as a key", async () => {
    const [one, other] = [await service.account("counted"), await service.account("counted")];
    const of = (key: string) => `${LOOKUP}?apikey=${key}`;
    for (const [at, header] of ["Basic c3RhZ2luZzpzZWNyZXQ=", "Negotiate", "Bearers x", ""].entries()) {
      expect(await ask(header, of(one.key)), header).toEqual([200, at * 2 + 1]);
      expect(await ask(header, of(one.key)), header).toEqual([200, at * 2 + 2]);
      expect(await ask(header, of(other.key)), header).toEqual([200, at + 1]);
      expect(await ask(header), header).toEqual([401]);
      expect(await ask(header, of("x")), header).toEqual([401]);
    }
    for (const header of ["Bearer", "bearer x", "Bearer x y", `Bearer ${one.key} y`]) {
      expect(await ask(header, of(one.key)), header).toEqual([401]);
    }
  });

  it("are refused from the moment their key is revoked", async () => {
    const { key, keys } = await service.account("counted");
    expect(await ask(`Bearer ${key}`)).toEqual([200, 1]);
    expect(await ask(`Bearer ${key}`)).toEqual([200, 2]);
    await service.accounts.revokeKey(keys[0]?.id ?? "");
    expect(await ask(`Bearer ${key}`)).toEqual([401]);
    expect(await ask(`Bearer ${key}`)).toEqual([401]);
  });
});
