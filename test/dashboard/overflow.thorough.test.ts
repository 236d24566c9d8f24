/** Every table and card fits at every width, with long words and with double font size. */
import type { Page } from "playwright-core";
import { beforeAll, describe, expect, it } from "vitest";
import type { Monitor } from "../../src/contract/monitors.ts";
import type { ViesSimulator } from "../../src/demo/vies/server.ts";
import { BAKERY } from "../kit/companies.ts";
import { opzoek } from "../kit/opzoek.ts";
import { REGISTERED, startVies } from "../kit/vies.ts";
import { overflows } from "./support/overflow.ts";
import { accountIdOf, call, openStage, type StoreFixture, signIn, signUp, visit } from "./support/visit.ts";

const WIDTHS = [320, 360, 768, 1024, 1440];
const MONITORS = ["monitors", "monitors/events", "monitors/webhooks", "monitors/costs"];
const SCREENS = [
  ...["start", "try", "try/search", "try/vat", "keys", ...MONITORS],
  ...["usage", "plan", "settings", "status"],
];
/** Added to the account of {@link EMAIL}. */
const OPERATORS = ["operator", "operator/requests", "operator/traffic", "operator/service", "operator/audit"];
const LONG_NAMES = [
  "Nachtelijke bedrijfsgegevenssynchronisatie van de arbeidsongeschiktheidsverzekeringsmaatschappij",
  "Meervoudigepersoonlijkheidsstoornisbehandelingscentrumadministratiesysteemkoppeling",
  "The nightly reconciliation job of the international telecommunications department",
];
const NAMES = `Naam;Plaats\nDubbelbron;\nZuurdesemhuis;\n${LONG_NAMES[1]};Rijdam\n`;
const EMAIL =
  "administratie.verzekeringsmaatschappij-noordoost@arbeidsongeschiktheidsverzekering.fabel.example";

let fixture: StoreFixture;
let vies: ViesSimulator;
beforeAll(async () => {
  vies = await startVies({ companyOf: () => REGISTERED });
  fixture = await openStage({
    tiers: { free: { monthlyTokens: 500, ratePerMinute: 1_000 } },
    environment: { VIES_URL: vies.url },
  });
  const visitor = await visit(fixture);
  const key = await signUp(visitor, EMAIL);
  await call(fixture, key, `/v1/lookup/${BAKERY}?enrich=true`);
  await post(key, "/v1/webhook-secret");
  const [name] = LONG_NAMES;
  const webhook = `https://${"verzekeringsmaatschappij".repeat(2)}.example/hooks/bedrijfsgegevens`;
  const monitors = await post(key, "/v1/monitors", { kvkNumbers: [BAKERY], metadata: { name }, webhook });
  const { results } = (await monitors.json()) as { results: readonly Monitor[] };
  expect((await post(key, `/v1/monitors/${results[0]?.id}/test`)).status).toBe(200);
  const id = await accountIdOf(visitor);
  for (const name of LONG_NAMES) {
    await opzoek(["key", "create", "--account", id, "--name", name], fixture.world.environment);
  }
  await visitor.page.evaluate(
    `fetch("/account/plans/request", { method: "POST", headers: { "content-type": "application/json" }, body: '{"tier":"starter"}' })`,
  );
  const other = await visit(fixture);
  await signUp(other, `suspended-${EMAIL}`);
  await opzoek(["account", "suspend", await accountIdOf(other)], fixture.world.environment);
  await opzoek(["account", "admin", id], fixture.world.environment);
  OPERATORS.push(`operator/account/${id}`);
});

const post = (key: string, path: string, body?: object) =>
  fetch(fixture.address + path, {
    method: "POST",
    headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
    ...(body && { body: JSON.stringify(body) }),
  });

async function expectFits(page: Page, where: string, widths: readonly number[] = WIDTHS): Promise<void> {
  await page.locator(".mantine-Skeleton-root").first().waitFor({ state: "detached" });
  for (const width of widths) {
    await page.setViewportSize({ width, height: 900 });
    await page.evaluate("new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))");
    expect.soft(await overflows(page), `${where} at ${width}`).toEqual([]);
  }
}

async function show(page: Page, screen: string): Promise<void> {
  await page.goto(`/#/${screen}`);
  await page
    .locator(`nav a[href="#/${screen.split("/")[0]}"][aria-current=page]`)
    .waitFor({ state: "attached" });
}

describe.each(["nl-NL", "en-GB"])("in %s", (locale) => {
  it("every screen fits at every width", async () => {
    const seen = await visit(fixture, { locale });
    const { page } = seen;
    for (const screen of ["sign-in", "sign-up", "forgot"]) {
      await seen.go(screen);
      await expectFits(page, screen);
    }
    await signIn(seen, EMAIL);
    await page.getByTestId("remaining").waitFor();
    for (const screen of [...SCREENS, ...OPERATORS]) {
      await show(page, screen);
      await expectFits(page, screen);
    }
    await show(page, "try");
    await page.getByRole("combobox").fill(BAKERY);
    await page.getByRole("tabpanel").getByRole("button").nth(1).click();
    await page.getByTestId("company").waitFor();
    await expectFits(page, "a company");
    await page.getByRole("tabpanel").getByRole("button").nth(2).click();
    await page.getByTestId("branches").waitFor();
    await expectFits(page, "branches");
    await show(page, "try/search");
    await page.locator("input[maxlength='700']:not([role])").fill("fabel");
    await page.keyboard.press("Enter");
    await page.getByTestId("hit").first().waitFor();
    await expectFits(page, "what a search found");
    await show(page, "try/list");
    await page.locator("textarea.list").fill(NAMES);
    await page.keyboard.press("Tab");
    await page.keyboard.press("Enter");
    await page.getByTestId("plan").locator("summary").click();
    await expectFits(page, "a list of names");
    await page.getByTestId("start").click();
    await page.locator("[data-testid=run][data-phase=done]").waitFor();
    await expectFits(page, "a matched list");
    await page.locator("[data-testid=row] button").first().click();
    await page.getByTestId("settle").waitFor();
    await expectFits(page, "choosing the company of a row");
    await show(page, "keys");
    await page
      .locator("[data-state=live]")
      .getByRole("button", { name: /Replace|Vervangen/ })
      .first()
      .click();
    await page.getByRole("radio").first().waitFor();
    await expectFits(page, "replacing a key");
  });
});

describe("with double font size", () => {
  it("nothing is wider than the screen, on a phone or a desktop", async () => {
    const seen = await visit(fixture, { locale: "nl-NL" });
    const { page } = seen;
    await page.addInitScript(
      `addEventListener("DOMContentLoaded", () => { document.documentElement.style.fontSize = "200%"; })`,
    );
    for (const screen of ["sign-in", "sign-up"]) {
      await seen.go(screen);
      await expectFits(page, screen, [360, 1440]);
    }
    await signIn(seen, EMAIL);
    await page.getByTestId("remaining").waitFor();
    for (const screen of [...SCREENS, ...OPERATORS]) {
      await show(page, screen);
      await expectFits(page, screen, [360, 1440]);
    }
  });
});
