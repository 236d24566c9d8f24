/** The API by hand: a dropdown that completes, companies, lists and VAT numbers, on the account's own tokens. */
import { beforeAll, describe, expect, it } from "vitest";
import type { ViesSimulator } from "../../src/simulators/vies/server.ts";
import { BAKERY, UNKNOWN } from "../kit/companies.ts";
import { fictionalRsins, REGISTERED, startVies } from "../kit/vies.ts";
import { openStage, type StoreFixture, signUp, type Visit, visit } from "./support/visit.ts";

let fixture: StoreFixture;
let vies: ViesSimulator;
beforeAll(async () => {
  vies = await startVies({ companyOf: () => REGISTERED });
  fixture = await openStage({
    tiers: { free: { monthlyTokens: 500, ratePerMinute: 1_000 } },
    environment: { VIES_URL: vies.url, VIES_FRESH_FOR: "0" },
  });
});

async function enter(email: string): Promise<Visit> {
  const visitor = await visit(fixture);
  await signUp(visitor, email);
  await visitor.go("try");
  return visitor;
}

const spentOf = ({ page }: Visit) => page.getByTestId("spent").last().innerText();

describe("trying a company", () => {
  it("completes a name in a dropdown that the keyboard walks, and looks the chosen company up", async () => {
    const visitor = await enter("name@fabel.example");
    const { page } = visitor;
    const box = page.getByRole("combobox", { name: "Name or KVK number" });
    // At once: how often typing asks depends on how fast it is, and each time costs a token.
    await box.fill("fabelk");
    await page.getByRole("option", { name: /Bakkerij De Fabelkorst B\.V\./ }).waitFor();
    const options = await page.getByRole("option").count();
    for (let step = 0; step < options; step += 1) {
      await box.press("ArrowDown");
      const active = await box.getAttribute("aria-activedescendant");
      if ((await page.locator(`[id="${active}"]`).innerText()).includes("Fabelkorst")) break;
    }
    await box.press("Enter");
    expect(await box.inputValue()).toBe("Bakkerij De Fabelkorst B.V.");
    await page.getByRole("button", { name: /^Enriched lookup/ }).click();
    const company = page.getByTestId("company");
    await company.getByText("Sprookjeslaan 17M, 1234 AB Verzinstad").waitFor();
    expect(await company.innerText()).toContain("private limited company (B.V.)");
    expect(await company.getByTestId("verdict").getAttribute("data-status")).toBe("validated");
    await page.getByRole("button", { name: /^Branches/ }).click();
    await page.getByTestId("branches").getByText("000050000019").waitFor();
    expect(await spentOf(visitor)).toBe("Spent on this page: 11 tokens. Left this month: 489.");
    expect(visitor.troubles).toEqual([]);
  });

  it("says that an unknown number is not there, and that this cost nothing", async () => {
    const visitor = await enter("unknown@fabel.example");
    await visitor.page.getByRole("combobox").fill(UNKNOWN);
    await visitor.page.getByRole("button", { name: /^Look up\b(?! everything)/ }).click();
    await visitor.page.getByRole("alert").getByText("There is no company with this number").waitFor();
    await visitor.page.getByText("This cost nothing.").waitFor();
  });

  it("needs no key, and is filed under the page", async () => {
    const visitor = await enter("keyless@fabel.example");
    await visitor.go("keys");
    await visitor.page.getByRole("button", { name: "Revoke: first key" }).click();
    await visitor.page.getByRole("button", { name: "Revoke key", exact: true }).click();
    await visitor.page.locator('[data-state="revoked"]').waitFor();
    await visitor.go("try");
    await visitor.page.getByRole("combobox").fill(BAKERY);
    await visitor.page.getByRole("button", { name: /^Look up\b(?! everything)/ }).click();
    await visitor.page.getByTestId("company").waitFor();
    await visitor.go("usage");
    await visitor.page.getByRole("row", { name: /^This page \(Try it\) 1 1 0$/ }).waitFor();
  });
});

describe("trying a VAT number", () => {
  it("explains each verdict, and an outage as no verdict at all", async () => {
    const visitor = await enter("vat@fabel.example");
    const { page } = visitor;
    await page.getByRole("tab", { name: "VAT number" }).click();
    const [first, second] = fictionalRsins(2).map((digits) => `NL${digits}B01`);
    const check = async (number: string) => {
      await page.getByLabel("VAT number", { exact: true }).and(page.getByRole("textbox")).fill(number);
      await page.keyboard.press("Enter");
    };
    const verdict = (status: string, valid: boolean) =>
      page.locator(`[data-testid=verdict][data-status=${status}][data-valid=${valid}]`).waitFor();
    await check(first ?? "");
    await verdict("validated", true);
    await page.getByText(REGISTERED.name, { exact: true }).waitFor();
    await check("NL000000000B00");
    await verdict("malformed", false);
    vies.setFault("NL", { kind: "code", code: "MS_UNAVAILABLE" });
    await check(first ?? "");
    await verdict("stale", true);
    await page.getByText("VIES isn’t answering right now. This is its answer of").waitFor();
    await check(second ?? "");
    await page.getByRole("alert").getByText("That says nothing about the number.").waitFor();
    await page.getByText("This cost nothing.").waitFor();
    vies.clearFaults();
  });
});
