import { describe, expect, it } from "vitest";
import { bankruptcy, courtClient, courtSimulator } from "../../../test/kit/courtSimulator.ts";
import type { CourtAnswer, CourtCase, CourtList } from "../../insolvency/types.ts";
import { generateCompanies } from "../registry/generateCompanies.ts";
import { CourtRegister, demoCases, ROTTERDAM } from "./register.ts";
import { startCourtSimulator } from "./server.ts";

const NUMBER = "F.16/26/100";
const START = "2012-01-01";
const never = () => new AbortController().signal;

/** A court in November 2026 with a bankruptcy, and a way to read its cases. */
async function court() {
  const register = new CourtRegister([bankruptcy()], Date.parse("2026-11-05T08:00:00.000Z"));
  const started = await courtSimulator({ register });
  const client = courtClient(started);
  const itemsOf = <Item>(answer: CourtAnswer<CourtList<Item>>): readonly Item[] => {
    if (answer.kind !== "found") throw new Error(answer.kind);
    return answer.value.items;
  };
  return {
    started,
    register,
    /** The cases that have changed. */
    changed: async (since = START) => {
      const cases: (CourtCase | "private")[] = [];
      for (const reference of itemsOf(await client.modifiedSince(since, never()))) {
        const answer = await client.caseOf(reference, never());
        if (answer.kind === "found") cases.push(answer.value);
      }
      return cases;
    },
    removed: async (since = START) => itemsOf(await client.removedSince(since, never())),
  };
}

describe("the simulated court", () => {
  it("lists a case again after each change", async () => {
    const { register, changed } = await court();
    const since = register.extractedAt;
    expect(await changed(since)).toEqual([]);
    register.passDays();
    register.publish(NUMBER, "1323");
    expect(await changed(since)).toMatchObject([{ since: "2026-11-03", caseNumber: NUMBER }]);
    const later = register.extractedAt;
    register.publish(NUMBER, "1316");
    expect(await changed(later)).toMatchObject([{ endedOn: "2026-11-06" }]);
    register.put(bankruptcy({ isAddressSecret: true }));
    expect(await changed(register.extractedAt)).toEqual([]);
  });

  it("continues a case after a move and a conversion", async () => {
    const { register, changed } = await court();
    const moved = { caseNumber: "F.10/26/7", court: ROTTERDAM };
    register.continueAs(NUMBER, { ends: "1334", declares: "1300" }, moved);
    expect(await changed()).toMatchObject([
      { caseNumber: NUMBER, endedOn: "2026-11-05", isContinued: true },
      { ...moved, court: ROTTERDAM.name, previousCaseNumber: NUMBER, since: "2026-11-05" },
    ]);
    register.put(bankruptcy({ caseNumber: "S.16/26/1", publications: [] }));
    register.publish("S.16/26/1", "3300", "2026-11-01");
    register.continueAs("S.16/26/1", { ends: "3313", declares: "1306" }, { caseNumber: "F.16/26/101" });
    expect((await changed()).slice(-2)).toMatchObject([
      { type: "suspension_of_payments", since: "2026-11-01", isContinued: true },
      { type: "bankruptcy", previousCaseNumber: "S.16/26/1" },
    ]);
  });

  it("removes a case on request, and when its visibility ends", async () => {
    const { register, changed, removed } = await court();
    register.put(bankruptcy({ caseNumber: "F.16/26/101", visibleUntil: "2026-11-10" }));
    register.passDays(5);
    expect(await removed()).toEqual([]);
    register.passDays();
    expect(await removed()).toMatchObject([{ caseNumber: "F.16/26/101", reason: "Eindevindbaarheid" }]);
    register.remove(NUMBER, "Correctie");
    expect(await removed()).toMatchObject([{}, { caseNumber: NUMBER, reason: "Correctie" }]);
    expect(await changed()).toEqual([]);
    register.put(bankruptcy());
    expect(await removed()).toHaveLength(1);
    expect(() => register.publish("F.16/26/999", "1300")).toThrow("There is no case F.16/26/999.");
  });

  it("lets a day pass over HTTP", async () => {
    const { register, started } = await court();
    const answer = await fetch(new URL("/day", started.url), { method: "POST" });
    expect(await answer.json()).toEqual({ today: "2026-11-06" });
    expect(register.today).toBe("2026-11-06");
  });

  it.each([
    ["GET", undefined],
    ["POST", ""],
    ["POST", "<a/>"],
    ["POST", "<a>http://www.rechtspraak.nl/namespaces/cir01/getCase</a>"],
    ["POST", "http://www.rechtspraak.nl/namespaces/cir01/getCase<"],
    ["POST", "http://www.rechtspraak.nl/namespaces/cir01/searchByDate<"],
  ])("answers a request without addressing with a fault: %s %s", async (method, body) => {
    const { started } = await court();
    const answer = await fetch(started.url, { method, ...(body !== undefined && { body }) });
    expect(answer.status).toBe(500);
    expect(await answer.text()).toContain("<s:Fault>");
  });

  it("has cases of some legal persons of a registry, open and ended ones", () => {
    const companies = Array.from(generateCompanies({ companies: 5_000, seed: 5 }), ({ facts }) => facts);
    const cases = [...demoCases(companies, Date.parse("2026-11-05"))];
    expect(cases.length).toBe(30);
    expect(new Set(cases.map(({ caseNumber }) => caseNumber)).size).toBe(30);
    const known = new Map(companies.map((facts) => [String(facts.kvkNumber), facts]));
    for (const { kvkNumber = "", name } of cases) expect(known.get(kvkNumber)?.name).toBe(name);
    const ended = cases.filter(({ publications }) => publications.length > 1);
    expect(ended.length).toBe(10);
  });

  it("refuses a taken port", async () => {
    const { started } = await court();
    await expect(startCourtSimulator({ port: started.port })).rejects.toThrow("EADDRINUSE");
  });
});
