/**
 * Every mention of the operator links to the contact address, and every page of the demo says that its companies are
 * fictional.
 */
import { beforeAll, describe, expect, it } from "vitest";
import { COMPANIES } from "../kit/companies.ts";
import { openStage, type StoreFixture, signUp, type Visit, visit } from "./support/visit.ts";

const CONTACT = "mailto:help@companies.example";
const NAMED = /the operator|de beheerder/i;
const NOTE = { en: "Demo: all companies", nl: "Demo: alle bedrijven" };
const DEMO = {
  companies: COMPANIES.slice(0, 3).map((company) => ({ ...company, origin: "demo" })),
  environment: { OPERATOR_CONTACT: "help@companies.example", RECENT_CALLS: "off" },
};

let fixture: StoreFixture;
let members: Record<"en" | "nl", Visit>;
beforeAll(async () => {
  fixture = await openStage(DEMO);
  members = {
    en: await visit(fixture),
    nl: await visit(fixture, { locale: "nl-NL" }),
  };
  for (const { page } of Object.values(members))
    await page.route("**/account/two-factor", (route) =>
      route.fulfill({ json: { isOffered: false, isOn: false } }),
    );
  await signUp(members.en, "english@fabel.example");
  await signUp(members.nl, "dutch@fabel.example");
});

const TEXTS = [
  ["settings without mail", "/#/settings", /no email: ask|geen e.mail: vraag/],
  ["two-factor sign-in without a key", "/#/settings", /TWO_FACTOR_KEY/],
  ["the list of calls when it is off", "/#/calls", /switched this list off|uitgezet/],
  ["the guide to errors", "/docs/#/guides/errors", /X-Request-Id/],
  ["the guide to test keys", "/docs/#/guides/test-keys", /opzoek key create --kind test/],
] as const;

describe.each(["en", "nl"] as const)("in %s", (language) => {
  it.each(TEXTS)("the operator is linked in %s", async (_what, path, text) => {
    const { page } = members[language];
    await page.goto(path);
    const says = page.locator("p, td, [role=status]").filter({ hasText: text }).filter({ hasText: NAMED });
    const named = says.last().getByRole("link", { name: NAMED });
    await named.waitFor({ timeout: 20_000 });
    expect(await named.getAttribute("href")).toBe(CONTACT);
  });

  it("the operator is linked and the demo noted over plain HTTP and when the page cannot be loaded", async () => {
    const locale = language === "en" ? "en-GB" : "nl-NL";
    const environment = { ...DEMO.environment, PUBLIC_URL: "https://registry.fabel.example" };
    const plain = await visit(await openStage({ ...DEMO, environment }), { locale });
    const failing = await visit(fixture, { locale });
    await failing.page.route("**/account/session", (route) => route.fulfill({ status: 503, body: "" }));
    for (const { page } of [plain, failing]) {
      await page.goto("/");
      await expect.poll(() => page.getByRole("alert").count()).toBe(page === failing.page ? 1 : 0);
      await page.getByRole("note").getByText(NOTE[language]).waitFor();
      expect(await page.getByRole("link", { name: "Contact" }).getAttribute("href")).toBe(CONTACT);
    }
    const named = plain.page.getByRole("link", { name: NAMED });
    expect(await named.getAttribute("href")).toBe(CONTACT);
    await plain.page.goto("/docs/");
    await plain.page.getByRole("note").getByText(NOTE[language]).waitFor();
  });
});
