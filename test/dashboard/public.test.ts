/** The pages for visitors: the landing page, the public search and the status. */
import { expect, it } from "vitest";
import { BAKERY, COMPANIES, UNKNOWN } from "../kit/companies.ts";
import { thoroughIt, variants } from "../kit/thorough.ts";
import { startVies } from "../kit/vies.ts";
import { openStage, type StoreFixture, visit } from "./support/visit.ts";

const bakery = COMPANIES.find(({ facts }) => facts.kvkNumber === BAKERY)?.facts.name ?? "";

let opened: Promise<StoreFixture> | undefined;
/** Returns a service with a public search, one for all tests of the file. */
function searchable(): Promise<StoreFixture> {
  opened ??= openStage({ environment: { PUBLIC_SEARCH: "on" } });
  return opened;
}

it("a visitor can search without an account, read the plans, and see the status of VIES", async () => {
  const vies = await startVies();
  const fixture = await openStage({ environment: { PUBLIC_SEARCH: "on", VIES_URL: vies.url } });
  const visitor = await visit(fixture, { width: 360 });
  const { page } = visitor;
  await page.goto("/");
  await page.getByRole("heading", { level: 1, name: "one call away" }).waitFor();
  await page.getByRole("heading", { level: 3, name: "Free", exact: true }).waitFor();
  await page.getByRole("combobox", { name: "Name or KVK number" }).fill(bakery.slice(0, 6));
  await page.getByRole("option", { name: bakery }).click();
  await page.getByTestId("chosen").getByText(BAKERY).first().waitFor();

  await page.getByRole("link", { name: "Status of the service" }).click();
  await page.getByRole("heading", { level: 1, name: "Status" }).waitFor();
  await page.getByText("No VAT numbers were checked with VIES").waitFor();
  await page.getByText("Not used yet").waitFor();
  await page.getByText("The service is operational; VIES hasn’t been used yet").waitFor();
  expect(await page.getByText("VAT numbers are being checked as usual.").count()).toBe(0);
  await page.getByRole("link", { name: "Sign in" }).click();
  await page.getByRole("heading", { name: "Welcome back" }).waitFor();
  expect(visitor.troubles).toEqual([]);
});

it.each(
  variants(
    [
      ["a KVK number", BAKERY, bakery, `/v1/lookup/${BAKERY}`],
      ["a KVK number as people write it", "KVK 50.000.001", bakery, `/v1/lookup/${BAKERY}`],
      ["a misspelling", "fabelkrost", "No exact match.", `/v1/lookup/${BAKERY}`],
      ["an unknown number", UNKNOWN, "Check the digits, or search by name.", `/v1/lookup/${UNKNOWN}`],
      ["a VAT number", "nl 9123.45.603.b01", "That requires a key", "/v1/validate/vat/NL912345603B01"],
    ],
    { ordinary: 1 },
  ),
)("a visitor gets an answer, the request and next steps for %s", async (_what, typed, answer, path) => {
  const fixture = await searchable();
  const { page, troubles } = await visit(fixture);
  await page.goto("/");
  const box = page.getByRole("combobox", { name: "Name or KVK number" });
  await box.fill(typed);
  if (typed === "fabelkrost") await page.getByRole("option").first().click();
  const card = page.getByTestId("chosen");
  await card.getByText(answer).first().waitFor();
  expect(await card.getByRole("tabpanel").innerText()).toContain(fixture.address + path);
  await card.getByRole("link", { name: "Test keys" }).waitFor();
  await card.getByRole("link", { name: "Create account" }).click();
  await page.locator("input[autocomplete=new-password]").waitFor();
  expect(troubles).toEqual([]);
});

thoroughIt("a search without results suggests what to do, and says what was searched", async () => {
  const { page } = await visit(await searchable());
  const searched: string[] = [];
  page.on("request", (request) => {
    if (request.url().includes("/account/suggestions")) searched.push(request.url());
  });
  await page.goto("/");
  const box = page.getByRole("combobox", { name: "Name or KVK number" });
  await box.fill("NL912345603B01");
  await page.getByTestId("chosen").waitFor();
  await box.fill("zzzzqqqq");
  await page.getByText("No company found. Check the spelling").waitFor();
  await box.blur();
  expect(await page.getByText("No company found. Check the spelling").isVisible()).toBe(true);
  expect(searched.at(-1)).toContain("zzzzqqqq");
  await page.getByText(/^Searched: [\d,]+ companies \(/).waitFor();
});

it("the search is absent unless the operator allows it, and an outage is reported as such", async () => {
  const fixture = await openStage();
  const visitor = await visit(fixture);
  const { page } = visitor;
  const { promise: isOffered, resolve: offer } = Promise.withResolvers<void>();
  await page.route("**/account/offer", (route) => isOffered.then(() => route.continue()));
  await page.goto("/");
  await page.getByRole("link", { name: "Create account" }).first().waitFor();
  expect(await page.getByRole("combobox", { name: "Name or KVK number" }).count()).toBe(0);
  const status = page.getByRole("link", { name: "Status of the service" });
  expect(await status.count(), "links below the plans, which would move when the plans appear").toBe(0);
  offer();
  await page.route("**/account/status", (route) => route.abort());
  await status.click();
  await page.getByRole("alert").first().waitFor();
  expect(await page.getByRole("heading", { name: "Company registry" }).count()).toBe(0);
  await page.unroute("**/account/status");
  await page.getByRole("heading", { name: "Company registry" }).waitFor();
});

it("every page of the demo says that its companies are fictional and links to the operator's pages and contact", async () => {
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
