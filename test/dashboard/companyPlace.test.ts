/** A company's location is a link to a map, which is not called before the click, and its BAG id is shown. */
import { expect, it } from "vitest";
import { kvkNumberOf } from "../../src/contract/numbers.ts";
import { companyBox, openTryStage } from "./support/trying.ts";

const PLACED = 90000801;
const SHIELDED = 90000802;
const OLD = { origin: "import:oud", asOf: "2025-01-01T00:00:00.000Z" };
const geo = { location: { latitude: 52.1, longitude: 5.1 }, bagId: "0363010000000001" };
const facts = (number: number) => ({
  ...{ kvkNumber: kvkNumberOf(number), name: "Openluchtwerf Fabelkade", isActive: true, activities: [] },
  address: { street: "Fabelkade", houseNumber: "1", city: "Verzinstad", kind: "visiting", geo } as const,
});

it("shows where an address is by a link that sends no referrer, and nothing of a shielded address", async () => {
  const stage = await openTryStage();
  const hidden = {
    ...facts(SHIELDED),
    address: { city: "Verzinstad", isShielded: true, kind: "visiting" },
  } as const;
  await stage.fixture.world.import([
    { ...OLD, facts: facts(PLACED) },
    { ...OLD, facts: facts(SHIELDED) },
    { ...OLD, origin: "import:nieuw", asOf: "2026-01-01T00:00:00.000Z", facts: hidden },
  ]);
  const { page, troubles } = await stage.enter("place@fabel.example");
  const called: string[] = [];
  page.on("request", (request) => called.push(new URL(request.url()).hostname));
  await companyBox(page).fill(String(PLACED));
  await page.getByRole("button", { name: /^Enriched lookup/ }).click();
  const company = page.getByTestId("company");
  const link = company.getByRole("link", { name: "Show on a map" });
  await link.waitFor();
  expect(await company.innerText()).toContain(geo.bagId);
  expect(await link.getAttribute("rel")).toContain("noreferrer");
  const href = new URL((await link.getAttribute("href")) ?? "");
  expect([href.hostname, href.searchParams.get("mlat"), href.searchParams.get("mlon")]).toEqual([
    "www.openstreetmap.org",
    "52.1",
    "5.1",
  ]);
  await companyBox(page).fill(String(SHIELDED));
  await page.getByRole("button", { name: /^Enriched lookup/ }).click();
  await company.getByText("Shielded by the registry").waitFor();
  expect(await link.count()).toBe(0);
  expect(await company.innerText()).not.toContain(geo.bagId);
  expect(new Set(called)).toEqual(new Set(["127.0.0.1"]));
  expect(troubles).toEqual([]);
});
