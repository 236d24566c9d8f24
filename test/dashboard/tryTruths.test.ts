/** What Try it says is true: an outage is no “no”, a verdict looks like what it is, and everything has its price told. */
import type { Page } from "playwright-core";
import { beforeAll, describe, expect, it } from "vitest";
import type { ViesSimulator } from "../../src/simulators/vies/server.ts";
import { BAKERY } from "../kit/companies.ts";
import { opzoek } from "../kit/opzoek.ts";
import { fictionalRsins, REGISTERED, startVies } from "../kit/vies.ts";
import { accountIdOf, openStage, type StoreFixture, signUp, type Visit, visit } from "./support/visit.ts";

const [UNREGISTERED = "", KNOWN = ""] = fictionalRsins(2).map((digits) => `NL${digits}B01`);

let fixture: StoreFixture;
let vies: ViesSimulator;
beforeAll(async () => {
  vies = await startVies({
    companyOf: (_state, number) => (UNREGISTERED.endsWith(number) ? undefined : REGISTERED),
  });
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

const box = (page: Page) => page.getByRole("combobox", { name: "Name or KVK number" });
const focusedText = (page: Page) => page.locator(":focus").first().innerText();

describe("suggestions", () => {
  it("that cannot be had are never “no company”: each cause has its own words, a wait is counted down, and they come by themselves", async () => {
    const visitor = await enter("causes@fabel.example");
    const { page } = visitor;
    const said = page.getByTestId("no-suggestions");
    await page.context().setOffline(true);
    await box(page).fill("fabelk");
    await said.getByText("The service cannot be reached").waitFor();
    await said.getByText("That says nothing about whether the company exists.").waitFor();
    expect(await page.getByText("No company found").count()).toBe(0);
    await page.context().setOffline(false);
    await page.getByRole("option", { name: /Fabelkorst/ }).waitFor();

    const error = { error: { code: "RATE_LIMIT_EXCEEDED", message: "too many" } };
    const body = { status: 429, headers: { "retry-after": "3" }, body: error, durationMs: 1 };
    await page.route("**/account/try", (route) => route.fulfill({ json: body }), { times: 1 });
    await box(page).fill("fabelko");
    const told = new Set<string>();
    const wait = said.getByText(/^That was a lot in a short time\. You can go on in [123] seconds?\.$/);
    await wait.waitFor();
    await expect
      .poll(async () => told.add(await said.innerText({ timeout: 500 }).catch(() => "")).size)
      .toBeGreaterThan(1);
    expect(await page.getByText("No company found").count()).toBe(0);
    await page.getByRole("option", { name: /Fabelkorst/ }).waitFor();

    await opzoek(["account", "suspend", await accountIdOf(visitor)], fixture.world.environment);
    await box(page).fill("fabelkor");
    await said.getByText("This account is suspended").waitFor();
    expect(await page.getByText("No company found").count()).toBe(0);
    await opzoek(["account", "resume", await accountIdOf(visitor)], fixture.world.environment);
    await box(page).fill("zzzzqqqq");
    await page.getByText(/^No company found\..* This answer cost a token too\.$/).waitFor();
  });
});

describe("the keyboard in the search box", () => {
  it("looks up by Enter what is typed, chosen or fits first, and goes on at the result", async () => {
    const visitor = await enter("enter@fabel.example");
    const { page } = visitor;
    await box(page).fill(BAKERY);
    await box(page).press("Enter");
    await page.getByTestId("company").waitFor();
    expect(await focusedText(page)).toBe("Bakkerij De Fabelkorst B.V.");

    // Before the suggestions are there, and with them.
    await box(page).fill("fabelkorst");
    await box(page).press("Enter");
    await page.getByText("Spent on this page: 3 tokens.").waitFor();
    expect(await box(page).inputValue()).toBe("Bakkerij De Fabelkorst B.V.");
    await expect.poll(() => focusedText(page)).toBe("Bakkerij De Fabelkorst B.V.");

    await box(page).fill("fabelkors");
    await page.getByRole("option").first().waitFor();
    await box(page).press("ArrowDown");
    await box(page).press("Enter");
    await box(page).press("Enter");
    await expect.poll(() => focusedText(page)).toBe("Bakkerij De Fabelkorst B.V.");
    await page.getByRole("button", { name: /^Branches/ }).click();
    await expect.poll(() => focusedText(page)).toBe("Branches of Bakkerij De Fabelkorst B.V.");
    await box(page).fill("59999999");
    await box(page).press("Enter");
    await expect.poll(() => focusedText(page)).toContain("There is no company with this number");
    expect(visitor.troubles).toEqual([]);
  });
});

describe("a verdict on a VAT number", () => {
  it("tells valid from not valid by icon, colour and word, how fresh it is apart from that, and its price", async () => {
    const visitor = await enter("verdicts@fabel.example");
    const { page } = visitor;
    await page.getByRole("tab", { name: "VAT number" }).click();
    const check = async (number: string) => {
      await page.getByRole("textbox", { name: "VAT number" }).fill(number);
      await page.keyboard.press("Enter");
      await page.locator(".arrival:focus [data-testid=verdict]").waitFor();
      const said = page.locator(".verdict");
      return {
        word: await said.innerText(),
        icon: await said.locator("path").getAttribute("d"),
        colour: await page.evaluate<string>("getComputedStyle(document.querySelector('.verdict')).color"),
        badge: await page.getByTestId("verdict").locator(".badge").innerText(),
        cost: await page.getByTestId("spent").first().innerText(),
      };
    };
    const valid = await check(KNOWN);
    const refused = await check(UNREGISTERED);
    const malformed = await check("NL000000000B00");
    vies.setFault("NL", { kind: "code", code: "MS_UNAVAILABLE" });
    const stale = await check(KNOWN);
    vies.clearFaults();
    expect([valid, refused, malformed, stale].map(({ word, badge }) => [word, badge])).toEqual([
      ["Valid", "Up to date"],
      ["Not valid", "Up to date"],
      ["Not valid", "Incorrect format"],
      ["Valid", "Outdated"],
    ]);
    expect(refused.icon).not.toBe(valid.icon);
    expect(refused.colour).not.toBe(valid.colour);
    expect([malformed.icon, malformed.colour]).toEqual([refused.icon, refused.colour]);
    expect([stale.icon, stale.colour]).toEqual([valid.icon, valid.colour]);
    expect(malformed.cost).toContain("This cost 1 token.");
    await page.getByText("Every verdict costs a token, “invalid” too.").waitFor();
    await visitor.go("plan");
    await page.getByText("No suggestions, an empty search and a VAT number that isn’t valid").waitFor();
    expect(await page.getByText("a mistake").count()).toBe(0);
  });
});
