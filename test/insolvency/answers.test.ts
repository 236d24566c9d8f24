/** The court's register in the answers of a service: lookups, searches and lists, and their charges. */
import { expect, it } from "vitest";
import type { CompanyFacts } from "../../src/company/facts.ts";
import { kvkNumberOf } from "../../src/contract/numbers.ts";
import { CourtRegister } from "../../src/demo/court/register.ts";
import { SIMULATED_COURT_LOGIN, startCourtSimulator } from "../../src/demo/court/server.ts";
import { begun, completed, results, send } from "../jobs/lists.ts";
import { afterFile } from "../kit/afterFile.ts";
import { type Answer, jsonOf, numberIn } from "../kit/answer.ts";
import { ask } from "../kit/client.ts";
import { bankruptcy } from "../kit/courtSimulator.ts";
import { opzoek } from "../kit/opzoek.ts";
import { serveHere } from "../kit/serveHere.ts";
import { makeWorld } from "../kit/world.ts";

const DAY_MS = 86_400_000;
const MILL = "Molen De Fabel B.V.";
const STREET = { street: "Fabelkade", city: "Rommeldam" };
const AT_MILL =
  "<huisnummer>12</huisnummer><postcode>1234AB</postcode><plaats>Rommeldam</plaats><adresType>VEST</adresType>";

const facts = (number: number, name: string, more: Partial<CompanyFacts> = {}): CompanyFacts => ({
  ...{ kvkNumber: kvkNumberOf(number), name, legalForm: "BV", isActive: true, activities: [], ...more },
  address: { ...STREET, houseNumber: "1", postalCode: "1234 AB", ...more.address, kind: "visiting" },
});
const [BANKRUPT, SOLVENT, TRADER, MATCHED, NAMESAKE] = [
  ...["90001001", "90001018", "90001019", "90001020", "90001021"],
] as [string, string, string, string, string];
const companies = [
  facts(90_001_001, "Fabel Bouw B.V."),
  facts(90_001_018, "Fabel Zuivel B.V."),
  facts(90_001_019, "Fabel Klussen", { legalForm: "EMZ" }),
  facts(90_001_020, MILL, { address: { ...STREET, houseNumber: "12", kind: "visiting" } }),
  facts(90_001_021, MILL, { address: { ...STREET, houseNumber: "14", kind: "visiting" } }),
];

/** A service whose court has a case with a number and one without. */
async function stage(isLoaded: boolean) {
  const { kvkNumber: _, ...unplaced } = bankruptcy({
    caseNumber: "F.16/26/101",
    name: MILL,
    address: AT_MILL,
  });
  const curators = "<cbv><titulatuur>mr.</titulatuur><achternaam>Fabelcurator</achternaam></cbv>";
  const register = new CourtRegister([bankruptcy({ curators }), unplaced], Date.now() - DAY_MS);
  const court = await startCourtSimulator({ register });
  afterFile(() => court.stop());
  const { user, password } = SIMULATED_COURT_LOGIN;
  const world = await makeWorld({
    companies: companies.map((one) => ({
      origin: "import:fabel",
      asOf: "2026-01-01T00:00:00.000Z",
      facts: one,
    })),
    environment: { CIR_URL: court.url, CIR_USER: user, CIR_PASSWORD: password },
  });
  if (isLoaded) await opzoek(["import", "insolvencies"], world.environment);
  const { key } = await world.account("plenty");
  const service = await serveHere(world);
  return { service, key, get: (path: string) => ask(service, { path, key }) };
}

const charge = (answer: Answer) => numberIn(answer, "x-tokens-charged");
const found = (answer: Answer) => {
  const { results: rows, total } = jsonOf(answer) as { results: { kvkNumber: string }[]; total: number };
  return [rows.map(({ kvkNumber }) => kvkNumber).toSorted(), total];
};

it("lookups, searches and lists agree, and curators are in lookups alone", async () => {
  const { service, key, get } = await stage(true);
  const types = async (number: string) => {
    const { insolvency } = jsonOf(await get(`/v1/lookup/${number}?enrich=true`)) as {
      insolvency?: { type: string; matchedBy?: string };
    };
    return insolvency && [insolvency.type, insolvency.matchedBy];
  };
  expect(await types(BANKRUPT)).toEqual(["bankruptcy", undefined]);
  expect(await types(MATCHED)).toEqual(["bankruptcy", "name"]);
  expect(await types(SOLVENT)).toEqual(["none", undefined]);
  for (const unknown of [TRADER, NAMESAKE]) expect(await types(unknown)).toBeUndefined();
  expect((await get(`/v1/lookup/${BANKRUPT}?enrich=true`)).text).toContain("Fabelcurator");

  const insolvent = await get("/v1/search?city=Rommeldam&insolvent=true");
  expect([found(insolvent), charge(insolvent)]).toEqual([[[BANKRUPT], 1], 1]);
  expect(found(await get("/v1/search?city=Rommeldam&insolvent=false"))).toEqual([[SOLVENT], 1]);
  expect(found(await get("/v1/search?q=molen&insolvent=true"))).toEqual([[], 0]);

  const numbers = companies.map(({ kvkNumber }) => kvkNumber);
  const { id } = await begun(service, key, numbers, "kind=insolvency");
  expect(await completed(service, key, id)).toMatchObject({ tokens: { charged: numbers.length } });
  const lines = await results(service, key, id);
  const listed = lines.map(({ result }) => (result?.["insolvency"] as { type: string } | undefined)?.type);
  expect(listed).toEqual(["bankruptcy", "none", undefined, "bankruptcy", undefined]);
  expect(JSON.stringify(lines)).not.toContain("Fabelcurator");
});

it("a search and a list fail free of charge before the register is loaded, and lookups leave insolvency out", async () => {
  const { service, key, get } = await stage(false);
  for (const answer of [
    await get("/v1/search?city=Rommeldam&insolvent=true"),
    await get("/v1/search?city=Rommeldam&insolvent=false"),
    await send(service, key, [BANKRUPT], "kind=insolvency"),
  ]) {
    expect([answer.status, charge(answer)]).toEqual([502, 0]);
    expect(jsonOf(answer)).toMatchObject({ error: { code: "UPSTREAM_ERROR" } });
  }
  expect((await get(`/v1/lookup/${SOLVENT}?enrich=true`)).text).not.toContain("insolvency");
});
