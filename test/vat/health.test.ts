/** Health reports the state of VIES, from its own page and from calls, and stays 200 without it. */
import { describe, expect, it } from "vitest";
import type { Fault, FaultTarget } from "../../src/demo/vies/faults.ts";
import { inject, jsonOf } from "../kit/answer.ts";
import { COMPANIES } from "../kit/companies.ts";
import { expectDocumented } from "../kit/contractAnswer.ts";
import { variants } from "../kit/thorough.ts";
import { until } from "../kit/until.ts";
import { composeOverVies, type OverVies } from "../kit/vat.ts";
import { fictionalRsins } from "../kit/vies.ts";

const compose = () => composeOverVies({ companies: COMPANIES });

async function healthOf({ service }: OverVies) {
  const answer = await inject(service.app, { path: "/v1/health" });
  expectDocumented({ method: "GET", path: "/v1/health" }, answer);
  return [answer.status, jsonOf(answer)];
}

const healthBody = (status: string, vies: string) => [
  200,
  {
    status,
    services: { kvk: "up", vies },
    coverage: expect.anything(),
    timestamp: expect.stringMatching(/Z$/),
  },
];
const WELL = healthBody("ok", "up");
const SOME = healthBody("ok", "degraded");
const AWAY = healthBody("degraded", "down");

describe("the status page of VIES", () => {
  const pages: readonly (readonly [string, FaultTarget, Fault | undefined, unknown])[] = [
    ["says that all is well", "NL", undefined, WELL],
    ["reports a state as down", "NL", { kind: "code", code: "MS_UNAVAILABLE" }, SOME],
    ["reports all of VIES as down", "*", { kind: "code", code: "SERVICE_UNAVAILABLE" }, AWAY],
    ["resets the connection", "check-status", { kind: "reset" }, AWAY],
    ["is not JSON, which proves nothing", "check-status", { kind: "html" }, WELL],
    ["is truncated JSON, which proves nothing", "check-status", { kind: "cutJson" }, WELL],
  ];
  it.each(variants(pages, { ordinary: 3 }))("%s", async (_what, target, fault, expected) => {
    const over = await compose();
    over.vies.setFault(target, fault);
    expect(await healthOf(over)).toEqual(expected);
    const requestsBefore = over.vies.counts.statusCalls;
    // However many calls: the page is fetched at most twice a minute.
    for (let call = 0; call < 50; call++) await healthOf(over);
    expect(over.vies.counts.statusCalls).toBe(requestsBefore);
  });
});

describe.concurrent("calls", () => {
  it.each<readonly [string, FaultTarget, string, unknown]>([
    ["to one failing state", "PL", "MS_UNAVAILABLE", SOME],
    ["to VIES as a whole that fail", "*", "GLOBAL_MAX_CONCURRENT_REQ", AWAY],
  ])("%s are reported, and so is their success", async (_what, target, code, expected) => {
    const over = await compose();
    expect(await healthOf(over)).toEqual(WELL);
    over.vies.setFault(target, { kind: "code", code });
    const ask = async () => (await over.validate("PL8567346215?maxAge=0")).status;
    for (let call = 0; call < 5; call++) expect(await ask()).toBe(502);
    expect(await healthOf(over)).toEqual(expected);
    over.vies.clearFaults();
    await until("VIES is queried again", async () => (await ask()) === 200);
    expect(await healthOf(over)).toEqual(WELL);
  });

  it("that fail for different numbers are reported as an outage of VIES, until one succeeds", async () => {
    const over = await compose();
    over.vies.setFault("*", { kind: "otherNumber" });
    const numbers = fictionalRsins(5).map((rsin) => `NL${rsin}B01`);
    for (const number of numbers) expect((await over.validate(number)).status).toBe(502);
    // VIES's own page is unaffected by the fault and reports no problem.
    expect(await healthOf(over)).toEqual(AWAY);
    over.vies.clearFaults();
    await until("VIES is queried again", async () => (await over.validate("PL8567346215")).status === 200);
    expect(await healthOf(over)).toEqual(WELL);
  });

  it("about one failing number, however often, do not affect the others' state", async () => {
    const over = await compose();
    const [number = ""] = fictionalRsins(1).map((rsin) => `NL${rsin}B01`);
    over.vies.setFault("*", { kind: "otherNumber" });
    for (let call = 0; call < 5; call++) expect((await over.validate(number)).status).toBe(502);
    over.vies.clearFaults();
    expect(await healthOf(over)).toEqual(WELL);
    expect((await over.validate("PL8567346215")).status).toBe(200);
  });

  it("from a blocked address are reported after the first one, and no more are made", async () => {
    const over = await compose();
    over.vies.setFault("PL", { kind: "code", code: "IP_BLOCKED" });
    expect((await over.validate("PL8567346215")).status).toBe(502);
    expect(await healthOf(over)).toEqual(AWAY);
    const requestsBefore = over.vies.counts.all.requests;
    for (const number of ["PL8567346215", "NL123456782B01", "DE999999100"]) {
      expect((await over.validate(number)).status).toBe(502);
    }
    expect(over.vies.counts.all.requests).toBe(requestsBefore);
  });
});
