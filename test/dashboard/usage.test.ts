/** The usage on the page, compared with the ledger. */
import { readFile } from "node:fs/promises";
import { beforeAll, describe, expect, it } from "vitest";
import { BAKERY, FERRY, UNKNOWN } from "../kit/companies.ts";
import { opzoek } from "../kit/opzoek.ts";
import { thoroughIt } from "../kit/thorough.ts";
import {
  accountIdOf,
  call,
  openStage,
  type StoreFixture,
  signUp,
  type Visit,
  visit,
} from "./support/visit.ts";

let fixture: StoreFixture;
beforeAll(async () => {
  fixture = await openStage({ tiers: { free: { monthlyTokens: 50, ratePerMinute: 1_000 } } });
});

/** Returns the cells of the rows of a section's table. */
async function rowsOf({ page }: Visit, section: string): Promise<string[][]> {
  const rows = page.getByRole("region", { name: section, exact: true }).locator("tbody tr");
  await rows.first().waitFor({ state: "attached" });
  return rows.evaluateAll((list) =>
    list.map((row) => [...row.querySelectorAll("td")].map((cell) => cell.textContent?.trim() ?? "")),
  );
}

describe("usage", () => {
  it("matches the ledger after a known load: by day, by key, by month and in the file", async () => {
    const visitor = await visit(fixture);
    const key = await signUp(visitor, "load@fabel.example");
    for (const path of [
      `/v1/lookup/${BAKERY}`,
      `/v1/lookup/${BAKERY}`,
      `/v1/lookup/${UNKNOWN}`,
      `/v1/lookup/${FERRY}/branches`,
      "/v1/search?q=fabel",
      "/v1/autocomplete?q=fab&session=typed-by-somebody",
      "/v1/autocomplete?q=fabel&session=typed-by-somebody",
    ]) {
      await call(fixture, key, path);
    }
    const spent = 1 + 1 + 0 + 5 + 1 + 1;
    await visitor.go("usage");
    const failures = visitor.page.getByRole("region", { name: "Failed calls" });
    await expect
      .poll(async () => {
        await visitor.page.reload();
        await failures.getByText(/Error in the call|No failed calls/).waitFor();
        return (await failures.innerText()).replace(/\s+/g, " ");
      })
      .toMatch(/ 1 Error in the call .* 0 Error on our side/);
    await visitor.page.getByText(`${spent} of 50 used`).waitFor();
    expect(await visitor.page.getByTestId("remaining").innerText()).toBe(String(50 - spent));
    expect(await visitor.page.getByTestId("sessions").innerText()).toBe(
      "Typing sessions: 1, 1 token each. Calls for suggestions in them: 2.",
    );
    const name = `first key (…${key.slice(-4)})`;
    expect(await rowsOf(visitor, "By key")).toEqual([[name, String(spent), "7", "1", "0"]]);
    const byOperation = new Map<string, number[]>();
    for (const [, operation = "", ...cells] of await rowsOf(visitor, "By day")) {
      const before = byOperation.get(operation) ?? [0, 0, 0, 0];
      byOperation.set(
        operation,
        before.map((sum, index) => sum + Number(cells[index])),
      );
    }
    expect(Object.fromEntries(byOperation)).toEqual({
      Branches: [5, 1, 0, 0],
      Lookup: [2, 3, 1, 0],
      Search: [1, 1, 0, 0],
      "Suggestions as you type": [1, 2, 0, 0],
    });
    await visitor.page.getByText("Failed", { exact: true }).first().click();
    await visitor.page.getByRole("img", { name: "Failed by day and type of call" }).waitFor();
    const [month] = await rowsOf(visitor, "Last twelve months");
    expect(month?.slice(1, 5)).toEqual([String(spent), "7", "1", "0"]);

    const downloading = visitor.page.waitForEvent("download");
    await visitor.page.getByRole("button", { name: "Download as CSV", exact: true }).click();
    const download = await downloading;
    expect(download.suggestedFilename()).toMatch(/^opzoek-usage-\d{4}-\d{2}\.csv$/);
    const csv = (await readFile(await download.path(), "utf8")).slice(1);
    const [head = "", ...lines] = csv.trim().split(/\r?\n/);
    const column = head.split(",").indexOf("Tokens");
    expect(lines.reduce((sum, line) => sum + Number(line.split(",")[column]), 0)).toBe(spent);
    expect([head, lines.filter((line) => line.endsWith(",1,2,,,,,,")).length]).toEqual([
      expect.stringMatching(/,Typing sessions,Calls in typing sessions,Test keys: Calls,/),
      1,
    ]);
    expect(visitor.troubles).toEqual([]);
  });

  thoroughIt("warns at 80% of the allowance and when it is used up", async () => {
    const visitor = await visit(fixture);
    const key = await signUp(visitor, "notice@fabel.example");
    for (let count = 0; count < 8; count += 1) await call(fixture, key, `/v1/lookup/${FERRY}/branches`);
    await visitor.go("usage");
    await visitor.page.getByText("You have used 80% of this month’s tokens").waitFor();
    for (let count = 0; count < 3; count += 1) await call(fixture, key, `/v1/lookup/${FERRY}/branches`);
    await visitor.page.reload();
    await visitor.page.getByRole("alert").getByText("You have used all of this month’s tokens").waitFor();
    await expect
      .poll(async () => {
        await visitor.page.reload();
        const section = visitor.page.getByRole("region", { name: "Refused calls" });
        await section.getByText(/Not enough tokens left|No refused calls/).waitFor();
        return (await section.innerText()).replace(/\s+/g, " ");
      })
      .toContain("1 Not enough tokens left");
    const byDay = visitor.page.getByRole("region", { name: "By day" });
    await byDay.getByText("Failed", { exact: true }).first().click();
    await byDay.getByText("No failed calls this month.").waitFor();
  });

  thoroughIt("shows test calls separately from paid ones, to the account and to operators", async () => {
    const visitor = await visit(fixture);
    const { page } = visitor;
    await signUp(visitor, "tests@fabel.example");
    const id = await accountIdOf(visitor);
    const { environment } = fixture.world;
    const { out } = await opzoek(
      ["key", "create", "--account", id, "--name", "t", "--kind", "test"],
      environment,
    );
    const testKey = /opz_test_\w+/.exec(out)?.[0] ?? "";
    for (const path of ["/v1/lookup/99990001?enrich=true", "/v1/lookup/99990404"])
      await call(fixture, testKey, path);
    await opzoek(["account", "admin", id], environment);
    await visitor.go("usage");
    await page.getByText("Only test keys were used this month.").waitFor();
    const byKey = page.getByRole("region", { name: "By key" });
    await byKey.getByText("Test keys. Calls: 2; test tokens: 5 of 50.").waitFor();
    expect(await byKey.getByText("No calls this month").count()).toBe(0);
    await page.getByTestId("tested-range").getByText("Test keys. Calls: 2; test tokens: 5.").waitFor();
    const [month] = await rowsOf(visitor, "Last twelve months");
    expect(month?.slice(1, 6)).toEqual(["0", "0", "0", "0", "2"]);

    await page.goto(`/#/operator/account/${id}`);
    await page.reload();
    // Failed test calls are not counted, so the page must not show zero.
    expect(await rowsOf(visitor, "Usage")).toEqual([
      ["Enriched lookup", "5", "1", "0"],
      ["Lookup", "0", "1", "0"],
    ]);
    await page.getByText("No usage in this month.").waitFor();
    expect(visitor.troubles).toEqual([]);
  });

  thoroughIt("says that there were no calls yet", async () => {
    const visitor = await visit(fixture);
    await signUp(visitor, "quiet@fabel.example");
    await visitor.go("usage");
    await visitor.page.getByText("No calls yet this month.").waitFor();
  });

  thoroughIt("explains what to do when it cannot be loaded, and retries on request", async () => {
    const visitor = await visit(fixture);
    await signUp(visitor, "outage@fabel.example");
    await visitor.page.route("**/account/usage", (route) => route.abort());
    // Blocks the outage probe, which would reload the usage by itself and remove the button.
    await visitor.page.route("**/account/session", (route) => route.abort());
    await visitor.go("usage");
    const section = visitor.page.getByRole("region", { name: "This month" });
    await section.getByText("The service cannot be reached. Check your connection").waitFor();
    await visitor.page.unroute("**/account/usage");
    // If it has reloaded meanwhile, there is no button to press.
    const again = section.getByRole("button", { name: "Try again" });
    await again.or(section.getByText("0 of 50 used")).first().click();
    await section.getByText("0 of 50 used").waitFor();
  });
});
