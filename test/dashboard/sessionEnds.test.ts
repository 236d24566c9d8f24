/** The end of a session: typed text survives signing in again, and signing out clears every tab. */
import { beforeAll, expect, it } from "vitest";
import { openStage, PASSWORD, type StoreFixture, signUp, visit } from "./support/visit.ts";

let fixture: StoreFixture;
beforeAll(async () => {
  fixture = await openStage();
});

it("a session that is over asks for the password only, and returns to the screen with the typed text", async () => {
  const visitor = await visit(fixture);
  const { page, troubles } = visitor;
  await signUp(visitor, "back@fabel.example");
  await visitor.go("try/list");
  const pasted = "Bakkerij De Fabelkorst\nVeerpont Verzonnen";
  await page.locator("textarea").fill(pasted);
  await page.getByRole("tab", { name: "Search" }).click();
  await page.getByRole("textbox", { name: "City" }).fill("Verzinstad");
  await page.context().clearCookies();
  await page.getByRole("button", { name: /^Search/ }).click();
  await page.getByText("Your session has ended").or(page.getByText("signed out")).first().waitFor();
  expect(await page.locator("input[type=email]").inputValue()).toBe("back@fabel.example");
  expect(await page.getByRole("textbox", { name: "City" }).isVisible()).toBe(false);
  await page.locator("input[autocomplete=current-password]").fill(PASSWORD);
  await page.locator("button[type=submit]:visible").click();
  await page.getByRole("textbox", { name: "City" }).waitFor();
  expect(await page.getByRole("textbox", { name: "City" }).inputValue()).toBe("Verzinstad");
  expect(page.url()).toContain("#/try/search");
  expect(troubles).toEqual([]);
});

it("another person who signs in after that finds nothing of it", async () => {
  const visitor = await visit(fixture);
  const { page } = visitor;
  await signUp(visitor, "second@fabel.example");
  await page.context().clearCookies();
  await page.reload();
  await signUp(visitor, "first@fabel.example");
  await visitor.go("try/search");
  await page.getByRole("textbox", { name: "City" }).fill("Verzinstad");
  await page.context().clearCookies();
  await page.getByRole("button", { name: /^Search/ }).click();
  await page.locator("input[type=email]").fill("second@fabel.example");
  await page.locator("input[autocomplete=current-password]").fill(PASSWORD);
  await page.locator("button[type=submit]:visible").click();
  await page.getByRole("textbox", { name: "City" }).waitFor();
  expect(await page.getByRole("textbox", { name: "City" }).inputValue()).toBe("");
});

it("signing out in one tab clears the other at once, without a request", async () => {
  const visitor = await visit(fixture);
  const { page, troubles } = visitor;
  await signUp(visitor, "tabs@fabel.example");
  const other = await page.context().newPage();
  await other.goto("/#/settings");
  await other.getByText("tabs@fabel.example").first().waitFor();
  await other.route("**/account/**", () => {});
  await page.getByRole("button", { name: "Sign out" }).click();
  await other.getByRole("heading", { name: "Welcome back" }).waitFor();
  expect(await other.getByText("tabs@fabel.example").count()).toBe(0);
  expect(troubles).toEqual([]);
});
