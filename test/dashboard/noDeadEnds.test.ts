/** No action leads to a dead end: people return to where they were, and keep what they need. */
import { beforeAll, describe, expect, it } from "vitest";
import { BAKERY } from "../kit/companies.ts";
import { thoroughDescribe, variants } from "../kit/thorough.ts";
import { startKeyOf } from "./support/lists.ts";
import { focusedText } from "./support/trying.ts";
import { call, openStage, type StoreFixture, signIn, signUp, visit } from "./support/visit.ts";

let fixture: StoreFixture;
beforeAll(async () => {
  // A list of 10,000 numbers needs a plan of 500 tokens per month.
  fixture = await openStage({ tiers: { free: { monthlyTokens: 500, ratePerMinute: 10 } } });
});

describe("signing in again", () => {
  it("returns to the screen where the session expired, and reports only an expiry", async () => {
    const visitor = await visit(fixture);
    const { page } = visitor;
    await signUp(visitor, "back@fabel.example");
    await visitor.go("usage");
    await page.context().clearCookies();
    await page.evaluate("location.hash = '#/plan'");
    await page.getByText("Your session has ended. Sign in again.").waitFor();
    await page.locator("input[type=email]").fill("back@fabel.example");
    await page.locator("input[autocomplete=current-password]").fill("korenmolen draait hard");
    await page.locator("button[type=submit]").click();
    await page.getByRole("heading", { level: 1, name: "Plan" }).waitFor();

    // A view finds that the session has ended while the person leaves it.
    let hasFound = false;
    await page.route("**/account/sign-out", async (route) => {
      const response = await route.fetch();
      await page.evaluate("location.hash = '#/usage'");
      await page.getByText("Your session has ended. Sign in again.").waitFor();
      hasFound = true;
      await route.fulfill({ response });
    });
    await page.getByRole("button", { name: "Sign out" }).click();
    await page.getByText("You have signed out.").waitFor();
    expect(hasFound).toBe(true);
    expect(await page.getByText("Your session has ended").count()).toBe(0);
    await signIn(visitor, "back@fabel.example");
    await page.getByRole("heading", { level: 1, name: "Start" }).waitFor();
  });
});

describe.each(
  variants(
    [
      ["the menu", "start"],
      ["the list of devices", "settings"],
    ] as const,
    { ordinary: 0 },
  ),
)("signing out from %s", (_where, screen) => {
  it("asks for confirmation before it deletes a list", async () => {
    const visitor = await visit(fixture);
    const { page } = visitor;
    await signUp(visitor, `${screen}@fabel.example`);
    await visitor.go("try/list");
    await page.locator("textarea").fill(BAKERY);
    await page.getByRole("button", { name: "Read list" }).click();
    await page.getByRole("button", { name: "Complete list" }).click();
    await page.getByText("The list is done.").waitFor();
    await visitor.go(screen);
    const end = page.getByRole("button", { name: screen === "start" ? "Sign out" : /^Sign out: / });
    await end.click();
    const dialog = page.getByRole("dialog", { name: "Sign out and delete your list?" });
    await dialog.getByRole("button", { name: "Stay signed in" }).click();
    await dialog.waitFor({ state: "detached" });
    expect(await page.evaluate<number>(COUNT_STORED)).toBe(1);
    await end.click();
    await dialog.getByRole("button", { name: "Sign out and delete" }).click();
    await page.getByText("You have signed out.").waitFor();
  });
});

thoroughDescribe("a new key", () => {
  it("is still shown after going back and forward, until its dialog is closed", async () => {
    const visitor = await visit(fixture);
    const { page } = visitor;
    await signUp(visitor, "key@fabel.example");
    await visitor.go("keys");
    await page.getByRole("button", { name: "New key" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByRole("textbox", { name: "Name" }).fill("shop");
    await dialog.getByRole("button", { name: "Create key" }).click();
    const shown = dialog.locator("pre.code", { hasText: /^opz_live_/ });
    const key = await shown.innerText();
    await page.goBack();
    await shown.waitFor({ state: "detached" });
    await page.goForward();
    expect(await shown.innerText()).toBe(key);
    await dialog.getByRole("button", { name: "I’ve saved it" }).click();
    await page.goBack();
    await page.goForward();
    await page.getByRole("heading", { level: 1, name: "Keys" }).waitFor();
    expect(await shown.count()).toBe(0);
  });
});

thoroughDescribe("the first call", () => {
  it("is included in the usage as soon as its arrival is reported", async () => {
    const visitor = await visit(fixture);
    const { page } = visitor;
    const key = await signUp(visitor, "first@fabel.example");
    await page.getByText("0 of 500 used").waitFor();
    expect((await call(fixture, key, "/v1/autocomplete?q=fabel")).status).toBe(200);
    await page.getByText("Your first call arrived.").waitFor();
    await page.getByText("1 of 500 used").waitFor();
  });
});

thoroughDescribe("the focus", () => {
  it("stays in the plans when the pressed button disappears", async () => {
    const visitor = await visit(fixture);
    const { page } = visitor;
    await signUp(visitor, "focus@fabel.example");
    await visitor.go("plan");
    await page
      .getByRole("button", { name: /^Request this plan/ })
      .first()
      .click();
    await page.getByRole("button", { name: "Withdraw request" }).waitFor();
    await expect.poll(() => focusedText(page)).toBe("Plans");
    await page.getByRole("button", { name: "Withdraw request" }).click();
    await page.getByRole("button", { name: "Withdraw request" }).waitFor({ state: "detached" });
    await expect.poll(() => focusedText(page)).toBe("Plans");
  });
});

thoroughDescribe("the page", () => {
  it("prints without navigation, respects reduced motion, and breaks no short words", async () => {
    const visitor = await visit(fixture, { width: 360 });
    const { page } = visitor;
    await signUp(visitor, "paper@fabel.example");
    await visitor.go("plan");
    const head = page.getByRole("columnheader", { name: "Tokens", exact: true });
    await head.waitFor();
    expect(await page.evaluate("getComputedStyle(document.querySelector('th.number')).whiteSpace")).toBe(
      "nowrap",
    );
    const motion = "getComputedStyle(document.querySelector('main button')).transitionDuration";
    expect(await page.evaluate(motion)).toBe("0s");
    await page.emulateMedia({ media: "print" });
    expect(await page.locator(".rail:visible").count()).toBe(0);
    expect(await page.locator("main button:visible").count()).toBe(0);
    await page.getByRole("heading", { name: "What it costs" }).waitFor();
    await page.emulateMedia({ media: "screen" });
    expect(await page.locator(".rail:visible").count()).toBeGreaterThan(0);
  });
});

thoroughDescribe("a running list", () => {
  it("is cancelled at the service by signing out", async () => {
    const visitor = await visit(fixture);
    const { page } = visitor;
    await signUp(visitor, "underway@fabel.example");
    await visitor.go("try/list");
    const { promise: isPaused, resolve: goOn } = Promise.withResolvers<void>();
    await page.route("**/account/try**", async (route) => {
      if (startKeyOf(route) !== undefined) await isPaused;
      await route.continue();
    });
    // Enough numbers that the list is still running when the pause arrives.
    const numbers = Array.from({ length: 10_000 }, (_, index) => String(90_000_001 + index));
    const buffer = Buffer.from(["kvkNumber", ...numbers].join("\n"));
    await page.locator("input[type=file]").setInputFiles({ name: "list.csv", mimeType: "text/csv", buffer });
    await page.getByRole("button", { name: "Complete list" }).click();
    await page.getByRole("button", { name: "Pause", exact: true }).click();
    goOn();
    await page.getByText("Paused. The results so far are below.").waitFor();
    await page.getByRole("button", { name: "Sign out" }).first().click();
    await page.getByRole("button", { name: "Sign out and delete" }).click();
    await page.getByRole("heading", { level: 1 }).getByText("Welcome back").waitFor();
    await signIn(visitor, "underway@fabel.example");
    await page.getByRole("button", { name: "Sign out" }).first().waitFor();
    expect(await page.evaluate(JOB_STATUSES)).toEqual(["cancelled"]);
  });
});

/** Returns the jobs of the account, read through the page. */
const JOB_STATUSES = `fetch("/account/try", {
  method: "POST",
  headers: { "content-type": "application/json" },
  body: JSON.stringify({ method: "GET", path: "/v1/jobs" }),
}).then((response) => response.json()).then(({ body }) => body.jobs.map(({ status }) => status))`;

thoroughDescribe("a list that ended a week ago", () => {
  it("is deleted when anyone opens any screen of the page", async () => {
    const visitor = await visit(fixture);
    const { page } = visitor;
    await signUp(visitor, "week@fabel.example");
    await visitor.go("try/list");
    await page.locator("textarea").fill(BAKERY);
    await page.getByRole("button", { name: "Read list" }).click();
    await page.getByText("stay in this browser until a week after the list is done").waitFor();
    await page.getByRole("button", { name: "Complete list" }).click();
    await page.getByText("The list is done.").waitFor();
    const storedLists = () => page.evaluate<number>(COUNT_STORED);
    const openLater = async (days: number) => {
      await page.clock.setFixedTime(Date.now() + days * 86_400_000);
      await page.goto("/docs");
      await page.goto("/#/status");
      await page.getByRole("heading", { level: 1, name: "Status" }).waitFor();
    };
    await openLater(6);
    expect(await storedLists()).toBe(1);
    await openLater(8);
    await expect.poll(storedLists).toBe(0);
  });
});

/** Returns the number of lists stored in the browser. */
const COUNT_STORED = `new Promise((resolve) => {
  indexedDB.databases().then(([{ name }]) => {
    const opening = indexedDB.open(name);
    opening.onsuccess = () => {
      const counting = opening.result.transaction("lists").objectStore("lists").count();
      counting.onsuccess = () => (opening.result.close(), resolve(counting.result));
    };
  });
})`;
