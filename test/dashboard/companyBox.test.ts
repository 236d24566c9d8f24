/** The search box: nothing is chosen that a person did not choose, and it says why nothing was found. */
import type { Page } from "playwright-core";
import { beforeAll, describe, expect, it } from "vitest";
import { BAKERY } from "../kit/companies.ts";
import { describeViolations, violationsOn } from "./support/axe.ts";
import { overflows } from "./support/overflow.ts";
import { companyBox, openTryStage, spentOf, type TryStage } from "./support/trying.ts";
import { openStage, signUp, visit } from "./support/visit.ts";

let stage: TryStage;
beforeAll(async () => {
  stage = await openTryStage();
});

async function expectGood(page: Page): Promise<void> {
  for (const width of [360, 1440]) {
    await page.setViewportSize({ width, height: 900 });
    expect(describeViolations(await violationsOn(page)), `at ${width}`).toEqual([]);
    expect(await overflows(page), `at ${width}`).toEqual([]);
  }
}

/** Answers the next suggestions as a service would. */
const suggestNext = (page: Page, body: object) =>
  page.route(
    "**/account/try",
    (route) =>
      route.fulfill({ json: { status: 200, headers: { "x-tokens-charged": "1" }, body, durationMs: 1 } }),
    { times: 1 },
  );

it.each(["fabelkorst", "12345", "<b>x</b>"])("Enter after %s looks up and charges nothing", async (typed) => {
  const visitor = await stage.enter(`enter${typed.length}@fabel.example`);
  const { page } = visitor;
  const lookups: string[] = [];
  page.on("request", (request) => {
    const body = request.postData() ?? "";
    if (body.includes("/v1/lookup/")) lookups.push(body);
  });
  await companyBox(page).fill(typed);
  await companyBox(page).press("Enter");
  await page.getByText("Suggestions as you type: 1 call").waitFor();
  const isFound = (await page.getByRole("option").count()) > 0;
  await page.getByText(isFound ? "Choose one of the suggestions" : "No company found").waitFor();
  await companyBox(page).press("Enter");
  expect(await companyBox(page).inputValue()).toBe(typed);
  expect(await spentOf(visitor)).toContain("Spent on this page: 1 token.");
  expect([lookups, await page.getByTestId("company").count()]).toEqual([[], 0]);
  expect(visitor.troubles).toEqual([]);
});

it("offers the zero that a number of seven digits may have lost, and Enter looks it up once it is complete", async () => {
  const visitor = await stage.enter("zero@fabel.example");
  const { page } = visitor;
  await companyBox(page).fill("7654321");
  await companyBox(page).press("Enter");
  await page.getByText("this one may have lost a leading zero").waitFor();
  await expectGood(page);
  expect(await page.getByTestId("company").count()).toBe(0);
  await page.getByRole("button", { name: "Use 07654321" }).click();
  expect(await companyBox(page).inputValue()).toBe("07654321");
  const lookedUp = page.waitForRequest(
    (request) => request.postData()?.includes("/v1/lookup/07654321") === true,
  );
  await companyBox(page).press("Enter");
  await lookedUp;
  expect(visitor.troubles).toEqual([]);
});

it("shows ended companies as such, hints in the page's language, and what was searched when nothing is found", async () => {
  const { fixture } = stage;
  const visitor = await visit(fixture, { locale: "nl-NL" });
  const { page, troubles } = visitor;
  await signUp(visitor, "hints@fabel.example");
  await visitor.go("try");
  const box = page.getByRole("combobox").first();
  await suggestNext(page, {
    results: [{ kvkNumber: BAKERY, name: "Bakkerij Voorheen", city: "Verzinstad", isActive: false }],
  });
  await box.fill("voorheen");
  await page.getByRole("option", { name: /Bakkerij Voorheen Verzinstad, uitgeschreven/ }).waitFor();
  await suggestNext(page, { results: [], hint: { code: "iban", message: "This is a bank account number." } });
  await box.fill("NL91ABNA0417164300");
  await page.getByText("Dit is een rekeningnummer.").waitFor();
  expect(await page.getByText("Geen bedrijf gevonden").count()).toBe(0);
  await suggestNext(page, { results: [], hint: { code: "later", message: "It is something else." } });
  await box.fill("iets anders");
  await page.getByText("It is something else.").waitFor();
  await box.fill("zzzzqqqq");
  await page.getByText("Geen bedrijf gevonden.").waitFor();
  await page.getByText(/^Doorzocht: \d+ bedrijven \(.*fabel \(eigen bestand\)/).waitFor();
  await expectGood(page);

  await visitor.go("try/search");
  await page.getByRole("textbox", { name: "Plaats" }).fill("Nergenshuizen");
  await page.getByRole("button", { name: "Zoeken 1 token" }).click();
  await page
    .getByTestId("hits")
    .getByText(/^Doorzocht: \d+ bedrijven/)
    .waitFor();

  await visitor.go("status");
  const rows = page.locator("tr, .card").filter({ hasText: "fabel (eigen bestand)" });
  await rows.getByText("1 januari 2026").first().waitFor();
  await expectGood(page);
  expect(troubles).toEqual([]);
});

describe("a service without a registry", () => {
  it("says so in both languages wherever companies are needed, and never that it is busy", async () => {
    const fixture = await openStage({ companies: [], environment: { PUBLIC_SEARCH: "on" } });
    for (const [locale, missing, busy] of [
      ["en-GB", "This service has no company registry yet", "busy or restarting"],
      ["nl-NL", "Deze dienst heeft nog geen bedrijvenregister", "overbelast"],
    ] as const) {
      const visitor = await visit(fixture, { locale });
      const { page, troubles } = visitor;
      await page.goto("/");
      await page.getByRole("combobox").fill("fabel");
      await page.getByText(missing).first().waitFor();
      await signUp(visitor, `none-${locale}@fabel.example`);
      for (const screen of ["try", "try/search", "try/list", "monitors", "status"]) {
        await visitor.go(screen);
        await page.getByText(missing).first().waitFor();
        await expectGood(page);
      }
      await visitor.go("try");
      await page.getByRole("combobox").first().fill(BAKERY);
      await page.getByRole("combobox").first().press("Enter");
      await page.getByText(missing).nth(1).waitFor();
      expect(await page.getByText(busy).count()).toBe(0);
      expect(troubles).toEqual([]);
    }
  });
});
