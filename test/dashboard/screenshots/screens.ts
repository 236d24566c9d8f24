import type { Page } from "playwright-core";
import { EMAIL, PASSWORD, type Scene } from "./scene.ts";

const PICTURED_KEY = "opz_live_ThisKeyIsForAPictureAndNothingElse0";

/** A screenshot: its name, and the steps to it. They are taken in order in one browser. */
export interface Screen {
  readonly name: string;
  readonly open: (page: Page, scene: Scene) => Promise<void>;
}

export const SCREENS: readonly Screen[] = [
  {
    name: "sign-up",
    open: async (page) => {
      await page.goto("/#/sign-up");
      await page.locator("input[autocomplete=new-password]").waitFor();
    },
  },
  {
    name: "first-minute",
    open: async (page, { newEmail }) => {
      // The screenshots must not contain a real key.
      await page.route("**/account/first-key", async (route) => {
        const response = await route.fetch();
        const body = (await response.text()).replace(/opz_live_\w+/g, PICTURED_KEY);
        await route.fulfill({ response, body });
      });
      await page.locator("input[type=email]").fill(newEmail());
      await page.locator("input[autocomplete=new-password]").fill(PASSWORD);
      await page.locator("button[type=submit]").click();
      await page.getByRole("heading", { name: "Welcome to Opzoek" }).waitFor();
    },
  },
  {
    name: "usage",
    open: async (page, { setOperator }) => {
      await setOperator(false);
      await page.context().clearCookies();
      await signIn(page);
      await show(page, "usage", "Usage");
      await page.locator(".recharts-bar-rectangle").first().waitFor();
    },
  },
  { name: "keys", open: (page) => show(page, "keys", "Keys") },
  {
    name: "suggestions",
    open: async (page) => {
      await show(page, "try", "Try it");
      await page.getByRole("combobox").fill("bakkerij de");
      await page.getByRole("option").first().waitFor();
      await page.getByRole("combobox").press("ArrowDown");
    },
  },
  {
    name: "company",
    open: async (page) => {
      await page.getByRole("combobox").press("Enter");
      await page.getByRole("button", { name: /^Enriched lookup/ }).click();
      await page.getByTestId("company").waitFor();
    },
  },
  { name: "plan", open: (page) => show(page, "plan", "Plan") },
  {
    name: "operator",
    open: async (page, { setOperator }) => {
      await setOperator(true);
      await page.reload();
      await show(page, "operator", "Operator");
      await page.getByText("dev@korenmolen.example").last().waitFor();
    },
  },
  {
    name: "docs",
    open: async (page) => {
      await page.goto("/docs/#/calls/get-v1-lookup-kvkNumber");
      await page.getByRole("heading", { level: 1, name: "Look up one company" }).waitFor();
      await page.getByRole("tab", { name: "JavaScript" }).click();
      await page.evaluate("document.activeElement.blur()");
    },
  },
];

const MONITORS = /^Monitor/;

/** Taken in both languages. */
export const MONITOR_SCREENS: readonly Screen[] = [
  {
    name: "monitors",
    open: async (page) => {
      await show(page, "monitors", MONITORS);
      await page
        .getByRole("button", { name: /^(Edit|Bewerken)/ })
        .first()
        .waitFor();
    },
  },
  {
    name: "changes",
    open: async (page) => {
      await show(page, "monitors/events", MONITORS);
      await page.getByTestId("event").first().waitFor();
    },
  },
];

/** Signs in to the account of the pictures. */
export async function signIn(page: Page): Promise<void> {
  await page.goto("/#/sign-in");
  await page.reload();
  await page.locator("input[type=email]").fill(EMAIL);
  await page.locator("input[autocomplete=current-password]").fill(PASSWORD);
  await page.locator("button[type=submit]").click();
  await page.getByTestId("remaining").waitFor();
}

async function show(page: Page, screen: string, title: string | RegExp): Promise<void> {
  await page.goto(`/#/${screen}`);
  await page.getByRole("heading", { level: 1, name: title }).waitFor();
}
