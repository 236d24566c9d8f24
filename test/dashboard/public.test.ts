/** What somebody without an account sees: what this is, companies where the operator allows it, and how the service is. */
import { expect, it } from "vitest";
import { BAKERY, COMPANIES } from "../kit/companies.ts";
import { openStage, visit } from "./support/visit.ts";

const bakery = COMPANIES.find(({ facts }) => facts.kvkNumber === BAKERY)?.facts.name ?? "";

it("a visitor searches without an account, reads the plans, and sees how VIES answered", async () => {
  const fixture = await openStage({ environment: { PUBLIC_SEARCH: "on" } });
  const visitor = await visit(fixture, { width: 360 });
  const { page } = visitor;
  await page.goto("/");
  await page.getByRole("heading", { level: 1, name: "one call away" }).waitFor();
  await page.getByRole("heading", { level: 3, name: "Free", exact: true }).waitFor();
  await page.getByRole("combobox", { name: "Name or KVK number" }).fill(bakery.slice(0, 6));
  await page.getByRole("option", { name: bakery }).click();
  await page.getByTestId("chosen").getByText(BAKERY).waitFor();

  await page.getByRole("link", { name: "Status of the service" }).click();
  await page.getByRole("heading", { level: 1, name: "Status" }).waitFor();
  await page.getByText("VIES wasn’t asked about any VAT number").waitFor();
  await page.getByText("Not asked yet").waitFor();
  await page.getByText("The service is operational; VIES hasn’t been asked yet").waitFor();
  expect(await page.getByText("VAT numbers are being checked as usual.").count()).toBe(0);
  await page.getByRole("link", { name: "Sign in" }).click();
  await page.getByRole("heading", { name: "Welcome back" }).waitFor();
  expect(visitor.troubles).toEqual([]);
});

it("nothing is searched where the operator does not allow it, and an outage is told as one", async () => {
  const fixture = await openStage();
  const visitor = await visit(fixture);
  const { page } = visitor;
  await page.goto("/");
  await page.getByRole("link", { name: "Create account" }).first().waitFor();
  expect(await page.getByRole("combobox", { name: "Name or KVK number" }).count()).toBe(0);
  await page.route("**/account/status", (route) => route.abort());
  await page.getByRole("link", { name: "Status of the service" }).click();
  await page.getByRole("alert").first().waitFor();
  expect(await page.getByRole("heading", { name: "Company registry" }).count()).toBe(0);
  await page.unroute("**/account/status");
  await page.getByRole("heading", { name: "Company registry" }).waitFor();
});
