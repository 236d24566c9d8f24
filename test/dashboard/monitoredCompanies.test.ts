/** Monitored companies show their own data, and the page says what the sources of the service can report. */
import { readFile } from "node:fs/promises";
import type { Page } from "playwright-core";
import { expect, it } from "vitest";
import type { Monitor } from "../../src/contract/monitors.ts";
import { importFacts } from "../../src/registry/importFacts.ts";
import { registryDirectory } from "../../src/registry/paths.ts";
import { BAKERY, COMPANIES, ENDED, NO_ADDRESS } from "../kit/companies.ts";
import type { WorldOptions } from "../kit/world.ts";
import { describeViolations, violationsOn } from "./support/axe.ts";
import { overflows } from "./support/overflow.ts";
import { openStage, signUp, visit } from "./support/visit.ts";

const ENDED_NAME = "Bakkerij Het Laatste Sprookje V.O.F.";

const button = (page: Page, name: string) => page.getByRole("button", { name, exact: true });

/** Checks that the screen is accessible and fits on a phone and a desktop. */
async function expectGood(page: Page): Promise<void> {
  for (const width of [360, 1440]) {
    await page.setViewportSize({ width, height: 900 });
    expect(describeViolations(await violationsOn(page)), `at ${width}`).toEqual([]);
    expect(await overflows(page), `at ${width}`).toEqual([]);
  }
}

async function enter(email: string, options: WorldOptions = {}, locale = "en-GB") {
  const fixture = await openStage(options);
  const visitor = await visit(fixture, { locale });
  await signUp(visitor, email);
  await visitor.go("monitors");
  return { ...visitor, world: fixture.world };
}

it("show the present name, city and state of each company, with sources that say what they report, and mark companies without one", async () => {
  const environment = { REGISTRY_POLL_SECONDS: "1" };
  const { page, troubles, world } = await enter("states@fabel.example", { environment });
  const box = page.getByRole("combobox", { name: "Name or KVK number" });
  await box.fill("fabelkorst");
  await page.getByRole("option", { name: /Fabelkorst/ }).click();
  await button(page, "Monitor company").click();
  await page.getByTestId(`monitor-${BAKERY}`).waitFor();
  const tried = async <T>(data: object) => {
    const headers = { "sec-fetch-site": "same-origin" };
    const answer = await page.context().request.post("/account/try", { data, headers });
    return (await answer.json()) as { readonly status: number; readonly body: T };
  };
  const body = JSON.stringify({ kvkNumbers: [ENDED, NO_ADDRESS], metadata: { debtor: "Ünal-42" } });
  expect((await tried({ method: "POST", path: "/v1/monitors", body })).status).toBe(200);
  await page.reload();
  const row = (number: string) => page.getByTestId(`monitor-${number}`);
  await row(ENDED).getByText(`KVK ${ENDED} · Verzinstad`).waitFor();
  const cells = async (number: string) => (await row(number).innerText()).replace(/\s+/g, " ");
  expect(await cells(ENDED)).toMatch(new RegExp(`^${ENDED_NAME} .*Deregistered Followed since`));
  expect(await cells(BAKERY)).toMatch(/^Bakkerij De Fabelkorst B\.V\. .*Active Followed since/);
  // The page keeps nothing of its own in the customer's fields.
  const list = await tried<{ monitors: readonly Monitor[] }>({ method: "GET", path: "/v1/monitors" });
  expect(list.body.monitors.map(({ metadata }) => metadata?.name)).toEqual(Array(3).fill(undefined));

  await page.getByText("Reported here: name changed, address changed,").waitFor();
  await page.getByText("Not reported, because no source has it: insolvency changed.").first().waitFor();
  const sources = page.getByRole("region", { name: "Sources" });
  expect((await sources.innerText()).replace(/\s+/g, " ")).toContain("fabel (own file)");
  await sources
    .getByText("A change appears once the operator of this service has loaded newer data")
    .waitFor();
  await expectGood(page);

  await page.getByLabel("Search by name, number or city").fill("unal");
  await page.getByText("2 of 3 companies").waitFor();
  await page.getByLabel("Show", { exact: true }).selectOption({ label: "Deregistered companies" });
  await page.getByText("1 of 3 companies").waitFor();
  const [download] = await Promise.all([
    page.waitForEvent("download"),
    button(page, "Download as CSV").click(),
  ]);
  expect(download.suggestedFilename()).toBe("opzoek-monitored-companies.csv");
  const lines = (await readFile(await download.path(), "utf8")).trimEnd().split("\r\n");
  expect(lines).toHaveLength(2);
  expect(lines[1]).toMatch(
    new RegExp(`^${ENDED},${ENDED_NAME},Verzinstad,Deregistered,Followed,.*,fabel \\(own file\\),,Ünal-42$`),
  );

  const remaining = COMPANIES.filter(({ facts }) => facts.kvkNumber !== NO_ADDRESS);
  await importFacts(registryDirectory(world.dataDir), remaining, { replace: true });
  await expect
    .poll(async () => {
      await page.reload();
      await row(BAKERY).waitFor();
      return page.getByText("Not watched", { exact: true }).filter({ visible: true }).count();
    })
    .toBe(1);
  expect(await cells(NO_ADDRESS)).toMatch(/ – Followed since .* Not watched /);
  await expectGood(page);

  await page.getByRole("tab", { name: /^Changes/ }).click();
  await page.getByText("Newest first. Changes are kept for 90 days.").waitFor();
  await page.getByText("Found at the first look, so it may be older").waitFor();
  expect(troubles).toEqual([]);
});

it("promise insolvency and answers of KVK in Dutch where KVK's data is asked", async () => {
  const environment = {
    KVK_API_KEY: "sleutel",
    KVK_API_URL: "http://127.0.0.1:1",
    KVK_OPEN_DATA_URL: "http://127.0.0.1:1",
    KVK_OPEN_DATA_PER_MINUTE: "1",
  };
  const { page, troubles } = await enter("kvk@fabel.example", { environment }, "nl-NL");
  await page.getByText(/Hier wordt gemeld: .*, insolventie gewijzigd, LEI gewijzigd\./).waitFor();
  await page.getByText("U volgt nog geen bedrijf.").waitFor();
  const sources = page.getByRole("region", { name: "Bronnen" });
  const shown = await sources.innerText();
  for (const name of ["fabel (eigen bestand)", "GLEIF", "KVK Open Data"]) expect(shown).toContain(name);
  expect(shown).not.toContain("Niet gemeld, omdat");
  expect(shown).toContain("of de KVK antwoord geeft over het bedrijf");
  await expectGood(page);
  expect(troubles).toEqual([]);
});
