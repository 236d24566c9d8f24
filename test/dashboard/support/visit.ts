import type { Browser, BrowserContext, Page } from "playwright-core";
import { expect } from "vitest";
import { atEnd } from "../../support/atEnd.ts";
import { startService } from "../../support/service.ts";
import { makeWorld, type World, type WorldOptions } from "../../support/world.ts";
import { ensureBuilt } from "./built.ts";
import { launchChromium } from "./chromium.ts";

export const PASSWORD = "korenmolen draait hard";

/** A service with its page, and a browser to see it with. */
export interface Stage {
  readonly address: string;
  readonly world: World;
  readonly browser: Browser;
}

/** Starts a service that anybody may sign up at, and a browser; both end with the file's tests. */
export async function openStage(options: WorldOptions = {}): Promise<Stage> {
  ensureBuilt();
  const world = await makeWorld({ ...options, environment: { SIGNUP: "open", ...options.environment } });
  const { address } = await startService(world);
  const browser = await launchChromium();
  atEnd(() => browser.close());
  return { address, world, browser };
}

export interface Visit {
  readonly page: Page;
  readonly context: BrowserContext;
  /** What the browser complained about: broken policies, errors of the page. Refusals of the service are none. */
  readonly troubles: readonly string[];
  go(screen: string): Promise<void>;
}

export interface Visitor {
  readonly locale?: string;
  readonly colorScheme?: "light" | "dark";
  readonly width?: number;
}

/** A browser of its own, with nothing remembered. */
export async function visit(stage: Stage, visitor: Visitor = {}): Promise<Visit> {
  const { locale = "en-GB", colorScheme = "light", width = 1440 } = visitor;
  const context = await stage.browser.newContext({
    baseURL: stage.address,
    locale,
    colorScheme,
    viewport: { width, height: 900 },
    reducedMotion: "reduce",
  });
  context.setDefaultTimeout(20_000);
  const page = await context.newPage();
  const troubles: string[] = [];
  page.on("pageerror", (error) => troubles.push(error.message));
  page.on("console", (message) => {
    const isRefusal = message.text().startsWith("Failed to load resource");
    if ((message.type() === "error" || message.type() === "warning") && !isRefusal)
      troubles.push(message.text());
  });
  return {
    page,
    context,
    troubles,
    go: async (screen) => {
      await page.goto(`/#/${screen}`);
      await page.locator("h1").waitFor();
    },
  };
}

/** Signs up on the page, and gives the key that it then shows. */
export async function signUp({ page }: Visit, email: string): Promise<string> {
  await page.goto("/#/sign-up");
  await page.locator("input[type=email]").fill(email);
  await page.locator("input[autocomplete=new-password]").fill(PASSWORD);
  await page.locator("button[type=submit]").click();
  const key = page.locator("pre.code").first();
  await expect.poll(() => key.innerText(), { timeout: 20_000 }).toMatch(/^opz_live_/);
  return key.innerText();
}

/** Signs in on the page. */
export async function signIn({ page }: Visit, email: string, password = PASSWORD): Promise<void> {
  await page.goto("/#/sign-in");
  await page.locator("input[type=email]").fill(email);
  await page.locator("input[autocomplete=current-password]").fill(password);
  await page.locator("button[type=submit]").click();
}

/** Calls the public API as a program would; gives the status and the body. */
export async function call(
  { address }: Stage,
  key: string,
  path: string,
): Promise<{ readonly status: number; readonly body: unknown }> {
  const response = await fetch(address + path, { headers: { authorization: `Bearer ${key}` } });
  return { status: response.status, body: await response.json() };
}
