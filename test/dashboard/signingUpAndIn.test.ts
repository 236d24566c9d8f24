/** Signing up and in: invites, mails, lost passwords, and mistakes in forms. */
import { beforeAll, describe, expect, it } from "vitest";
import { type MailServer, startMailServer } from "../kit/mailServer.ts";
import { opzoek } from "../kit/opzoek.ts";
import { thoroughDescribe } from "../kit/thorough.ts";
import {
  accountIdOf,
  openPublicStage,
  openStage,
  PASSWORD,
  PUBLIC_URL,
  type StoreFixture,
  signIn,
  signUp,
  type Visit,
  visit,
} from "./support/visit.ts";

const OTHER_PASSWORD = "vier losse woorden samen";

async function fill({ page }: Visit, email: string, password: string): Promise<void> {
  await page.locator("input[type=email]").fill(email);
  await page.locator("input[autocomplete$=password]").fill(password);
  await page.locator("button[type=submit]").click();
}

describe("with mail", () => {
  let fixture: StoreFixture;
  let server: MailServer;
  beforeAll(async () => {
    server = await startMailServer();
    fixture = await openPublicStage({ SMTP_URL: server.url });
  });

  async function linkFor(email: string, count: number): Promise<string> {
    const text = (await server.to(email, count)).at(-1)?.text ?? "";
    return new RegExp(`^${PUBLIC_URL}/#\\S+$`, "m").exec(text)?.[0] ?? "";
  }

  it("an address is confirmed with the link and the password, and the secret is removed from the address bar", async () => {
    const visitor = await visit(fixture);
    const { page } = visitor;
    await page.goto("/#/sign-up");
    await fill(visitor, "mail@fabel.example", PASSWORD);
    await page.getByRole("heading", { name: "Check your email" }).waitFor();
    await page.goto(await linkFor("mail@fabel.example", 1));
    await page.getByRole("heading", { name: "Almost there" }).waitFor();
    expect(page.url()).toBe(`${PUBLIC_URL}/`);
    await page.locator("input[autocomplete=current-password]").fill(OTHER_PASSWORD);
    await page.locator("button[type=submit]").click();
    await page.getByRole("alert").getByText("This link has been used or has expired").waitFor();
    await page.locator("input[autocomplete=current-password]").fill(PASSWORD);
    await page.locator("button[type=submit]").click();
    await page.getByRole("heading", { name: "Welcome to Opzoek" }).waitFor();
    expect(visitor.troubles).toEqual([]);
  });

  it("a lost password is reset with a link that works once", async () => {
    const email = "lost@fabel.example";
    const visitor = await visit(fixture);
    const { page } = visitor;
    await page.goto("/#/sign-up");
    await fill(visitor, email, PASSWORD);
    await page.getByRole("heading", { name: "Check your email" }).waitFor();
    await page.goto(await linkFor(email, 1));
    await page.locator("input[autocomplete=current-password]").fill(PASSWORD);
    await page.locator("button[type=submit]").click();
    await page.getByRole("heading", { name: "Welcome to Opzoek" }).waitFor();
    await page.getByRole("button", { name: "Sign out" }).click();
    await page.getByRole("link", { name: "Forgot your password?" }).click();
    await page.getByRole("heading", { name: "Choose a new password" }).waitFor();
    await page.getByLabel("Email address").fill(email);
    await page.getByRole("button", { name: "Send link" }).click();
    await page.getByText(`If there is an account for ${email}`).waitFor();
    const link = await linkFor(email, 2);
    await page.goto(link);
    await page.getByLabel("New password", { exact: true }).fill(OTHER_PASSWORD);
    await page.getByRole("button", { name: "Save new password" }).click();
    await page.getByText("Your new password has been saved. Sign in with it.").waitFor();
    await signIn(visitor, email, OTHER_PASSWORD);
    await page.getByRole("heading", { level: 1, name: "Start" }).waitFor();
    const second = await visit(fixture);
    await second.page.goto(link);
    await second.page.getByLabel("New password", { exact: true }).fill(PASSWORD);
    await second.page.getByRole("button", { name: "Save new password" }).click();
    await second.page.getByRole("alert").getByText("This link has been used or has expired").waitFor();
  });
});

thoroughDescribe("without mail", () => {
  let fixture: StoreFixture;
  beforeAll(async () => {
    fixture = await openStage();
  });

  it("a lost password is reset by the operator, with the command shown on the page", async () => {
    const visitor = await visit(fixture);
    await signUp(visitor, "operator@fabel.example");
    const other = await visit(fixture);
    await other.page.goto("/#/forgot");
    const command = await other.page.locator("pre.code").innerText();
    const id = await accountIdOf(visitor);
    const words = command.replace("ID", id).split(" ").slice(1);
    const { out, code } = await opzoek(words, fixture.world.environment);
    expect(code).toBe(0);
    await other.page.goto(out.trim());
    await other.page.getByLabel("New password", { exact: true }).fill(OTHER_PASSWORD);
    await other.page.getByRole("button", { name: "Save new password" }).click();
    await other.page.getByText("Your new password has been saved. Sign in with it.").waitFor();
    await signIn(other, "operator@fabel.example", OTHER_PASSWORD);
    await other.page.getByRole("heading", { level: 1, name: "Start" }).waitFor();
    await visitor.go("keys");
    await visitor.page.getByText("Your session has ended. Sign in again.").waitFor();
  });

  it("errors appear at the field, which gets the focus, before and after sending", async () => {
    const visitor = await visit(fixture);
    const { page } = visitor;
    await page.goto("/#/sign-up");
    await fill(visitor, "nobody", "short");
    await page.getByText("Enter a complete email address").waitFor();
    await page.getByText("Use at least 12 characters.").waitFor();
    await expect.poll(() => page.locator(":focus").getAttribute("type")).toBe("email");
    await fill(visitor, "mistake@fabel.example", "password1234");
    await page.getByText("This password is too easy to guess").waitFor();
    await expect.poll(() => page.locator(":focus").getAttribute("autocomplete")).toBe("new-password");
    await fill(visitor, '"odd"@fabel.example', PASSWORD);
    await page.getByText("This address can’t be used here.").waitFor();
    expect(await page.getByText("This password is too easy").count()).toBe(0);
    expect(await page.getByRole("alert").count()).toBe(0);
    await expect.poll(() => page.locator(":focus").getAttribute("type")).toBe("email");
    await page.goto("/#/sign-in");
    await page.getByRole("heading", { name: "Welcome back" }).waitFor();
    await fill(visitor, "mistake@fabel.example", PASSWORD);
    await page.getByRole("alert").getByText("This email address and password don’t match").waitFor();
    expect(visitor.troubles).toEqual([]);
    await page.evaluate(async () => {
      const body = JSON.stringify({ email: "mistake@fabel.example", password: "een fout woord" });
      const headers = { "content-type": "application/json" };
      for (let time = 0; time < 9; time++) await fetch("/account/sign-in", { method: "POST", headers, body });
    });
    await page.getByRole("button", { name: "Sign in" }).click();
    const tooMany = /^Too many incorrect passwords\. .* or from a network where you signed in before\.$/;
    await page.getByRole("alert").getByText(tooMany).waitFor();
  });
});

describe("by invite", () => {
  it("an account can be created only with the link", async () => {
    const fixture = await openStage({ environment: { SIGNUP: "invite" } });
    const visitor = await visit(fixture);
    const { page } = visitor;
    await page.goto("/#/sign-up");
    await page.getByText("You need an invitation to sign up here").waitFor();
    expect(await page.locator("input").count()).toBe(0);
    const invite = ["account", "invite", "--email", "guest@fabel.example", "--tier", "pro"];
    const { out } = await opzoek(invite, fixture.world.environment);
    await page.goto(out.trim());
    await page.getByText("You have been invited").waitFor();
    await fill(visitor, "stranger@fabel.example", PASSWORD);
    await page.getByRole("alert").getByText("is for another email address").waitFor();
    await fill(visitor, "guest@fabel.example", PASSWORD);
    await page.getByRole("heading", { name: "Welcome to Opzoek" }).waitFor();
    await expect.poll(() => page.getByTestId("remaining").innerText()).toBe("5,000");
  });
});

thoroughDescribe("over plain HTTP", () => {
  it("the page requires TLS on a public address", async () => {
    const fixture = await openStage({ environment: { PUBLIC_URL: "https://registry.fabel.example" } });
    const visitor = await visit(fixture);
    await visitor.page.goto("/");
    await visitor.page.getByRole("heading", { name: "Open this page securely" }).waitFor();
    expect(await visitor.page.locator("input").count()).toBe(0);
  });
});
