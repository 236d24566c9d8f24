/** A caller that hangs up while VIES is slow is charged, and its verdict is stored. */
import { connect, type Socket } from "node:net";
import { expect, it } from "vitest";
import { jsonOf, numberIn } from "../kit/answer.ts";
import { ask } from "../kit/client.ts";
import { requestBytes } from "../kit/rawSocket.ts";
import { serveHere } from "../kit/serveHere.ts";
import { awayFromMonthEnd, until } from "../kit/until.ts";
import { validationOf, verdictIn } from "../kit/vat.ts";
import { fictionalRsins, REGISTERED, requestsFor, startVies } from "../kit/vies.ts";
import { makeWorld, PLENTY } from "../kit/world.ts";

const HANG_UPS = 20;

it("the verdict of a caller that hung up is there for the next caller", async () => {
  const vies = await startVies({ companyOf: () => REGISTERED });
  const world = await makeWorld({
    companies: [],
    environment: { VIES_URL: vies.url, VIES_DEADLINE_MS: "30000", VIES_PER_STATE: "100" },
  });
  const { key } = await world.account("plenty");
  await awayFromMonthEnd();
  const service = await serveHere(world);
  const numbers = fictionalRsins(HANG_UPS).map((rsin) => `NL${rsin}B01`);
  vies.setFault("NL", { kind: "hang" });
  const sockets: Socket[] = [];
  for (const number of numbers) {
    const socket = connect({ port: service.port, host: "127.0.0.1" });
    socket.on("error", () => {});
    socket.write(requestBytes(`GET ${validationOf(number)}`, { authorization: `Bearer ${key}` }));
    sockets.push(socket);
  }
  const usage = () => ask(service, { path: "/v1/usage", key });
  const reserved = async () =>
    PLENTY.monthlyTokens - numberIn(await usage(), "x-tokens-remaining") === HANG_UPS;
  await until("every call has reserved", reserved);
  await until("every number is at VIES", () => vies.counts.all.inFlight === HANG_UPS);
  const closed = sockets.map((socket) => new Promise((resolve) => socket.once("close", resolve)));
  for (const socket of sockets) socket.resetAndDestroy();
  await Promise.all(closed);
  vies.clearFaults();

  const { tokens } = await until("every call is charged", async () => {
    const usageBody = jsonOf(await usage()) as { tokens: { used: number; remaining: number } };
    return usageBody.tokens.used >= HANG_UPS ? usageBody : undefined;
  });
  expect(tokens).toMatchObject({ used: HANG_UPS, remaining: PLENTY.monthlyTokens - HANG_UPS });
  vies.setFault("*", { kind: "reset" });
  for (const number of numbers) {
    const verdict = verdictIn(await ask(service, { path: validationOf(number), key }));
    expect(verdict).toMatchObject({ vatNumber: number, valid: true, status: "validated" });
    expect(requestsFor(vies, number)).toBe(1);
  }
});
