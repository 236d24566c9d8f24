import { connect } from "node:net";
import { expect, it } from "vitest";
import { check, codeOf, control, post, simulator } from "../../../test/kit/viesSimulator.ts";
import { STATE_CODES } from "../../vat/numbers/states.ts";
import { startViesSimulator, type ViesSimulator } from "./server.ts";

const NUMBER = { countryCode: "AT", vatNumber: "U13585627" };

async function status({ url }: ViesSimulator): Promise<{ isAvailable: unknown; unavailable: unknown[] }> {
  const answer = (await (await fetch(`${url}/check-status`)).json()) as {
    vow: { available: unknown };
    countries: { countryCode: unknown; availability: unknown }[];
  };
  expect(answer.countries.map(({ countryCode }) => countryCode)).toEqual(STATE_CODES);
  const unavailable = answer.countries.filter(({ availability }) => availability === "Unavailable");
  return {
    isAvailable: answer.vow.available,
    unavailable: unavailable.map(({ countryCode }) => countryCode),
  };
}

it("the status shows states without verdicts as unavailable, and VIES as a whole when all fail", async () => {
  const vies = await simulator();
  expect(await status(vies)).toEqual({ isAvailable: true, unavailable: [] });
  vies.setFault("DE", { kind: "hang" });
  vies.setFault("IT", { kind: "code", code: "MS_UNAVAILABLE" });
  vies.setFault("FR", { kind: "latency", ms: 1_000 });
  expect(await status(vies)).toEqual({ isAvailable: true, unavailable: ["DE", "IT"] });
  vies.setFault("*", { kind: "reset" });
  expect(await status(vies)).toEqual({ isAvailable: false, unavailable: ["DE", "IT"] });
  vies.setFault("check-status", { kind: "html" });
  expect((await fetch(`${vies.url}/check-status`)).status).toBe(503);
  expect(vies.counts).toMatchObject({ statusCalls: 4, all: { requests: 0 } });
});

it("faults are set, shown and cleared over HTTP", async () => {
  const vies = await simulator();
  const down = { kind: "code", code: "MS_UNAVAILABLE" };
  expect((await control(vies, "PUT", "/faults/DE", down)).json).toEqual({ DE: down });
  expect(codeOf(await check(vies, "DE", "136695976"))).toBe("MS_UNAVAILABLE");
  expect((await control(vies, "PUT", "/faults/%2A", { kind: "html" })).json).toHaveProperty(["*"]);
  expect((await control(vies, "DELETE", "/faults/DE")).json).toEqual({ "*": { kind: "html" } });
  expect((await control(vies, "DELETE", "/faults")).json).toEqual({});
  expect((await control(vies, "GET", "/faults")).json).toEqual({});
  expect((await post(vies, NUMBER)).json["valid"]).toBe(true);
});

it.each([
  ["PUT", "/faults/GB", { kind: "hang" }, 404, "NL, DE, EL, XI"],
  ["PUT", "/faults/DE", "{", 400, "latency, hang, reset"],
  ["PUT", "/faults/DE", { kind: "fire" }, 400, "latency, hang, reset"],
  ["PUT", "/faults/DE", { kind: "latency" }, 400, "ms of kind latency must be a whole number from 0"],
  ["PUT", "/faults/DE", { kind: "hang", ms: 1 }, 400, "has only kind"],
  ["PUT", "/faults/DE", { kind: "html", status: 99 }, 400, "status of kind html must be"],
  ["GET", "/faults/DE", undefined, 405, "PUT and DELETE"],
  ["PUT", "/faults", {}, 405, "GET and DELETE"],
  ["DELETE", "/counts", undefined, 405, "GET"],
  ["GET", "/nothing", undefined, 404, "/control/counts"],
])("a wrong control request gets an explanation: %s %s %j", async (method, path, body, expected, text) => {
  const vies = await simulator();
  const { status, json } = await control(vies, method, path, body);
  expect(status).toBe(expected);
  expect(json).toEqual({ error: { code: "BAD_CONTROL_REQUEST", message: expect.stringContaining(text) } });
  expect((await control(vies, "GET", "/faults")).json).toEqual({});
});

it("requests are counted by state, with the most in flight at once, and logged", async () => {
  const vies = await simulator();
  await Promise.all([post(vies, "{"), check(vies, "ZZ", "1"), check(vies, "DE", "136695976")]);
  for (let index = 0; index < 3; index++) await post(vies, NUMBER);
  vies.setFault("NL", { kind: "hang" });
  const hanging = Array.from({ length: 5 }, () => check(vies, "NL", "123456782B90"));
  while ((vies.counts.states.NL?.inFlight ?? 0) < 5) await new Promise((resolve) => setImmediate(resolve));
  vies.setFault("NL", { kind: "bom" });
  await Promise.all(hanging);
  const { all, states, statusCalls } = vies.counts;
  expect(states).toEqual({
    DE: { requests: 1, inFlight: 0, maxInFlight: 1 },
    AT: { requests: 3, inFlight: 0, maxInFlight: 1 },
    NL: { requests: 5, inFlight: 0, maxInFlight: 5 },
  });
  expect(all).toMatchObject({ requests: 11, inFlight: 0 });
  expect(statusCalls).toBe(0);
  expect((await control(vies, "GET", "/counts")).json).toEqual(vies.counts);
  // The unreadable request is not logged.
  expect(vies.log.length).toBe(10);
  expect(vies.log.at(-1)).toMatchObject({
    request: { countryCode: "NL", vatNumber: "123456782B90" },
    fault: "bom",
  });
});

it("a caller with a concurrency limit is never counted above it", async () => {
  const vies = await simulator();
  const worker = async () => {
    for (let index = 0; index < 40; index++) await post(vies, NUMBER);
  };
  await Promise.all([worker(), worker(), worker()]);
  expect(vies.counts.states.AT).toMatchObject({ requests: 120, inFlight: 0 });
  expect(vies.counts.states.AT?.maxInFlight).toBeLessThanOrEqual(3);
});

it("hostile input is refused, and later calls work", async () => {
  const vies = await simulator();
  expect((await post(vies, "x".repeat(70_000))).status).toBe(413);
  expect((await post(vies, NUMBER, "no-such-thing")).status).toBe(404);
  expect((await fetch(`${vies.url}/check-vat-number`)).status).toBe(405);
  expect((await fetch(new URL("/", vies.url))).status).toBe(404);
  for (const body of [
    "null",
    "[]",
    '"x"',
    "1",
    '{"__proto__":{"countryCode":"NL"}}',
    `${"[".repeat(9_000)}`,
  ]) {
    expect((await post(vies, body)).status).toBeGreaterThanOrEqual(400);
  }
  await new Promise<void>((resolve) => {
    const socket = connect(vies.port, "127.0.0.1", () => socket.end("NO HTTP\r\n\r\n"));
    socket.resume().on("close", () => resolve());
  });
  expect((await post(vies, NUMBER)).json["valid"]).toBe(true);
});

it("restarted on the same port after hanging calls, it responds again", async () => {
  const first = await simulator();
  first.setFault("AT", { kind: "hang" });
  first.setFault("DE", { kind: "slowBody", everyMs: 10_000 });
  first.setFault("NL", { kind: "latency", ms: 10_000 });
  const left = [post(first, NUMBER), check(first, "DE", "136695976"), check(first, "NL", "123456782B90")];
  const outcomes = Promise.allSettled(left);
  while (first.counts.all.inFlight < 3) await new Promise((resolve) => setImmediate(resolve));
  await first.stop();
  expect((await outcomes).map((outcome) => outcome.status)).toEqual(["rejected", "rejected", "rejected"]);
  await expect(post(first, NUMBER)).rejects.toThrow();
  const second = await simulator({ port: first.port });
  expect(second.url).toBe(first.url);
  expect((await post(first, NUMBER)).json["valid"]).toBe(true);
});

it("starting on a taken port fails", async () => {
  const { port } = await simulator();
  await expect(startViesSimulator({ port })).rejects.toThrow("EADDRINUSE");
});
