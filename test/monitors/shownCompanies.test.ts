/** The list of monitors shows present data about their companies, within bounds. */
import { describe, expect, it } from "vitest";
import type { Monitor } from "../../src/contract/monitors.ts";
import { jsonOf } from "../kit/answer.ts";
import { BAKERY, COMPANIES, ENDED, FERRY, FOREIGN, PLAIN, PO_BOX, SHIELDED } from "../kit/companies.ts";
import { expectDocumented } from "../kit/contractAnswer.ts";
import { NOON } from "../kit/inProcess.ts";
import { callerOf, monitorService } from "./calls.ts";

describe("the list of monitors", () => {
  it("shows the present name, city and state of each company, and no other part of it", async () => {
    const calls = await callerOf(await monitorService());
    await calls.added([BAKERY, SHIELDED, ENDED, FOREIGN, PO_BOX]);
    const answer = await calls.call("GET", "/v1/monitors");
    expectDocumented({ method: "GET", path: "/v1/monitors" }, answer);
    const { monitors } = jsonOf(answer) as { monitors: Monitor[] };
    const byNumber = new Map(monitors.map(({ kvkNumber, company }) => [kvkNumber, company]));
    for (const { facts } of COMPANIES.filter(({ facts }) => byNumber.has(facts.kvkNumber))) {
      const { name, isActive, address } = facts;
      const city = address?.city === undefined ? {} : { city: address.city };
      expect(byNumber.get(facts.kvkNumber)).toEqual({ name, ...city, isActive });
    }
    expect(byNumber.get(ENDED)).toMatchObject({ isActive: false });
  });

  it("shows as many different companies a month as the plan allows monitors, however they are added", async () => {
    const service = await monitorService();
    const calls = await callerOf(service, "three");
    const named = async () =>
      (await calls.list()).monitors.map(({ kvkNumber, company }) => [kvkNumber, company !== undefined]);
    const ids = new Map<string, string>();
    const add = async (...numbers: string[]) => {
      for (const { kvkNumber, id } of await calls.added(numbers)) ids.set(kvkNumber, id);
    };
    const remove = (kvkNumber: string) => calls.call("DELETE", `/v1/monitors/${ids.get(kvkNumber)}`);
    await add(BAKERY);
    await Promise.all(Array.from({ length: 5 }, named));
    await add(FERRY, FOREIGN);
    await named();
    await remove(BAKERY);
    await add(SHIELDED);
    expect(Object.fromEntries(await named())).toEqual({ [FERRY]: true, [FOREIGN]: true, [SHIELDED]: false });
    await remove(SHIELDED);
    await add(BAKERY);
    expect(Object.fromEntries(await named())).toEqual({ [FERRY]: true, [FOREIGN]: true, [BAKERY]: true });
    // No other answer shows one.
    const added = await calls.post({ kvkNumbers: [BAKERY] });
    expect(added.text).not.toContain('company":{');
    for (const other of PLAIN.slice(0, 4)) {
      await remove(BAKERY);
      await add(other);
      expect(Object.fromEntries(await named())[other]).toBe(false);
      await remove(other);
      await add(BAKERY);
    }
    service.setClock(Date.UTC(2026, 3, 1, 0, 0, 5));
    await remove(BAKERY);
    await add(SHIELDED);
    expect(Object.fromEntries(await named())).toEqual({ [FERRY]: true, [FOREIGN]: true, [SHIELDED]: true });
  });

  it("shows nothing about a company that is suppressed", async () => {
    const service = await monitorService();
    const calls = await callerOf(service);
    await calls.added([BAKERY, FERRY]);
    await calls.list();
    await service.state.suppressed.forget({ kvkNumber: BAKERY, vatNumbers: [], forgottenAtMs: NOON });
    expect((await calls.list()).monitors).toMatchObject([{ kvkNumber: FERRY, company: {} }]);
    await service.state.suppressed.undoForget(BAKERY);
  });
});
