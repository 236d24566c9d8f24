/** Try it is accurate: an outage is never a “no”, a verdict looks like its meaning, and every price is shown. */
import { beforeAll, describe, expect, it } from "vitest";
import { REGISTRY_UNAVAILABLE } from "../../src/contract/errors.ts";
import { BAKERY } from "../kit/companies.ts";
import { opzoek } from "../kit/opzoek.ts";
import { thoroughDescribe } from "../kit/thorough.ts";
import {
  companyBox,
  focusedText,
  KNOWN,
  openTryStage,
  type TryStage,
  UNREGISTERED,
} from "./support/trying.ts";
import { accountIdOf } from "./support/visit.ts";

let stage: TryStage;
beforeAll(async () => {
  stage = await openTryStage();
});

thoroughDescribe("suggestions", () => {
  it("that fail are never reported as “no company”: each cause has its own text, a wait counts down, and a retry follows", async () => {
    const visitor = await stage.enter("causes@fabel.example");
    const { page } = visitor;
    const notice = page.getByTestId("no-suggestions");
    await page.context().setOffline(true);
    await companyBox(page).fill("fabelk");
    await notice.getByText("The service cannot be reached").waitFor();
    await notice.getByText("The company may still exist.").waitFor();
    expect(await page.getByText("No company found").count()).toBe(0);
    await page.context().setOffline(false);
    await page.getByRole("option", { name: /Fabelkorst/ }).waitFor();

    const error = { error: { code: "RATE_LIMIT_EXCEEDED", message: "too many" } };
    const body = { status: 429, headers: { "retry-after": "3" }, body: error, durationMs: 1 };
    await page.route("**/account/try", (route) => route.fulfill({ json: body }), { times: 1 });
    await companyBox(page).fill("fabelko");
    const texts = new Set<string>();
    const wait = notice.getByText(
      /^Too many requests in a short time\. You can continue in [123] seconds?\.$/,
    );
    await wait.waitFor();
    await expect
      .poll(async () => texts.add(await notice.innerText({ timeout: 500 }).catch(() => "")).size)
      .toBeGreaterThan(1);
    expect(await page.getByText("No company found").count()).toBe(0);
    await page.getByRole("option", { name: /Fabelkorst/ }).waitFor();

    await opzoek(["account", "suspend", await accountIdOf(visitor)], stage.fixture.world.environment);
    await companyBox(page).fill("fabelkor");
    await notice.getByText("This account is suspended").waitFor();
    expect(await page.getByText("No company found").count()).toBe(0);
    await opzoek(["account", "resume", await accountIdOf(visitor)], stage.fixture.world.environment);
    await companyBox(page).fill("zzzzqqqq");
    await page.getByText("No company found. Try fewer letters").waitFor();
  });
});

describe("a search", () => {
  it("that fails says why, never “no company”, and a successful one shows where its results end", async () => {
    const visitor = await stage.enter("search-causes@fabel.example");
    const { page } = visitor;
    await visitor.go("try/search");
    await page.getByRole("textbox", { name: "City" }).fill("Proefdam");
    const notice = page.getByTestId("no-results");
    const search = () => page.getByRole("button", { name: "Search 1 token" }).click();
    await page.context().setOffline(true);
    await search();
    await notice.getByText("The service cannot be reached").waitFor();
    await page.context().setOffline(false);
    await notice.getByRole("button", { name: "Try again" }).click();
    await page.getByRole("heading", { name: "120 companies" }).waitFor();

    const answerNext = (status: number, body: unknown) =>
      page.route(
        "**/account/try",
        (route) => route.fulfill({ json: { status, headers: { "retry-after": "30" }, body, durationMs: 1 } }),
        { times: 1 },
      );
    const causes: readonly (readonly [number, string, string, string])[] = [
      [403, "FORBIDDEN", "", "This account is suspended"],
      [429, "RATE_LIMIT_EXCEEDED", "", "You can continue in"],
      [429, "QUOTA_EXCEEDED", "", "enough tokens left this month"],
      [502, "UPSTREAM_ERROR", "", "The source of this data isn’t answering"],
      [503, "SERVICE_UNAVAILABLE", "", "The service is busy or restarting"],
      [
        503,
        "SERVICE_UNAVAILABLE",
        REGISTRY_UNAVAILABLE.namesNotIndexed,
        "the service is still building the index",
      ],
      [503, "SERVICE_UNAVAILABLE", REGISTRY_UNAVAILABLE.noRegistry, "no company registry yet"],
    ];
    for (const [status, code, message, words] of causes) {
      await answerNext(status, { error: { code, message } });
      await search();
      await notice.getByText(words).waitFor();
      await notice.getByText("Matching companies may still exist.").waitFor();
      await page.getByText("This cost nothing.").locator("visible=true").waitFor();
      expect(await page.getByTestId("hits").count(), words).toBe(0);
    }
    await page.getByRole("combobox", { name: "Legal form" }).selectOption("BV");
    await answerNext(400, { error: { code: "INVALID_REQUEST", message: "legalForm cannot be searched by" } });
    await search();
    await notice.getByText("Remove the other filters").waitFor();

    const row = { kvkNumber: BAKERY, name: "Bakkerij De Fabelkorst B.V.", isActive: true };
    const results = [{ ...row, isFuzzy: true, origin: "kvk-api" }];
    await answerNext(200, { results, total: 10_000, totalIsExact: false, page: 1, pageSize: 10 });
    await search();
    await page.getByRole("heading", { name: "More than 10,000 companies" }).waitFor();
    await page.getByText("Page 1 of 100.").waitFor();
    await page.getByText("Only the first 1,000 can be shown: add a filter to see the others.").waitFor();
    await page
      .getByTestId("hit")
      .getByText(/^(spelled slightly differently|KVK)$/)
      .nth(1)
      .waitFor();
    await answerNext(200, { results, total: 57, totalIsExact: false, page: 1, pageSize: 100 });
    await page.getByRole("combobox", { name: "Companies per page" }).selectOption("100");
    await search();
    await page.getByRole("heading", { name: "At least 57 companies" }).waitFor();
  });
});

thoroughDescribe("Enter in the search box", () => {
  it("looks up the typed number or the marked company, and moves the focus to the result", async () => {
    const visitor = await stage.enter("enter@fabel.example");
    const { page } = visitor;
    await companyBox(page).fill(BAKERY);
    await companyBox(page).press("Enter");
    await page.getByTestId("company").waitFor();
    await expect.poll(() => focusedText(page)).toBe("Bakkerij De Fabelkorst B.V.");

    await companyBox(page).fill("fabelkors");
    await page.getByRole("option").first().waitFor();
    await companyBox(page).press("ArrowDown");
    await companyBox(page).press("Enter");
    await companyBox(page).press("Enter");
    await expect.poll(() => focusedText(page)).toBe("Bakkerij De Fabelkorst B.V.");
    await page.getByRole("button", { name: /^Branches/ }).click();
    await expect.poll(() => focusedText(page)).toBe("Branches of Bakkerij De Fabelkorst B.V.");
    await companyBox(page).fill("59999999");
    await companyBox(page).press("Enter");
    await expect.poll(() => focusedText(page)).toContain("There is no company with this number");
    expect(visitor.troubles).toEqual([]);
  });
});

thoroughDescribe("a verdict on a VAT number", () => {
  it("shows validity by icon, colour and word, separately its age, and its price", async () => {
    const visitor = await stage.enter("verdicts@fabel.example");
    const { page } = visitor;
    await page.getByRole("tab", { name: "VAT number" }).click();
    const check = async (number: string) => {
      await page.getByRole("textbox", { name: "VAT number" }).fill(number);
      await page.keyboard.press("Enter");
      await page.locator(".arrival:focus [data-testid=verdict]").waitFor();
      const verdict = page.locator(".verdict");
      return {
        word: await verdict.innerText(),
        icon: await verdict.locator("path").getAttribute("d"),
        colour: await page.evaluate<string>("getComputedStyle(document.querySelector('.verdict')).color"),
        badge: await page.getByTestId("verdict").locator(".badge").innerText(),
        cost: await page.getByTestId("spent").first().innerText(),
      };
    };
    const valid = await check(KNOWN);
    const refused = await check(UNREGISTERED);
    const malformed = await check("NL000000000B00");
    const mistyped = await check("NL999999999B99");
    stage.vies.setFault("NL", { kind: "code", code: "MS_UNAVAILABLE" });
    const stale = await check(KNOWN);
    stage.vies.clearFaults();
    expect([valid, refused, malformed, mistyped, stale].map(({ word, badge }) => [word, badge])).toEqual([
      ["Valid", "Up to date"],
      ["Not valid", "Up to date"],
      ["Not valid", "Incorrect format"],
      ["Not valid", "Check digit incorrect"],
      ["Valid", "Outdated"],
    ]);
    expect(refused.icon).not.toBe(valid.icon);
    expect(refused.colour).not.toBe(valid.colour);
    expect([malformed.icon, malformed.colour]).toEqual([refused.icon, refused.colour]);
    expect([stale.icon, stale.colour]).toEqual([valid.icon, valid.colour]);
    expect(malformed.cost).toContain("This cost 1 token.");
    await page.getByText("Every result costs 1 token, including “not valid” and a number").waitFor();
    await visitor.go("plan");
    await page.getByText("and a VAT number that isn’t valid or can’t exist.").waitFor();
    expect(await page.getByText("a mistake").count()).toBe(0);
  });
});
