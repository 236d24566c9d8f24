/** Try it: suggestions, lookups, searches and VAT numbers on the account's own tokens. */
import { beforeAll, describe, expect, it } from "vitest";
import { BAKERY, UNKNOWN } from "../kit/companies.ts";
import { thoroughIt } from "../kit/thorough.ts";
import { REGISTERED } from "../kit/vies.ts";
import {
  companyBox,
  focusedText,
  KNOWN,
  NEVER_ASKED,
  openTryStage,
  spentOf,
  type TryStage,
} from "./support/trying.ts";

let stage: TryStage;
beforeAll(async () => {
  stage = await openTryStage();
});

describe("trying a company", () => {
  it("suggests names in a list that the keyboard can walk, and looks up the chosen company", async () => {
    const visitor = await stage.enter("name@fabel.example");
    const { page } = visitor;
    // Further typing belongs to the same session, which is already charged.
    await companyBox(page).fill("fab");
    await page.getByText("Suggestions as you type: 1 call, 1 token in total.").waitFor();
    await companyBox(page).fill("fabelk");
    await page.getByText("Suggestions as you type: 2 calls, 1 token in total.").waitFor();
    await page.getByRole("option", { name: /Bakkerij De Fabelkorst B\.V\./ }).waitFor();
    const options = await page.getByRole("option").count();
    for (let step = 0; step < options; step += 1) {
      await companyBox(page).press("ArrowDown");
      const active = await companyBox(page).getAttribute("aria-activedescendant");
      if ((await page.locator(`[id="${active}"]`).innerText()).includes("Fabelkorst")) break;
    }
    await companyBox(page).press("Enter");
    expect(await companyBox(page).inputValue()).toBe("Bakkerij De Fabelkorst B.V.");
    await page.getByRole("button", { name: /^Enriched lookup/ }).click();
    const company = page.getByTestId("company");
    await company.getByText("Sprookjeslaan 17M, 1234 AB Verzinstad").waitFor();
    expect(await company.innerText()).toContain("private limited company (B.V.)");
    expect(await company.getByTestId("verdict").getAttribute("data-status")).toBe("validated");
    await page.getByRole("button", { name: /^Branches/ }).click();
    await page.getByTestId("branches").getByText("000050000019").waitFor();
    expect(await spentOf(visitor)).toBe("Spent on this page: 11 tokens. Left this month: 489 tokens.");
    expect(visitor.troubles).toEqual([]);
  });

  it("reports an unknown number, free of charge", async () => {
    const visitor = await stage.enter("unknown@fabel.example");
    await visitor.page.getByRole("combobox").fill(UNKNOWN);
    await visitor.page.getByRole("button", { name: /^Look up\b(?! everything)/ }).click();
    await visitor.page.getByRole("alert").getByText("There is no company with this number").waitFor();
    await visitor.page.getByText("This cost nothing.").waitFor();
    // Typing another number removes the message about this one.
    await visitor.page.getByRole("combobox").fill("50000");
    await visitor.page.getByRole("alert").waitFor({ state: "detached" });
  });

  thoroughIt("needs no key, and is counted under the page", async () => {
    const visitor = await stage.enter("keyless@fabel.example");
    await visitor.go("keys");
    await visitor.page.getByRole("button", { name: "Revoke: first key" }).click();
    await visitor.page.getByRole("button", { name: "Revoke key", exact: true }).click();
    await visitor.page.locator('[data-state="revoked"]').waitFor();
    await visitor.go("try");
    await visitor.page.getByRole("combobox").fill(BAKERY);
    await visitor.page.getByRole("button", { name: /^Look up\b(?! everything)/ }).click();
    await visitor.page.getByTestId("company").waitFor();
    await visitor.go("usage");
    await visitor.page.getByRole("row", { name: /^This page 1 1 0 0$/ }).waitFor();
  });
});

describe("trying a search", () => {
  it("shows its price, filters and paginates results, and opens a company and returns", async () => {
    const visitor = await stage.enter("search@fabel.example");
    const { page } = visitor;
    await visitor.go("try/search");
    const hits = page.getByTestId("hits");
    await page.getByRole("button", { name: "Search 1 token" }).click();
    await page.getByText("Enter something in at least one field.").waitFor();
    await expect.poll(() => page.locator(":focus").getAttribute("maxlength")).toBe("700");
    await page.getByLabel("Name or KVK number").and(page.getByRole("textbox")).fill("p");
    await page.getByRole("textbox", { name: "Postal code" }).fill("12x");
    await page.getByRole("combobox", { name: "Activity (SBI code)" }).fill("62a");
    await page.keyboard.press("Enter");
    for (const fault of ["at least two characters", "such as 1012 or 1012 AB", "one to six digits"]) {
      await page.locator(".mantine-InputWrapper-error").getByText(fault).waitFor();
    }
    expect(await spentOf(visitor)).toContain("Spent on this page: 0 tokens.");

    await page.getByLabel("Name or KVK number").and(page.getByRole("textbox")).fill("");
    await page.getByRole("textbox", { name: "Postal code" }).fill("");
    await page.getByRole("textbox", { name: "City" }).fill("proefdam");
    await page.getByRole("combobox", { name: "Legal form" }).selectOption("BV");
    await page.getByRole("combobox", { name: "Activity (SBI code)" }).fill("62.01");
    await page.getByRole("combobox", { name: "Status" }).selectOption({ label: "Active" });
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { name: "120 companies" }).waitFor();
    await expect.poll(() => focusedText(page)).toBe("120 companies");
    await hits
      .getByText("Page 1 of 12. Each page costs 1 token. Looking a company up costs 1 token.")
      .waitFor();
    expect(await page.getByTestId("hit").count()).toBe(10);
    await hits.getByRole("button", { name: "12", exact: true }).click();
    await page.locator("[data-testid=hits][data-page='12']").waitFor();
    await expect.poll(() => focusedText(page)).toBe("120 companies");
    expect(await spentOf(visitor)).toContain("Spent on this page: 2 tokens.");
    await page.getByText("The call in a program").locator("visible=true").click();
    await page
      .getByText("/v1/search?city=proefdam&legalForm=BV&sbiCode=6201&isActive=true&page=12&pageSize=10")
      .locator("visible=true")
      .waitFor();

    const name = await page.getByTestId("hit").last().locator("td").first().innerText();
    await page.getByRole("button", { name: `Look up: ${name}` }).click();
    await page.getByTestId("company").getByRole("heading", { name }).waitFor();
    expect(page.url()).toMatch(/#\/try\/find$/);
    expect(await companyBox(page).inputValue()).toBe(name);
    await expect.poll(() => focusedText(page)).toBe(name);
    expect(await spentOf(visitor)).toContain("Spent on this page: 3 tokens.");
    await page.goBack();
    await hits.getByText("Page 12 of 12.").waitFor();

    await page.getByRole("combobox", { name: "Status" }).selectOption({ label: "Deregistered" });
    await page.getByRole("button", { name: "Search 1 token" }).click();
    await page.getByRole("heading", { name: "No company found" }).waitFor();
    await page.getByText("This search cost a token too.").locator("visible=true").waitFor();
    await visitor.go("usage");
    await page.getByRole("row", { name: /^This page 4 4 0 0$/ }).waitFor();
    expect(visitor.troubles).toEqual([]);
  });
});

describe("trying a VAT number", () => {
  it("explains each verdict, and reports an outage as no verdict", async () => {
    const visitor = await stage.enter("vat@fabel.example");
    const { page } = visitor;
    await page.getByRole("tab", { name: "VAT number" }).click();
    const check = async (number: string) => {
      await page.getByLabel("VAT number", { exact: true }).and(page.getByRole("textbox")).fill(number);
      await page.keyboard.press("Enter");
    };
    const verdict = (status: string, valid: boolean) =>
      page.locator(`[data-testid=verdict][data-status=${status}][data-valid=${valid}]`).waitFor();
    await check(KNOWN);
    await verdict("validated", true);
    await page.getByText(REGISTERED.name, { exact: true }).waitFor();
    await check("NL000000000B00");
    await verdict("malformed", false);
    stage.vies.setFault("NL", { kind: "code", code: "MS_UNAVAILABLE" });
    await check(KNOWN);
    await verdict("stale", true);
    await page.getByText("VIES isn’t answering right now. This is its answer of").waitFor();
    await check(NEVER_ASKED);
    await page.getByRole("alert").getByText("That says nothing about the number.").waitFor();
    await page.getByText("This cost nothing.").waitFor();
    stage.vies.clearFaults();
  });
});
