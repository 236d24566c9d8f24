import type { Browser, Page } from "playwright-core";
import type { SessionState } from "../../../src/contract/accountResources.ts";
import { afterFile } from "../../kit/afterFile.ts";
import { serveHere } from "../../kit/serveHere.ts";
import { startService } from "../../kit/service.ts";
import { awayFromMonthEnd } from "../../kit/until.ts";
import { makeWorld, type World, type WorldOptions } from "../../kit/world.ts";
import { ensureBuilt } from "./built.ts";
import { launchChromium } from "./chromium.ts";
import { IS_FIREFOX, launchFirefox } from "./firefox.ts";

export const PASSWORD = "korenmolen draait hard";

/** Starts a service and visits its page in a browser. */
export interface StoreFixture {
  readonly address: string;
  readonly world: World;
  readonly browser: Browser;
}

/** Starts a service with open sign-up in this process. It ends with the tests of the file. */
export async function openStage(options: WorldOptions = {}): Promise<StoreFixture> {
  ensureBuilt();
  const world = await makeWorld({ ...options, environment: { SIGNUP: "open", ...options.environment } });
  // The page shows this month's usage, so the month must not end during a test.
  await awayFromMonthEnd();
  const [{ address }, browser] = await Promise.all([serveHere(world), sharedBrowser()]);
  return { address, world, browser };
}

let browser: Promise<Browser> | undefined;

/**
 * One browser for all test files of a process: each visit has its own isolated context. If it has crashed, the next
 * file starts another.
 */
export async function sharedBrowser(): Promise<Browser> {
  const running = await browser?.catch(() => undefined);
  if (running?.isConnected() === true) return running;
  browser = IS_FIREFOX ? launchFirefox() : launchChromium();
  return browser;
}

/** The public address set by the operator, used for links in mails. */
export const PUBLIC_URL = "http://localhost";

/**
 * Starts a service as a process of its own, with {@link PUBLIC_URL}, which the browser resolves to the service's port.
 */
export async function openPublicStage(environment: Readonly<Record<string, string>>): Promise<StoreFixture> {
  ensureBuilt();
  const world = await makeWorld({ environment: { SIGNUP: "open", PUBLIC_URL, ...environment } });
  const { port } = await startService(world);
  const browser = await launchChromium([`--host-resolver-rules=MAP localhost:80 127.0.0.1:${port}`]);
  afterFile(() => browser.close());
  return { address: PUBLIC_URL, world, browser };
}

export interface Visit {
  readonly page: Page;
  /** Errors in the browser: policy violations and page errors, but not refusals of the service. */
  readonly troubles: readonly string[];
  go(screen: string): Promise<void>;
}

export interface Visitor {
  readonly locale?: string;
  readonly colorScheme?: "light" | "dark";
  readonly width?: number;
}

/** Generous, because the machine may be busy; other tests measure the speed of the page. */
const WAIT_AT_MOST_MS = 90_000;

/** Opens a fresh browser context, closed after the tests of the file. */
export async function visit(
  fixture: Pick<StoreFixture, "address" | "browser">,
  visitor: Visitor = {},
): Promise<Visit> {
  const { locale = "en-GB", colorScheme = "light", width = 1440 } = visitor;
  const context = await fixture.browser.newContext({
    baseURL: fixture.address,
    locale,
    colorScheme,
    viewport: { width, height: 900 },
    reducedMotion: "reduce",
  });
  afterFile(() => context.close());
  context.setDefaultTimeout(WAIT_AT_MOST_MS);
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
    troubles,
    go: async (screen) => {
      await page.goto(`/#/${screen}`);
      await page.locator("h1").waitFor();
    },
  };
}

/** Signs up on the page, and returns the key that it shows. */
export async function signUp({ page }: Visit, email: string): Promise<string> {
  await page.goto("/#/sign-up");
  await page.locator("input[autocomplete=new-password]").waitFor();
  await page.locator("input[type=email]").fill(email);
  await page.locator("input[autocomplete=new-password]").fill(PASSWORD);
  await page.locator("button[type=submit]").click();
  return page.locator("pre.code", { hasText: /^opz_live_/ }).innerText();
}

/** Signs in on the page. */
export async function signIn({ page }: Visit, email: string, password = PASSWORD): Promise<void> {
  await page.goto("/#/sign-in");
  await page.locator("input[autocomplete=current-password]").waitFor();
  await page.locator("input[type=email]").fill(email);
  await page.locator("input[autocomplete=current-password]").fill(password);
  await page.locator("button[type=submit]").click();
}

/** Returns the id of the signed-in account. */
export async function accountIdOf({ page }: Visit): Promise<string> {
  const answer = await page.context().request.get("/account/session");
  const { person } = (await answer.json()) as SessionState;
  if (person === undefined) throw new Error("not signed in");
  return person.accountId;
}

/** Calls the public API as a program would; returns the status and the body. */
export async function call(
  { address }: StoreFixture,
  key: string,
  path: string,
): Promise<{ readonly status: number; readonly body: unknown }> {
  const response = await fetch(address + path, { headers: { authorization: `Bearer ${key}` } });
  return { status: response.status, body: await response.json() };
}
