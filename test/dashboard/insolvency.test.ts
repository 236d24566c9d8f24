/** Insolvency on the page: in the words of both languages, and offered only where the court's register is set up. */
import { describe, expect, it } from "vitest";
import { formatsOf } from "../../dashboard/src/language/formats.ts";
import { insolvencyLines } from "../../dashboard/src/language/insolvency.ts";
import { addedColumns } from "../../dashboard/src/pages/try/list/job/addedColumns.ts";
import type { Insolvency } from "../../src/contract/insolvency.ts";
import { BAKERY } from "../kit/companies.ts";
import { drop } from "./support/lists.ts";
import { companyBox, openTryStage } from "./support/trying.ts";

const CASE = { court: "Rechtbank Midden-Nederland", caseNumber: "F.16/26/100" };
const OBSERVED = { observedAt: "2026-11-21T12:00:00.000Z", source: "court-register" };
const BANKRUPT: Insolvency = {
  ...{ type: "bankruptcy", ...OBSERVED, ...CASE, since: "2026-11-03" },
  curators: [{ name: "mr. A. Fabel", city: "Amsterdam", phone: "010-0000000" }],
};

describe("an insolvency in words", () => {
  const dutchSource = "Centraal Insolventieregister, peildatum 21 november 2026";
  it.each<[name: string, insolvency: Insolvency, dutch: readonly string[]]>([
    [
      "an open case",
      BANKRUPT,
      [
        "Faillissement uitgesproken op 3 november 2026",
        "Rechtbank Midden-Nederland, insolventienummer F.16/26/100",
        "Curator: mr. A. Fabel, Amsterdam, 010-0000000",
        dutchSource,
      ],
    ],
    [
      "an administrator",
      { ...BANKRUPT, type: "suspension_of_payments", curators: [{ name: "mr. A. Fabel" }] },
      [
        "Surseance van betaling verleend op 3 november 2026",
        "Rechtbank Midden-Nederland, insolventienummer F.16/26/100",
        "Bewindvoerder: mr. A. Fabel",
        dutchSource,
      ],
    ],
    [
      "a match by name",
      { type: "debt_restructuring", ...OBSERVED, since: "2026-11-03", matchedBy: "name" },
      [
        "Schuldsanering uitgesproken op 3 november 2026",
        "Gevonden op naam en adres; de rechtbank vermeldt geen KVK-nummer.",
        dutchSource,
      ],
    ],
    [
      "none",
      { type: "none", ...OBSERVED },
      ["Geen insolventie bekend bij de rechtbank op 21 november 2026", dutchSource],
    ],
    [
      "an ended case",
      { type: "none", ...OBSERVED, ...CASE, since: "2026-09-01", endedOn: "2026-11-20" },
      [
        "Geen insolventie bekend bij de rechtbank op 21 november 2026",
        "Eerdere insolventie: sinds 1 september 2026, beëindigd op 20 november 2026",
        "Rechtbank Midden-Nederland, insolventienummer F.16/26/100",
        dutchSource,
      ],
    ],
    [
      "KVK's open data",
      { type: "none", ...OBSERVED, source: "kvk-open-data" },
      ["Geen insolventie bekend bij KVK op 21 november 2026", "KVK Open Data, peildatum 21 november 2026"],
    ],
    [
      "a bankruptcy of KVK's open data",
      { type: "bankruptcy", ...OBSERVED, source: "kvk-open-data" },
      ["Faillissement", "KVK Open Data, peildatum 21 november 2026"],
    ],
  ])(
    "is Dutch as a Dutch product writes it, and never says that a company is solvent: %s",
    (_name, insolvency, dutch) => {
      expect(insolvencyLines(insolvency, "nl", formatsOf("nl"))).toEqual(dutch);
      const english = insolvencyLines(insolvency, "en", formatsOf("en"));
      expect(english).toHaveLength(dutch.length);
      for (const line of [...dutch, ...english]) expect(line).not.toMatch(/(?<!in)solven/i);
    },
  );

  it("fills the columns of a list", () => {
    const { titles, cells } = addedColumns("insolvency", "nl", [], false, false);
    const row = { key: BAKERY, text: BAKERY };
    const result = { kvkNumber: BAKERY, name: "Bakkerij", insolvency: BANKRUPT };
    const found = cells({ at: 1, ...row, why: undefined }, { key: BAKERY, result });
    expect(Object.fromEntries(titles.map((title, nth) => [title, found[nth]]))).toEqual({
      "KVK-nummer": BAKERY,
      Naam: "Bakkerij",
      Insolventie: "Faillissement",
      "Insolvent sinds": new Date("2026-11-03"),
      "Insolventie beëindigd op": "",
      Rechtbank: "Rechtbank Midden-Nederland",
      Insolventienummer: "F.16/26/100",
      "Peildatum insolventie": new Date("2026-11-21"),
      Resultaat: "Gevonden",
      Toelichting: "",
    });
  });
});

it("is shown with a company, and offered in searches and lists where the court's register is set up", async () => {
  const { enter } = await openTryStage();
  const visitor = await enter("insolvency@fabel.example");
  const { page, troubles } = visitor;
  await page.route("**/account/try", async (route) => {
    const response = await route.fetch();
    const call = (await response.json()) as { body: object };
    const isCompany = "kvkNumber" in call.body;
    await route.fulfill({
      response,
      json: isCompany ? { ...call, body: { ...call.body, insolvency: BANKRUPT } } : call,
    });
  });
  await companyBox(page).fill(BAKERY);
  await page.getByRole("button", { name: /^Enriched lookup/ }).click();
  const shown = page.getByTestId("company").getByTestId("insolvency");
  await shown.getByText("Declared bankrupt on 3 November 2026").waitFor();
  await shown.getByText("Trustee: mr. A. Fabel, Amsterdam, 010-0000000").waitFor();
  await page.unrouteAll();
  const list = page.getByRole("radio", { name: /^Insolvency/ });
  const search = page.getByLabel("Insolvency of legal persons");
  const open = async () => {
    await visitor.go("try/search");
    await page.getByRole("textbox", { name: "City" }).waitFor();
    const isInSearch = await search.count();
    await visitor.go("try/list");
    await drop(page, `kvkNumber\n${BAKERY}\n`);
    await page.getByRole("radio").first().waitFor();
    return [isInSearch, await list.count()];
  };
  expect(await open()).toEqual([0, 0]);
  await page.route("**/account/session", async (route) => {
    const response = await route.fetch();
    await route.fulfill({ response, json: { ...((await response.json()) as object), hasCourt: true } });
  });
  await page.reload();
  expect(await open()).toEqual([1, 1]);
  expect(troubles).toEqual([]);
});
