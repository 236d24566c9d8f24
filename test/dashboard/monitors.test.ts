/**
 * Monitors: companies are added, their changes read, filtered and downloaded, webhooks tested, and monitors removed.
 */
import { readFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import type { Page } from "playwright-core";
import { beforeAll, describe, expect, it } from "vitest";
import { openCommandState } from "../../src/app/compose/state.ts";
import { readSettings } from "../../src/app/settings/settings.ts";
import { afterFile } from "../kit/afterFile.ts";
import { BAKERY, COMPANIES, ENDED, FERRY, PO_BOX, UNKNOWN } from "../kit/companies.ts";
import { describeViolations, violationsOn } from "./support/axe.ts";
import { overflows } from "./support/overflow.ts";
import { accountIdOf, openStage, type StoreFixture, signUp, visit } from "./support/visit.ts";

const TIER = { monthlyTokens: 500, ratePerMinute: 1_000 };
const ENDED_NAME = "Bakkerij Het Laatste Sprookje V.O.F.";
const AS_OF = "2026-06-01T00:00:00.000Z";

let fixture: StoreFixture;
/** Ids of the messages that the receiver accepted. */
const received: string[] = [];
let receiver = "";
beforeAll(async () => {
  const server = createServer((request, response) => {
    received.push(String(request.headers["webhook-id"]));
    request.resume();
    response.writeHead(204).end();
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  afterFile(() => new Promise((resolve) => server.close(resolve)));
  receiver = `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`;
  fixture = await openStage({
    tiers: { free: { ...TIER, maxMonitors: 3 }, tiny: { ...TIER, maxMonitors: 1 } },
    environment: { REGISTRY_POLL_SECONDS: "1", WEBHOOK_NETWORKS: "127.0.0.1" },
  });
});

/** Gives an account the plan with one monitor, and pauses the others now instead of within a minute. */
async function downgrade(accountId: string): Promise<void> {
  const { environment } = fixture.world;
  await fixture.world.withAccounts((accounts) => accounts.setTier(accountId, "tiny"));
  const settings = readSettings(environment);
  const state = await openCommandState(settings);
  await state.monitors.alignMonitors(settings.TIERS_FILE);
  await state.close();
}

const button = (page: Page, name: string | RegExp) => page.getByRole("button", { name, exact: true });

/** Checks that the screen is accessible and fits on a phone and a desktop. */
async function expectGood(page: Page, where: string): Promise<void> {
  for (const width of [360, 1440]) {
    await page.setViewportSize({ width, height: 900 });
    expect(describeViolations(await violationsOn(page)), `${where} at ${width}`).toEqual([]);
    expect(await overflows(page), `${where} at ${width}`).toEqual([]);
  }
}

/** Publishes changes of companies, as an import does. */
async function publish(changes: Readonly<Record<string, object>>): Promise<void> {
  const changed = COMPANIES.filter(
    ({ origin, facts }) => origin === "import:fabel" && facts.kvkNumber in changes,
  );
  await fixture.world.import(
    changed.map((company) => ({
      ...company,
      asOf: AS_OF,
      facts: { ...company.facts, ...changes[company.facts.kvkNumber] },
    })),
  );
}

/** Adds the bakery by search and two other companies by number. */
async function enter(email: string): Promise<{ page: Page; troubles: readonly string[]; id: string }> {
  const visitor = await visit(fixture);
  const { page } = visitor;
  await signUp(visitor, email);
  await visitor.go("monitors");
  await page.getByText("You don’t monitor a company yet.").waitFor();
  const box = page.getByRole("combobox", { name: "Name or KVK number" });
  await box.fill("fabelkorst");
  await page.getByRole("option", { name: /Fabelkorst/ }).click();
  await button(page, "Monitor company").click();
  await page.getByText("Bakkerij De Fabelkorst B.V. is monitored.").waitFor();
  await page.getByTestId(`monitor-${BAKERY}`).waitFor();
  return { page, troubles: visitor.troubles, id: await accountIdOf(visitor) };
}

describe("monitors", () => {
  it("report changes of companies that were added by search and by number, and pause beyond the limit of the plan", async () => {
    const { page, troubles, id } = await enter("changes@fabel.example");
    await page.getByText("Monitor a list of KVK numbers").click();
    await page.getByLabel("KVK numbers").fill(`KVK\n${FERRY.slice(1)}\n${UNKNOWN}\n${ENDED}\nno number`);
    await button(page, "Monitor companies").click();
    await page.getByText("Companies that are monitored: 2.").waitFor();
    const refused = page.getByTestId("list-progress");
    await refused.getByText("Not monitored: 2. They are still in the box above.").waitFor();
    await refused.getByText(`There is no company with this number in the registry. ${UNKNOWN}`).waitFor();
    await refused.getByText(/^A KVK number has eight digits.* no number$/).waitFor();
    expect(await page.getByLabel("KVK numbers").inputValue()).toBe(`${UNKNOWN}\nno number`);
    await page.getByText("3 of at most 3 with your plan.").waitFor();
    // One more is over the limit.
    await page.getByLabel("KVK numbers").fill(PO_BOX);
    await button(page, "Monitor companies").click();
    await refused.getByText(/^You have as many monitors as your plan allows\..* 50000005$/).waitFor();
    await page.getByRole("combobox", { name: "Name or KVK number" }).fill(PO_BOX);
    await button(page, "Monitor company").click();
    // Both under the list and under the company.
    const overLimit = page.getByText("You have as many monitors as your plan allows.");
    await expect.poll(() => overLimit.count()).toBe(2);

    await publish({
      [BAKERY]: {
        address: {
          kind: "visiting",
          street: "Deegplein",
          houseNumber: "2",
          postalCode: "4321 BA",
          city: "Sagendam",
          country: "NL",
        },
        activities: [{ sbiCode: "5621", description: "Eventcatering", isMain: true }],
      },
      [FERRY]: { isActive: false, deregistrationDate: "2026-05-31" },
    });
    await expect
      .poll(async () => {
        await page.reload();
        await page.getByTestId(`monitor-${BAKERY}`).waitFor();
        return page
          .getByTestId("unread")
          .first()
          .innerText({ timeout: 2_000 })
          .catch(() => "");
      })
      .toMatch(/4$/);
    await page.getByRole("tab", { name: /^Changes/ }).click();
    const events = page.getByTestId("event");
    // One is the end of a company that was found at the first look.
    await expect.poll(() => events.count()).toBe(4);
    const moved = page.locator("[data-testid=event][data-state='company.moved']");
    expect((await moved.innerText()).replace(/\s+/g, " ")).toContain(
      "Address Before Sprookjeslaan 17M, 1234 AB Verzinstad Now Deegplein 2, 4321 BA Sagendam fabel (own file), as of 1 June 2026",
    );
    expect(await moved.innerText()).toContain("Bakkerij De Fabelkorst B.V.");
    expect((await events.filter({ hasText: "31 May 2026" }).innerText()).replace(/\s+/g, " ")).toContain(
      "Status Before Active Now Deregistered Date of deregistration Before – Now 31 May 2026",
    );
    await page.getByTestId("unread").first().waitFor({ state: "detached" });
    await expectGood(page, "changes");
    await page.reload();
    await expect.poll(() => events.count()).toBe(4);
    expect(await page.getByTestId("unread").count()).toBe(0);

    await page.getByLabel("Type of change").selectOption({ label: "Activities changed" });
    await expect.poll(() => events.count()).toBe(1);
    expect(await events.innerText()).toContain("5621 · Eventcatering · SBI 2008 (main activity)");
    await page.getByLabel("KVK number").fill(FERRY);
    await page.getByText("No changes match these filters.").waitFor();
    await page.getByLabel("Type of change").selectOption({ label: "All" });
    await expect.poll(() => events.count()).toBe(1);

    const [download] = await Promise.all([
      page.waitForEvent("download"),
      button(page, "Download as CSV").click(),
    ]);
    expect(download.suggestedFilename()).toBe("opzoek-changes.csv");
    const rows = (await readFile(await download.path(), "utf8")).trimEnd().split("\r\n");
    expect(rows[0]).toMatch(/^\ufeffSeen,Change,KVK number,Company,/);
    // Those of the ferry, as filtered.
    expect(rows).toHaveLength(3);
    expect(rows[1]).toContain(
      `,Deregistered,${FERRY},Stichting Het Verzonnen Veer,Status,Active,Deregistered,fabel (own file),2026-06-01,,evt_`,
    );

    await page.getByRole("tab", { name: "Costs" }).click();
    await page.getByText("3 of 3").waitFor();
    await page.getByLabel("Maximum tokens for changes per month").fill("40");
    await button(page, "Save").click();
    await page.getByText("4 of 40").waitFor();

    await downgrade(id);
    await expect
      .poll(async () => {
        await page.goto("/#/monitors");
        await page.reload();
        await page.getByTestId(`monitor-${BAKERY}`).waitFor();
        return page.locator("[data-testid^=monitor-][data-state=paused]").count();
      })
      .toBe(2);
    await page.getByText(/Paused monitors: 2\./).waitFor();
    await expectGood(page, "paused monitors");
    await page.getByTestId(`monitor-${ENDED}`).getByText("over the limit of your plan").waitFor();
    await button(page, `Remove: ${ENDED_NAME}`).click();
    await page.getByTestId(`monitor-${ENDED}`).waitFor({ state: "detached" });
    await page.getByText(`${ENDED_NAME} is no longer monitored.`).waitFor();
    expect(troubles).toEqual([]);
  });

  it("are added from a file of more numbers than fit in a few calls", async () => {
    const { page, troubles } = await enter("file@fabel.example");
    const rows = Array.from({ length: 1_200 }, (_, nth) => `Klant ${nth},${59_000_000 + nth}`);
    const file = ["Naam,KVK-nummer", `Veer,${FERRY.slice(1)}`, `Beëindigd,${ENDED}`, ...rows, "Leeg,geen"];
    await page.getByText("Monitor a list of KVK numbers").click();
    const content = { name: "klanten.csv", mimeType: "text/csv", buffer: Buffer.from(file.join("\r\n")) };
    await page.locator("input[type=file]").setInputFiles(content);
    await page.getByText("klanten.csv: 1,202 KVK numbers Leading zeros restored: 1.").waitFor();
    await button(page, "Monitor companies").click();
    await page.getByText("1,202 of 1,202. Companies that are monitored: 2.").waitFor();
    await page.getByText("Not monitored: 1,201. They are still in the box above.").waitFor();
    expect((await page.getByLabel("KVK numbers").inputValue()).split("\n")).toHaveLength(1_201);
    await page.getByTestId(`monitor-${FERRY}`).waitFor();
    await page.getByText("3 of at most 3 with your plan.").waitFor();
    await page.locator("input[type=file]").setInputFiles({ ...content, buffer: Buffer.from("%PDF-1.7") });
    await page.getByText("This isn't a CSV or Excel file.").waitFor();
    expect(troubles).toEqual([]);
  });

  it("can be edited and removed, and a removal can be undone", async () => {
    const { page, troubles } = await enter("edit@fabel.example");
    await button(page, "Edit: Bakkerij De Fabelkorst B.V.").click();
    const dialog = page.getByRole("dialog");
    for (const name of ["Name changed", "Activities changed"]) await dialog.getByLabel(name).uncheck();
    await dialog.getByLabel("Webhook (optional)").fill(receiver);
    await dialog.getByRole("button", { name: "Save" }).click();
    await dialog.getByText("A webhook needs a secret").waitFor();
    await dialog.getByRole("button", { name: "Cancel" }).click();
    await page.getByRole("tab", { name: "Webhooks" }).click();
    await page.getByText("No monitor has a webhook.").waitFor();
    await page.getByRole("tab", { name: "Companies" }).click();
    await button(page, "Edit: Bakkerij De Fabelkorst B.V.").click();
    await dialog.getByLabel("Name changed").uncheck();
    await dialog.getByLabel("Insolvency changed (no source)").uncheck();
    // The address is still there.
    await dialog.getByRole("button", { name: "Save" }).click();
    await dialog.getByRole("button", { name: "Create secret" }).click();
    await dialog.locator("pre.code", { hasText: /^whsec_/ }).waitFor();
    await dialog.getByText("A webhook needs a secret").waitFor({ state: "detached" });
    expect(describeViolations(await violationsOn(page)), "a new secret").toEqual([]);
    await dialog.getByLabel("Webhook (optional)").fill("https://10.0.0.1/x");
    await dialog.getByRole("button", { name: "Save" }).click();
    await dialog.getByText(/must be a public address/).waitFor();
    await dialog.getByLabel("Webhook (optional)").fill(receiver);
    await dialog.getByRole("button", { name: "Save" }).click();
    await dialog.waitFor({ state: "detached" });
    const row = page.getByTestId(`monitor-${BAKERY}`);
    await row.getByText(receiver).waitFor();
    expect(await row.innerText()).not.toContain("Name changed");

    await page.getByRole("tab", { name: "Webhooks" }).click();
    await button(page, `Send test: ${receiver}`).click();
    await page.getByText("A test message will be sent within seconds.").waitFor();
    await expect.poll(() => received.length).toBe(1);
    await publish({ [BAKERY]: { isActive: false } });
    await expect.poll(() => received.length, { timeout: 60_000 }).toBeGreaterThan(1);
    await page.getByRole("tab", { name: /^Changes/ }).click();
    await page.getByTestId("event").getByText("Deregistered", { exact: true }).first().waitFor();
    expect(await page.getByTestId("event").getByText("Test message").count()).toBe(0);
    const events = await page.getByTestId("event").count();
    await expect.poll(() => received.length).toBe(1 + events);
    await button(page, "Send again: Bakkerij De Fabelkorst B.V.").first().click();
    await page.getByText("The message will be sent again within seconds.").waitFor();
    await expect.poll(() => received.length).toBe(2 + events);
    expect(received.slice(1, -1)).toContain(received.at(-1));
    await page.getByRole("tab", { name: "Webhooks" }).click();
    await expectGood(page, "webhooks");
    await expect
      .poll(async () => {
        await button(page, "Refresh").click();
        return page.getByTestId("webhook").innerText();
      })
      .toMatch(/20[0-9]{2}/);

    await page.getByRole("tab", { name: "Companies" }).click();
    await button(page, "Remove: Bakkerij De Fabelkorst B.V.").click();
    await row.waitFor({ state: "detached" });
    await page.getByRole("button", { name: /^Undo/ }).click();
    await row.getByText(receiver).waitFor();
    expect(await row.innerText()).not.toContain("Name changed");
    expect(troubles).toEqual([]);
  });
});
