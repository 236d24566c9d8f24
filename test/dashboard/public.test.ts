/** What somebody without an account sees: what this is, companies where the operator allows it, and how the service is. */
import { expect, it } from "vitest";
import { BAKERY, COMPANIES } from "../kit/companies.ts";
import { startVies } from "../kit/vies.ts";
import { openStage, visit } from "./support/visit.ts";

const bakery = COMPANIES.find(({ facts }) => facts.kvkNumber === BAKERY)?.facts.name ?? "";

it("a visitor searches without an account, reads the plans, and sees how VIES answered", async () => {
  const vies = await startVies();
  const fixture = await openStage({ environment: { PUBLIC_SEARCH: "on", VIES_URL: vies.url } });
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

it("every page says that the companies are fictional and links to the operator's pages; so does each “ask the operator”", async () => {
  const contact = "mailto:help@companies.example";
  const fixture = await openStage({
    companies: COMPANIES.slice(0, 3).map((company) => ({ ...company, origin: "demo" })),
    environment: {
      SIGNUP: "invite",
      OPERATOR_CONTACT: "help@companies.example",
      TERMS_URL: "https://companies.example/terms",
      PRIVACY_URL: "https://companies.example/privacy",
    },
  });
  const { page } = await visit(fixture);
  for (const path of ["/", "/#/status", "/#/sign-in", "/docs/"]) {
    await page.goto(path);
    await page.getByRole("note").getByText("Demo: all companies and people here are fictional.").waitFor();
    for (const [name, href] of [
      ["Contact", contact],
      ["Terms of use", "https://companies.example/terms"],
      ["Privacy statement", "https://companies.example/privacy"],
    ] as const)
      expect(await page.getByRole("link", { name, exact: true }).last().getAttribute("href")).toBe(href);
  }
  await page.goto("/#/sign-up");
  const named = page.getByRole("link", { name: "the operator of this service" });
  expect(await named.first().getAttribute("href")).toBe(contact);
});
