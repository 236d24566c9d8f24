/** Peppol on the page: asked only by a person, in the words of both languages, and offered only where it is on. */
import { beforeAll, describe, expect, it } from "vitest";
import { formatsOf } from "../../dashboard/src/language/formats.ts";
import { peppolLines } from "../../dashboard/src/language/peppol.ts";
import { addedColumns } from "../../dashboard/src/pages/try/list/job/addedColumns.ts";
import { answerIn, outcomeOf } from "../../dashboard/src/pages/try/list/job/answers.ts";
import { openCommandState } from "../../src/app/compose/state.ts";
import { readSettings } from "../../src/app/settings/settings.ts";
import type { KvkNumber } from "../../src/contract/numbers.ts";
import type { Peppol } from "../../src/contract/peppol.ts";
import type { StoredPeppol } from "../../src/peppol/queries.ts";
import { BAKERY, FERRY, FROM_GLEIF, MERGED, PO_BOX } from "../kit/companies.ts";
import { drop } from "./support/lists.ts";
import { companyBox, focusedText, spentOf } from "./support/trying.ts";
import { openStage, type StoreFixture, signUp, type Visit, visit } from "./support/visit.ts";

const ORDER = "busdox-docid-qns::urn:oasis:names:specification:ubl:schema:xsd:Order-2::Order##x::2.1";
const participantOf = (kvkNumber: string) => `0106:${kvkNumber}`;
const answerOf = (
  kvkNumber: string,
  receives?: readonly string[],
): Omit<Peppol, "checkedAt" | "ageSeconds"> => {
  const asked = [participantOf(kvkNumber)];
  if (receives === undefined) return { status: "not_registered", asked };
  const status = receives.includes("invoice") ? "reachable" : "cannot_receive_invoices";
  const participantId = participantOf(kvkNumber);
  return { status, asked, participantId, receives: [...receives], accessPoint: "smp.example.com" };
};
const checkedAt = "2026-11-21T12:00:00.000Z";

describe("an answer of Peppol in words", () => {
  const checked = "Gecontroleerd op 21 november 2026";
  const place = [`Peppol-ID 0106:${BAKERY}`, "Toegangspunt smp.example.com"];
  it.each<[name: string, answer: Omit<Peppol, "checkedAt">, dutch: readonly string[]]>([
    [
      "reachable",
      answerOf(BAKERY, ["invoice", "credit_note", ORDER, `${ORDER}2`]),
      ["Kan e-facturen ontvangen", "Ontvangt facturen, creditnota’s, andere documenten", ...place, checked],
    ],
    [
      "for other documents",
      answerOf(BAKERY, [ORDER]),
      ["Staat op Peppol, maar kan geen facturen ontvangen", "Ontvangt andere documenten", ...place, checked],
    ],
    [
      "without documents",
      answerOf(BAKERY, []),
      ["Staat op Peppol, maar kan geen facturen ontvangen", ...place, checked],
    ],
    [
      "not found",
      { status: "not_registered", asked: [participantOf(BAKERY), "9944:NL123456782B01", "0190:1"] },
      [
        "Niet gevonden op Peppol",
        "Gezocht op KVK-nummer, btw-nummer, 0190:1. Onder een ander nummer kan het bedrijf wel op Peppol staan.",
        checked,
      ],
    ],
    [
      "of an earlier day",
      { ...answerOf(BAKERY, ["invoice"]), ageSeconds: 172_800 },
      [
        "Kan e-facturen ontvangen",
        "Ontvangt facturen",
        ...place,
        "Peppol antwoordt nu niet; dit is het antwoord van 21 november 2026, 2 dagen geleden.",
      ],
    ],
  ])("is Dutch as a Dutch product writes it, with a line for each part: %s", (_name, answer, dutch) => {
    expect(peppolLines({ ...answer, checkedAt }, "nl", formatsOf("nl"))).toEqual(dutch);
    expect(peppolLines({ ...answer, checkedAt }, "en", formatsOf("en"))).toHaveLength(dutch.length);
  });

  it("fills the columns of a list, and is never a company that was found", () => {
    const { titles, cells } = addedColumns("peppol", "nl", [], false, false);
    const rowOf = (answer: object) => {
      const result = { kvkNumber: BAKERY, ...answer, checkedAt };
      const read = answerIn(JSON.stringify({ number: BAKERY, result }), []);
      expect(outcomeOf(read)).toBe("checked");
      const found = cells({ at: 1, key: BAKERY, text: BAKERY, why: undefined }, read);
      return Object.fromEntries(titles.map((title, nth) => [title, found[nth]]));
    };
    const reached = rowOf(answerOf(BAKERY, ["invoice", ORDER]));
    expect(reached).toEqual({
      "KVK-nummer": BAKERY,
      Peppol: "Kan e-facturen ontvangen",
      "Peppol-ID": `0106:${BAKERY}`,
      "Ontvangt via Peppol": "facturen, andere documenten",
      "Peppol-toegangspunt": "smp.example.com",
      "Peppol gecontroleerd op": new Date("2026-11-21"),
      Resultaat: "Gecontroleerd",
      Toelichting: "",
    });
    const none = { "Peppol-ID": "", "Ontvangt via Peppol": "", "Peppol-toegangspunt": "" };
    expect(rowOf(answerOf(BAKERY))).toEqual({ ...reached, ...none, Peppol: "Niet gevonden op Peppol" });
  });
});

describe("where Peppol is on, but does not answer now", () => {
  const CARD_TITLE = "E\u2011invoices (Peppol)";
  let fixture: StoreFixture;
  beforeAll(async () => {
    fixture = await openStage({
      tiers: { free: { monthlyTokens: 500, ratePerMinute: 1_000 } },
      environment: { PEPPOL: "on", PEPPOL_DNS: "127.0.0.1:1" },
    });
    const state = await openCommandState(readSettings(fixture.world.environment));
    const store = (kvkNumber: KvkNumber, ageDays: number, receives?: readonly string[]) => {
      const checkedAtMs = Date.now() - ageDays * 86_400_000;
      const answer: StoredPeppol = { ...answerOf(kvkNumber, receives), checkedAtMs };
      return state.peppol.storePeppol(kvkNumber, answer);
    };
    await store(BAKERY, 0, ["invoice", "credit_note"]);
    await store(PO_BOX, 0, [ORDER]);
    await store(FERRY, 0);
    await store(MERGED, 2, ["invoice"]);
    await state.close();
  });

  const enter = async (email: string): Promise<Visit> => {
    const visitor = await visit(fixture);
    await signUp(visitor, email);
    return visitor;
  };

  it("the card asks at a click for a token, shows each answer, and an outage as what it is", async () => {
    const visitor = await enter("card@fabel.example");
    const { page } = visitor;
    await visitor.go("try");
    const card = page.getByTestId("company");
    const button = card.getByRole("button", { name: "Check on Peppol 1 token" });
    const open = async (kvkNumber: string) => {
      await companyBox(page).fill(kvkNumber);
      await companyBox(page).press("Enter");
      await card.getByText(CARD_TITLE).waitFor();
      await button.waitFor();
      expect(await card.getByTestId("peppol").count()).toBe(0);
    };
    for (const [kvkNumber, words] of [
      [BAKERY, ["Can receive e-invoices", "Receives invoices, credit notes", `Peppol ID 0106:${BAKERY}`]],
      [PO_BOX, ["On Peppol, but can’t receive invoices", "Receives other documents"]],
      [FERRY, ["Not found on Peppol", "Searched by KVK number. It may be on Peppol under another number."]],
      [MERGED, ["Can receive e-invoices", "Peppol isn’t answering right now; this is its answer of"]],
    ] as const) {
      await open(kvkNumber);
      await button.click();
      for (const text of words) await card.getByTestId("peppol").getByText(text).waitFor();
      expect(await focusedText(page)).toContain(words[0]);
      expect(await button.count()).toBe(0);
    }
    expect(await card.getByTestId("peppol").innerText()).toContain("2 days ago.");
    expect(await spentOf(visitor)).toContain("Spent on this page: 8 tokens.");
    await open(FROM_GLEIF);
    await button.click();
    const outage = "Peppol isn’t answering right now; try again later. Nothing was charged.";
    await card.getByText(outage).waitFor();
    await button.waitFor();
    expect(await spentOf(visitor)).toContain("Spent on this page: 9 tokens.");
    expect(await card.getByText("Not found on Peppol").count()).toBe(0);
    expect(visitor.troubles).toEqual([]);
  });

  it("a company that comes with the answer needs no question, and a service without Peppol offers none", async () => {
    const visitor = await enter("included@fabel.example");
    const { page } = visitor;
    const card = page.getByTestId("company");
    const peppol = { ...answerOf(BAKERY, ["invoice"]), checkedAt };
    await page.route("**/account/try", async (route) => {
      const response = await route.fetch();
      const call = (await response.json()) as { body: object };
      await route.fulfill({ response, json: { ...call, body: { ...call.body, peppol } } });
    });
    const lookUp = async () => {
      await visitor.go("try");
      await companyBox(page).fill(BAKERY);
      await page.getByRole("button", { name: /^Enriched lookup/ }).click();
      await card.getByText("Legal form").waitFor();
    };
    await lookUp();
    await card.getByTestId("peppol").getByText("Checked on 21 November 2026").waitFor();
    expect(await card.getByRole("button").count()).toBe(0);
    await page.unrouteAll();
    await page.route("**/account/session", async (route) => {
      const response = await route.fetch();
      await route.fulfill({ response, json: { ...((await response.json()) as object), hasPeppol: false } });
    });
    await page.reload();
    await lookUp();
    expect(await card.getByText(CARD_TITLE).count()).toBe(0);
    await visitor.go("try/list");
    await drop(page, `kvkNumber\n${BAKERY}\n`);
    await page.getByRole("radio").first().waitFor();
    expect(await page.getByRole("radio", { name: /^Peppol/ }).count()).toBe(0);
    expect(visitor.troubles).toEqual([]);
  });

  it("a list shows the answer in each row", async () => {
    const visitor = await enter("list@fabel.example");
    const { page } = visitor;
    await visitor.go("try/list");
    await drop(page, `kvkNumber\n${BAKERY}\n${PO_BOX}\n${FERRY}\n`);
    await page.getByRole("radio", { name: /^Peppol/ }).check();
    await page.getByText("1 token per answer, yes or no").waitFor();
    await page.getByTestId("price").getByText("A number without an answer costs nothing.").waitFor();
    await page.getByTestId("start").click();
    await page.getByText("The list is done.").waitFor();
    const rows = page.getByTestId("row");
    for (const [kvkNumber, words] of [
      [BAKERY, "Can receive e\u2011invoices"],
      [PO_BOX, "On Peppol, but can’t receive invoices"],
      [FERRY, "Not found on Peppol"],
    ] as const) {
      await rows.filter({ hasText: kvkNumber }).getByText(words).waitFor();
    }
    await page.getByTestId("run").getByText("Checked", { exact: true }).waitFor();
    expect(await page.getByTestId("run").getByText("Found", { exact: true }).count()).toBe(0);
    expect(visitor.troubles).toEqual([]);
  });

  it("a monitor reports it only by choice, and choosing the usual changes is no choice", async () => {
    const visitor = await enter("monitor@fabel.example");
    const { page } = visitor;
    await visitor.go("monitors");
    await page.getByRole("combobox", { name: "Name or KVK number" }).fill(BAKERY);
    await page.getByRole("button", { name: "Monitor company", exact: true }).click();
    const dialog = page.getByRole("dialog");
    const box = dialog.getByRole("checkbox", { name: "Status on Peppol changed" });
    const open = () => page.getByRole("button", { name: "Edit: Bakkerij De Fabelkorst B.V." }).click();
    const save = async () => {
      const sending = page.waitForRequest((request) => request.postData()?.includes('"PATCH"') === true);
      await dialog.getByRole("button", { name: "Save" }).click();
      const { body } = (await sending).postDataJSON() as { body: string };
      const { events } = JSON.parse(body) as { events: readonly string[] | null };
      await dialog.waitFor({ state: "detached" });
      return events;
    };
    await open();
    expect(await box.isChecked()).toBe(false);
    expect(await dialog.getByRole("checkbox", { name: "Name changed" }).isChecked()).toBe(true);
    await dialog.getByText("Only if you choose it; checked weekly").waitFor();
    expect(await save()).toBeNull();
    await open();
    await box.check();
    expect(await save()).toContain("company.peppol_changed");
    await open();
    expect(await box.isChecked()).toBe(true);
    await box.uncheck();
    expect(await save()).toBeNull();
    await page.getByRole("cell", { name: "Peppol", exact: true }).waitFor();
    await page.getByRole("cell", { name: "status on Peppol changed", exact: true }).waitFor();
    expect(visitor.troubles).toEqual([]);
  });
});
