/** During an outage the page reports it, retries and recovers by itself; no part of it stays blank. */
import type { Page } from "playwright-core";
import { beforeAll, describe, expect, it } from "vitest";
import { thoroughIt } from "../kit/thorough.ts";
import { openStage, type StoreFixture, signUp, visit } from "./support/visit.ts";

let fixture: StoreFixture;
beforeAll(async () => {
  fixture = await openStage();
});

const SCREENS = [
  ["usage", "Usage"],
  ["keys", "Keys"],
  ["plan", "Plan"],
  ["status", "Status"],
  ["settings", "Settings"],
  ["try", "Try it"],
  ["start", "Start"],
] as const;

const MARK = "globalThis.isSamePage = true";
const isSamePage = (page: Page) => page.evaluate("globalThis.isSamePage === true");

/** Follows a link of the page, which needs no response of the service. */
const follow = (page: Page, screen: string) => page.evaluate(`location.hash = "#/${screen}"`);

/** The first offer and status fail, and the probe succeeds before the page can draw the failure of the status. */
const FAIL_AT_RECOVERY = `{
  const { fetch } = globalThis;
  const failing = ["/account/offer", "/account/status"];
  const back = Promise.withResolvers();
  globalThis.fetch = async (path, init) => {
    if (init.signal !== undefined) {
      globalThis.isProbing = true;
      await back.promise;
      return new Response("{}");
    }
    if (!failing.includes(path)) return fetch(path, init);
    failing.splice(failing.indexOf(path), 1);
    if (path === "/account/status") {
      // React draws at once whatever fails within the event that opened the screen.
      await new Promise((resolve) => setTimeout(resolve));
      void (async () => {
        for (let turn = 0; turn < 30; turn += 1) await undefined;
        back.resolve();
      })();
    }
    throw new TypeError("no answer");
  };
}`;

describe("during an outage", () => {
  it("every view reports it with the time of the next try, and recovers automatically", async () => {
    const visitor = await visit(fixture);
    const { page } = visitor;
    await signUp(visitor, "away@fabel.example");
    await page.reload();
    await page.getByTestId("remaining").waitFor();
    await page.evaluate(MARK);
    await page.context().setOffline(true);
    const away = page.getByTestId("away");
    for (const [screen, title] of SCREENS) {
      await follow(page, screen);
      // A view whose code cannot be loaded has no title yet, and its own message.
      if (screen === "usage") await page.getByText("The service cannot be reached.").first().waitFor();
      else await page.getByRole("heading", { level: 1, name: title }).waitFor();
      await away.getByText(/Next try in [0-9]+ seconds?\.|Trying now/).waitFor();
    }
    await follow(page, "usage");
    const texts = new Set<string>();
    await expect
      .poll(async () => texts.add(await away.getByRole("timer").innerText()).size, { timeout: 20_000 })
      .toBeGreaterThan(2);
    await page.context().setOffline(false);
    await away
      .getByRole("button", { name: "Try now" })
      .click({ timeout: 5_000 })
      .catch(() => {});
    await page.getByRole("heading", { level: 1, name: "Usage" }).waitFor();
    await page.getByTestId("remaining").waitFor();
    await away.waitFor({ state: "detached" });
    expect(await isSamePage(page)).toBe(true);
  });

  it("a view that fails at the moment when the service is back recovers too", async () => {
    const { page } = await visit(fixture);
    await page.addInitScript(FAIL_AT_RECOVERY);
    await page.goto("/");
    await expect.poll(() => page.evaluate("globalThis.isProbing")).toBe(true);
    await follow(page, "status");
    await page.getByRole("heading", { name: "Company registry" }).waitFor();
  });

  thoroughIt("a visitor sees it too, and typed text stays", async () => {
    const visitor = await visit(fixture);
    const { page } = visitor;
    await visitor.go("sign-in");
    await page.getByLabel("Email address").fill("away@fabel.example");
    await page.getByLabel("Password", { exact: true }).fill("korenmolen draait hard");
    await page.context().setOffline(true);
    await page.getByRole("button", { name: "Sign in" }).click();
    await page.getByTestId("away").waitFor();
    await page.context().setOffline(false);
    await page.getByTestId("away").waitFor({ state: "detached" });
    await page.getByRole("button", { name: "Sign in" }).click();
    await page.getByTestId("remaining").waitFor();
  });
});

describe("a missing part of the page", () => {
  it("makes the page reload once for the new build, and then shows the view", async () => {
    const visitor = await visit(fixture);
    const { page } = visitor;
    await signUp(visitor, "deployed@fabel.example");
    let isGone = true;
    await page.route(/assets\/UsagePage/, (route) =>
      isGone ? route.fulfill({ status: 404 }) : route.continue(),
    );
    await page.route(`${fixture.address}/`, async (route) => {
      if (route.request().resourceType() === "document") return route.continue();
      if (!isGone) return route.continue();
      isGone = false;
      await route.fulfill({
        contentType: "text/html",
        body: '<script type="module" src="/assets/new.js"></script>',
      });
    });
    await page.evaluate(MARK);
    await follow(page, "usage");
    await page.getByRole("heading", { level: 1, name: "Usage" }).waitFor();
    expect(await isSamePage(page)).toBe(false);
  });

  thoroughIt("is reported if a reload does not help, and the rest of the page keeps working", async () => {
    const visitor = await visit(fixture);
    const { page } = visitor;
    await signUp(visitor, "broken@fabel.example");
    let reloads = 0;
    page.on("load", () => {
      reloads += 1;
    });
    await page.route(/assets\/UsagePage/, (route) => route.fulfill({ status: 404 }));
    await follow(page, "usage");
    await page.getByText("This part of the page couldn’t be loaded").waitFor();
    expect(reloads).toBe(1);
    await follow(page, "keys");
    await page.getByRole("heading", { level: 1, name: "Keys" }).waitFor();
  });
});
