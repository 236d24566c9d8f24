/** Passwords, devices, plans and the way out. */
import type { Page } from "playwright-core";
import { beforeAll, describe, expect, it } from "vitest";
import { opzoek } from "../kit/opzoek.ts";
import {
  accountIdOf,
  call,
  openStage,
  PASSWORD,
  type StoreFixture,
  signIn,
  signUp,
  visit,
} from "./support/visit.ts";

const OTHER_PASSWORD = "vier losse woorden samen";
let fixture: StoreFixture;
beforeAll(async () => {
  fixture = await openStage();
});

/** A key pressed on the list of plans asks first; what was given can be taken back; nobody can suspend themselves. */
async function changesPlanByIntent(page: Page, key: string): Promise<void> {
  const tierNow = async () => (await call(fixture, key, "/v1/usage")).body;
  const plan = page.getByRole("combobox", { name: "Plan of member@fabel.example" });
  await plan.focus();
  await page.keyboard.press("ArrowUp");
  await page.getByRole("dialog", { name: /^Give member@fabel\.example the \w+ plan\?$/ }).waitFor();
  expect(await tierNow()).toMatchObject({ tier: "pro" });
  await page.getByRole("button", { name: "Cancel" }).click();
  await page.getByRole("dialog").waitFor({ state: "detached" });
  expect(await plan.inputValue()).toBe("pro");
  await plan.selectOption("starter");
  await page.getByRole("button", { name: "Give Starter" }).click();
  await page.getByText("member@fabel.example now has the Starter plan.").waitFor();
  expect(await tierNow()).toMatchObject({ tier: "starter" });
  await page.getByRole("button", { name: "Undo", exact: true }).click();
  await page.getByText("now has the Starter plan").waitFor({ state: "detached" });
  expect(await tierNow()).toMatchObject({ tier: "pro" });
  await plan.selectOption("starter");
  await page.getByRole("button", { name: "Give Starter" }).click();
  await page.getByText("now has the Starter plan").waitFor();
  await page.getByText("now has the Starter plan").waitFor({ state: "detached" });
  expect(await tierNow()).toMatchObject({ tier: "starter" });
  const search = page.getByLabel("Search by email address or account");
  await search.fill("boss@");
  await page.keyboard.press("Enter");
  await page.getByText("Your own account").waitFor();
  expect(await page.getByRole("button", { name: /^Suspend/ }).count()).toBe(0);
  await search.fill("member@");
  await page.keyboard.press("Enter");
  await page.getByRole("button", { name: "Suspend: member@fabel.example" }).waitFor();
}

describe("settings", () => {
  it("sign other devices out, one by one or all with a new password", async () => {
    const email = "devices@fabel.example";
    const [here, there, elsewhere] = [await visit(fixture), await visit(fixture), await visit(fixture)];
    await signUp(here, email);
    for (const other of [there, elsewhere]) {
      await signIn(other, email);
      await other.page.getByRole("heading", { level: 1, name: "Start" }).waitFor();
    }
    await here.go("settings");
    await here.page.getByText("This service sends no email, so it can’t tell you").waitFor();
    expect(await here.page.getByRole("switch").count()).toBe(0);
    const devices = here.page.getByRole("region", { name: "Signed-in devices" });
    await expect.poll(() => devices.getByText(/^Last used/).count()).toBe(3);
    await devices
      .getByRole("button", { name: /^Sign out/ })
      .nth(1)
      .click();
    await expect.poll(() => devices.getByText(/^Last used/).count()).toBe(2);

    await here.page.getByLabel("Current password", { exact: true }).fill(OTHER_PASSWORD);
    await here.page.getByLabel("New password", { exact: true }).fill(OTHER_PASSWORD);
    await here.page.getByRole("button", { name: "Change password" }).click();
    await here.page.getByRole("alert").getByText("This is not your current password").waitFor();
    await here.page.getByLabel("Current password", { exact: true }).fill(PASSWORD);
    await here.page.getByRole("button", { name: "Change password" }).click();
    await here.page.locator(".arrival:focus").getByText("Your password has been changed").waitFor();
    await expect.poll(() => devices.getByText(/^Last used/).count()).toBe(1);
    for (const other of [there, elsewhere]) {
      await other.go("keys");
      await other.page.getByText("Your session has ended. Sign in again.").waitFor();
    }
    expect(here.troubles).toEqual([]);
  });

  it("delete the account with its keys, and only with its password", async () => {
    const visitor = await visit(fixture);
    const { page } = visitor;
    const key = await signUp(visitor, "leaving@fabel.example");
    await visitor.go("settings");
    await page.getByRole("button", { name: "Delete account" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.locator("input").fill(OTHER_PASSWORD);
    await dialog.getByRole("button", { name: "Delete permanently" }).click();
    await dialog.getByRole("alert").getByText("Nothing was deleted").waitFor();
    expect((await call(fixture, key, "/v1/usage")).status).toBe(200);
    await dialog.locator("input").fill(PASSWORD);
    await dialog.getByRole("button", { name: "Delete permanently" }).click();
    await page.getByRole("heading", { name: "Welcome back" }).waitFor();
    await page.getByText("Your account and all its keys have been deleted.").waitFor();
    expect(await page.getByText("Your session has ended").count()).toBe(0);
    expect((await call(fixture, key, "/v1/usage")).status).toBe(401);
  });
});

describe("plans and the operator", () => {
  it("a plan is asked by the member and given by the operator, and counts at once", async () => {
    const [member, operator] = [await visit(fixture), await visit(fixture)];
    const key = await signUp(member, "member@fabel.example");
    await signUp(operator, "boss@fabel.example");
    await operator.go("operator");
    expect(await operator.page.getByRole("link", { name: "Operator" }).count()).toBe(0);
    const id = await accountIdOf(operator);
    expect((await opzoek(["account", "admin", id], fixture.world.environment)).code).toBe(0);

    await member.go("plan");
    await member.page.getByRole("button", { name: "Request this plan: Pro" }).click();
    await member.page.getByText(/^You requested Pro on/).waitFor();
    await operator.page.reload();
    await operator.page.getByRole("link", { name: "Operator" }).click();
    await operator.page.getByRole("tab", { name: "Requests" }).click();
    await operator.page.getByText("From Free to Pro").waitFor();
    await operator.page.getByRole("button", { name: "Give Pro: member@fabel.example" }).click();
    await operator.page.getByText("No pending requests.").waitFor();
    await member.page.reload();
    await member.page.locator(".plan[data-mine]").getByText("Pro", { exact: true }).waitFor();
    expect((await call(fixture, key, "/v1/usage")).body).toMatchObject({
      tier: "pro",
      tokens: { limit: 5_000 },
    });

    await operator.page.getByRole("tab", { name: "Accounts" }).click();
    await operator.page.getByLabel("Search by email address or account").fill("member@");
    await operator.page.keyboard.press("Enter");
    await operator.page.getByText("Accounts found: 1").waitFor();
    await changesPlanByIntent(operator.page, key);
    await operator.page.getByRole("button", { name: "Suspend: member@fabel.example" }).click();
    await operator.page.getByRole("dialog").getByRole("button", { name: "Suspend", exact: true }).click();
    await operator.page.getByRole("button", { name: "Resume: member@fabel.example" }).waitFor();
    expect((await call(fixture, key, "/v1/lookup/50000001")).status).toBe(403);
    await member.page.reload();
    await member.page.getByText("This account is suspended").waitFor();
    await operator.page.getByRole("button", { name: "Resume: member@fabel.example" }).click();
    await operator.page.getByRole("button", { name: "Suspend: member@fabel.example" }).waitFor();
    expect((await call(fixture, key, "/v1/lookup/50000001")).status).toBe(200);

    await opzoek(["account", "suspend", await accountIdOf(member)], fixture.world.environment);
    await opzoek(["account", "delete", await accountIdOf(member)], fixture.world.environment);
    await operator.page.getByRole("tab", { name: "Service" }).click();
    await operator.page.getByRole("tab", { name: "Accounts" }).click();
    const kept = operator.page.getByRole("region", { name: "Suspended and deleted" });
    await kept.getByText(/^Suspended since .* 20\d\d, kept until .* 20\d\d$/).waitFor();
    await kept.getByText("opzoek account resume --email ADDRESS").waitFor();

    await operator.page.getByRole("tab", { name: "Service" }).click();
    await operator.page.getByText(/^snapshot-.*\.sqlite$/).waitFor();
    const address = operator.page.getByText("VIES, from this server’s address").locator("..");
    expect(await address.innerText()).toMatch(/In use$/);
    expect(await operator.page.getByText("refuses").count()).toBe(0);
    expect([...member.troubles, ...operator.troubles]).toEqual([]);
  });
});
