/** Another address for an account, and one's data as a file. */
import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { startMailServer } from "../kit/mailServer.ts";
import { openPublicStage, PASSWORD, PUBLIC_URL, signIn, visit } from "./support/visit.ts";

it("an address is changed by a link and the password, and what is held can be downloaded", async () => {
  const server = await startMailServer();
  const fixture = await openPublicStage({ SMTP_URL: server.url });
  const visitor = await visit(fixture);
  const { page } = visitor;
  const [email, next] = ["before@fabel.example", "after@fabel.example"];
  const linkIn = (text = "") => new RegExp(`^${PUBLIC_URL}/#\\S+$`, "m").exec(text)?.[0] ?? "";
  await page.goto("/#/sign-up");
  await page.locator("input[type=email]").fill(email);
  await page.locator("input[autocomplete=new-password]").fill(PASSWORD);
  await page.locator("button[type=submit]").click();
  await page.goto(linkIn((await server.to(email))[0]?.text));
  await page.locator("input[autocomplete=current-password]").fill(PASSWORD);
  await page.locator("button[type=submit]").click();
  await page.getByRole("heading", { name: "Welcome to Opzoek" }).waitFor();

  await visitor.go("settings");
  const part = page.getByRole("region", { name: "Email address" });
  await part.getByLabel("New email address").fill(email);
  await part.getByRole("button", { name: "Send a link" }).click();
  await part.getByText("Enter another complete email address").waitFor();
  await part.getByLabel("New email address").fill(next);
  await part.locator("input[autocomplete=current-password]").fill("een fout woord");
  await part.getByRole("button", { name: "Send a link" }).click();
  await part.getByRole("alert").waitFor();
  await part.locator("input[autocomplete=current-password]").fill(PASSWORD);
  await part.getByRole("button", { name: "Send a link" }).click();
  await part.getByText(`We sent a mail to ${next}`).waitFor();
  const downloading = page.waitForEvent("download");
  await page.getByRole("link", { name: "Download my data" }).click();
  const file = await (await downloading).path();
  expect(JSON.parse(readFileSync(file, "utf8"))).toMatchObject({ account: { email } });

  await page.goto(linkIn((await server.to(next))[0]?.text));
  await page.getByRole("heading", { name: "Confirm your new address" }).waitFor();
  expect(page.url()).toBe(`${PUBLIC_URL}/`);
  await page.locator("input[autocomplete=current-password]").fill(PASSWORD);
  await page.getByRole("button", { name: "Change the address" }).click();
  await page.getByText("The address of your account is changed.").waitFor();
  await page.getByRole("button", { name: "Continue" }).click();
  await page.getByTitle(next).waitFor();
  const other = await visit(fixture);
  await signIn(other, next);
  await other.page.getByTitle(next).waitFor();
  expect([...visitor.troubles, ...other.troubles]).toEqual([]);
});
