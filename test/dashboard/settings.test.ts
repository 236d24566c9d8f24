/** Passwords, devices, plans and deleting the account. */
import type { Page } from "playwright-core";
import { beforeAll, describe, expect, it } from "vitest";
import { opzoek } from "../kit/opzoek.ts";
import { thoroughDescribe, thoroughIt } from "../kit/thorough.ts";
import {
  accountIdOf,
  call,
  openStage,
  PASSWORD,
  type StoreFixture,
  signIn,
  signUp,
  type Visit,
  visit,
} from "./support/visit.ts";

const OTHER_PASSWORD = "vier losse woorden samen";
let fixture: StoreFixture;
beforeAll(async () => {
  fixture = await openStage();
});

/** Changes of plans and suspensions need a confirmation and can be undone; operators cannot suspend themselves. */
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
  thoroughIt("sign out other devices, one by one or all with a new password", async () => {
    const email = "devices@fabel.example";
    const [here, there, elsewhere] = [await visit(fixture), await visit(fixture), await visit(fixture)];
    await signUp(here, email);
    for (const other of [there, elsewhere]) {
      await signIn(other, email);
      await other.page.getByRole("heading", { level: 1, name: "Start" }).waitFor();
    }
    await here.go("settings");
    await here.page.getByText("This service sends no email, so it can’t warn you").waitFor();
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

  it("delete the account and its keys, only with the password", async () => {
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

    // The audit log names the person as the holder, not as an operator.
    const operator = await visit(fixture);
    await signUp(operator, "reads-audit@fabel.example");
    await opzoek(["account", "admin", await accountIdOf(operator)], fixture.world.environment);
    await operator.page.reload();
    await operator.go("operator/audit");
    const deleted = operator.page.getByTestId("audit-entry").filter({ hasText: "Account deleted" });
    await deleted.getByText("Account holder").first().waitFor();
  });
});

/** The operator's page of an account: a note, a password link, signing out; an invite; and the audit log of these. */
async function worksOnOneAccount(operator: Page, member: Visit): Promise<void> {
  await operator.getByRole("link", { name: "member@fabel.example" }).click();
  await operator.getByRole("heading", { level: 1, name: "member@fabel.example" }).waitFor();
  await operator.getByTestId("key-first key").waitFor();
  await operator.getByTestId("call").first().waitFor();
  await operator
    .getByRole("region", { name: "Usage" })
    .getByRole("row", { name: /^Lookup/ })
    .waitFor();

  const note = operator.getByRole("region", { name: "Note" });
  const text = note.getByLabel("Text");
  await text.fill("Pays by invoice.");
  await note.getByRole("button", { name: "Save" }).click();
  await note.getByText(/^Last changed by boss@fabel\.example on /).waitFor();
  await text.fill("Pays late.");
  await note.getByRole("button", { name: "Save" }).click();
  await note.getByRole("button", { name: "Undo" }).click();
  await expect.poll(() => text.inputValue()).toBe("Pays by invoice.");
  await operator.reload();
  await expect.poll(() => text.inputValue()).toBe("Pays by invoice.");

  await operator.getByRole("button", { name: "Create password link" }).click();
  const dialog = operator.getByRole("dialog");
  await dialog.getByLabel("Your own password", { exact: true }).fill(OTHER_PASSWORD);
  await dialog.getByRole("button", { name: "Create link" }).click();
  await dialog.getByRole("alert").getByText("This is not your password.").waitFor();
  await dialog.getByLabel("Your own password", { exact: true }).fill(PASSWORD);
  await dialog.getByRole("button", { name: "Create link" }).click();
  const link = await dialog.locator("pre.code").innerText();
  expect(link).toMatch(new RegExp(`^${fixture.address}/#reset=[A-Za-z0-9_-]{40,}$`));
  await dialog.getByRole("button", { name: "I’ve saved it" }).click();
  await expect.poll(() => operator.getByText(link).count()).toBe(0);

  const sessions = operator.getByRole("region", { name: "Signed-in devices" });
  await sessions.getByText(/^Devices: 1\. Last used /).waitFor();
  await sessions.getByRole("button", { name: "Sign out everywhere" }).click();
  await dialog.getByRole("button", { name: "Sign out everywhere" }).click();
  await sessions.getByText("Not signed in anywhere.").waitFor();
  await member.page.reload();
  await member.page.getByRole("heading", { name: "Welcome back" }).waitFor();
  await signIn(member, "member@fabel.example");
  await member.page.getByRole("heading", { level: 1, name: "Start" }).waitFor();

  const plans = Promise.withResolvers<void>();
  await operator.route("**/account/plans", async (route) => {
    await plans.promise;
    await route.continue();
  });
  await operator.getByRole("link", { name: "← All accounts" }).click();
  await operator.getByRole("button", { name: "Invite someone" }).click();
  // A reload while the form is open does not close it.
  await dialog.getByLabel("Plan").waitFor();
  plans.resolve();
  await dialog.getByLabel("Plan").selectOption("starter");
  await dialog.getByRole("button", { name: "Create invite" }).click();
  await dialog.getByText(/\/#invite=[A-Za-z0-9_-]{40,}$/).waitFor();
  await dialog.getByRole("button", { name: "I’ve saved it" }).click();

  await operator.getByRole("tab", { name: "Audit log" }).click();
  const entries = operator.getByTestId("audit-entry");
  await entries.filter({ hasText: "Invite created" }).getByText("Starter").waitFor();
  await operator.getByLabel("Account: email address or ID").fill("nobody@fabel.example");
  await operator.keyboard.press("Enter");
  await operator.getByRole("alert").getByText("No account has this address.").waitFor();
  await operator.getByLabel("Account: email address or ID").fill("member@fabel.example");
  await operator.keyboard.press("Enter");
  await entries.filter({ hasText: "Signed out everywhere" }).getByText("1 signed out").waitFor();
  expect(await entries.filter({ hasText: "Note changed" }).count()).toBe(3);
  await operator.getByLabel("Action").selectOption("password link");
  await expect.poll(() => entries.count()).toBe(1);
  await entries.getByRole("link", { name: "member@fabel.example" }).click();
  await operator.getByRole("heading", { level: 1, name: "member@fabel.example" }).waitFor();
  await operator.getByRole("link", { name: "← All accounts" }).click();
}

thoroughDescribe("plans and the operator", () => {
  it("a plan is requested by the member, granted by the operator, and effective immediately", async () => {
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
    const way = operator.page.getByRole("link", { name: "Operator Pending requests: 1" });
    await way.click();
    await operator.page.getByRole("tab", { name: "Requests Pending requests: 1" }).click();
    await operator.page.getByText("From Free to Pro").waitFor();
    await operator.page.getByRole("button", { name: "Give Pro: member@fabel.example" }).click();
    await operator.page.getByText("No pending requests.").waitFor();
    await operator.page.getByTestId("waiting").first().waitFor({ state: "detached" });
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

    await worksOnOneAccount(operator.page, member);

    await opzoek(["account", "suspend", await accountIdOf(member)], fixture.world.environment);
    await opzoek(["account", "delete", await accountIdOf(member)], fixture.world.environment);
    await operator.page.getByRole("tab", { name: "Service" }).click();
    await operator.page.getByRole("tab", { name: "Accounts" }).click();
    const section = operator.page.getByRole("region", { name: "Suspended and deleted" });
    await section.getByText(/^Suspended since .* 20\d\d, kept until .* 20\d\d$/).waitFor();
    await section.getByText("opzoek account resume --email ADDRESS").waitFor();

    await operator.page.getByRole("tab", { name: "Service" }).click();
    await operator.page.locator("dd", { hasText: /^snapshot-.*\.sqlite$/ }).waitFor();
    await operator.page.getByRole("row", { name: /^snapshot-1\.sqlite Base .* ago\) / }).waitFor();
    const address = operator.page.getByText("VIES, from this server’s address").locator("..");
    expect(await address.innerText()).toMatch(/In use$/);
    expect(await operator.page.getByText("refuses").count()).toBe(0);
    expect([...member.troubles, ...operator.troubles]).toEqual([]);
  });
});
