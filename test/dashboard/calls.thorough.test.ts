/** The page of recent calls. */
import { beforeAll, expect, it } from "vitest";
import { BAKERY, UNKNOWN } from "../kit/companies.ts";
import { call, openStage, type StoreFixture, signUp, visit } from "./support/visit.ts";

let fixture: StoreFixture;
beforeAll(async () => {
  fixture = await openStage({ tiers: { free: { monthlyTokens: 50, ratePerMinute: 1_000 } } });
});

it("lists successful and failed calls, filters them by status and operation, and shows a few at a time on a phone", async () => {
  const visitor = await visit(fixture);
  const key = await signUp(visitor, "calls@fabel.example");
  const { page } = visitor;
  await visitor.go("calls");
  await page.getByText("No calls yet.").waitFor();
  for (const path of [`/v1/lookup/${BAKERY}`, `/v1/lookup/${UNKNOWN}`, "/v1/search?q=fabel"]) {
    await call(fixture, key, path);
  }
  const rows = page.getByTestId("call");
  await expect
    .poll(async () => {
      await page.getByRole("button", { name: "Refresh" }).click();
      return rows.count();
    })
    .toBe(3);
  const [last = "", missed = "", first = ""] = await rows.allInnerTexts();
  expect(last).toContain("Search");
  expect(missed.replace(/\s+/g, " ")).toMatch(/Lookup 404 NOT_FOUND 0 /);
  expect(first.replace(/\s+/g, " ")).toMatch(/Lookup 200 1 .*first key \(…\w{4}\)/);
  expect(await page.content()).not.toContain(UNKNOWN);
  await page.getByLabel("Status").selectOption("4xx");
  await expect.poll(() => rows.count()).toBe(1);
  await page.getByLabel("Type of call").selectOption("validate");
  await page.getByText("No calls match these filters.").waitFor();
  await page.getByLabel("Status").selectOption("");
  await page.getByLabel("Type of call").selectOption("lookup");
  await expect.poll(() => rows.count()).toBe(2);
  await Promise.all(Array.from({ length: 15 }, () => call(fixture, key, `/v1/lookup/${UNKNOWN}`)));
  await expect
    .poll(async () => {
      await page.getByRole("button", { name: "Refresh" }).click();
      return rows.count();
    })
    .toBe(17);
  const seen = rows.filter({ visible: true });
  expect(await seen.count()).toBe(17);
  await page.setViewportSize({ width: 360, height: 780 });
  await expect.poll(() => seen.count()).toBe(15);
  await page.getByRole("button", { name: "Show more" }).click();
  await expect.poll(() => seen.count()).toBe(17);
  expect(await rows.nth(15).evaluate((row) => row === row.ownerDocument.activeElement)).toBe(true);
  expect(visitor.troubles).toEqual([]);
});
