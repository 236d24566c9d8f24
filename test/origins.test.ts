/** A company that every origin knows: which origin each field comes from. */
import { expect, it } from "vitest";
import type { SourcedFacts } from "../src/company/facts.ts";
import { kvkNumberOf } from "../src/contract/numbers.ts";
import { inject, jsonOf } from "./kit/answer.ts";
import { composeInProcess } from "./kit/inProcess.ts";
import { serveOverKvkHere } from "./kit/kvk.ts";
import { makeWorld } from "./kit/world.ts";

const NUMBER = kvkNumberOf(90000901);
const OBSERVED_MS = Date.UTC(2026, 4, 1);

const GLEIF: SourcedFacts = {
  ...{ origin: "gleif", asOf: "2026-03-01T00:00:00.000Z" },
  facts: {
    ...{ kvkNumber: NUMBER, name: "Alledrie Fabelwerf B.V.", isActive: true, legalForm: "BV" },
    address: {
      ...{ street: "Gleifkade", houseNumber: "1", postalCode: "1234 AB", city: "Verzinstad" },
      ...{ country: "NL", kind: "visiting" },
    },
    identifiers: { lei: "99990051234567AB1209", leiStatus: "lapsed", leiRenewalDue: "2026-02-01" },
  },
};
const TABLE: SourcedFacts = {
  ...{ origin: "import:klanten", asOf: "2025-03-01T00:00:00.000Z" },
  facts: {
    ...{ kvkNumber: NUMBER, name: "Alledrie Fabelwerf", isActive: true, legalForm: "NV", rsin: "912345603" },
    address: {
      ...{ street: "Tabelkade", houseNumber: "2", postalCode: "1234 AC", city: "Verzinstad" },
      ...{ country: "NL", kind: "visiting" },
      geo: { location: { latitude: 52.1, longitude: 5.1 }, bagId: "0363010000000009" },
    },
    ...{ registrationDate: "2011-03-14", websites: ["www.fabelwerf.example"], employees: { total: 7 } },
    activities: [{ sbiCode: "3011", isMain: true }],
    // Older than that of GLEIF.
    identifiers: { lei: "99990009876543OW0147", leiStatus: "issued", leiRenewalDue: "2027-01-01" },
  },
};
const OPEN_DATA = {
  ...{ insolvency: "none" as const, isActive: true, observedAtMs: OBSERVED_MS, startDate: "2010-12-31" },
  activities: [{ sbiCode: "69101", isMain: true }],
};

/** The enriched company over some files, with an answer of KVK's open data. */
async function companyFrom(...companies: readonly SourcedFacts[]) {
  const world = await makeWorld({
    companies: [...companies],
    environment: { KVK_OPEN_DATA_URL: "http://127.0.0.1:1", KVK_OPEN_DATA_PER_MINUTE: "1" },
  });
  const service = await composeInProcess(world);
  await service.state.monitors.storeInsolvency(NUMBER, OPEN_DATA);
  const { key } = await service.account("plenty");
  return jsonOf(await inject(service.app, { path: `/v1/lookup/${NUMBER}?enrich=true`, key }));
}

const observedAt = new Date(OBSERVED_MS).toISOString();
const insolvency = { type: "none", observedAt, source: "kvk-open-data" };
const openData = { observedAt, fields: ["activities", "startDate"] };
const LAWYERS = { sbiCode: "69101", sbiVersion: "2025", isMain: true, description: expect.any(String) };

it("the freshest origin that has a field wins it whole, and KVK's open data fills what none has", async () => {
  const company = await companyFrom(GLEIF, TABLE);
  expect(company).toEqual({
    // GLEIF: fresher.
    ...{ kvkNumber: NUMBER, name: GLEIF.facts.name, isActive: true, legalForm: "BV" },
    address: {
      street: "Gleifkade",
      houseNumber: "1",
      postalCode: "1234 AB",
      city: "Verzinstad",
      country: "NL",
    },
    identifiers: { euid: `NLNHR.${NUMBER}`, ...GLEIF.facts.identifiers, rsin: "912345603" },
    // The table: GLEIF does not have them. Its place is part of its address, which did not win.
    ...{ rsin: "912345603", registrationDate: "2011-03-14" },
    ...{ websites: ["www.fabelwerf.example"], employees: { total: 7 } },
    activities: [
      { sbiCode: "3011", sbiVersion: "2008", description: expect.stringContaining("schepen"), isMain: true },
    ],
    // KVK's open data: no file has it.
    ...{ startDate: "2010-12-31", insolvency },
    source: {
      kvk: "gleif",
      cachedAt: GLEIF.asOf,
      vies: "unvalidated",
      openData: { ...openData, fields: ["startDate"] },
    },
    vat: expect.objectContaining({ number: "NL912345603B01", origin: "rsin" }),
  });
});

it("a company of GLEIF alone has its LEI, and activities and start date of KVK's open data", async () => {
  expect(await companyFrom(GLEIF)).toEqual({
    ...{ kvkNumber: NUMBER, name: GLEIF.facts.name, isActive: true, legalForm: "BV" },
    address: expect.objectContaining({ street: "Gleifkade" }),
    identifiers: { euid: `NLNHR.${NUMBER}`, ...GLEIF.facts.identifiers },
    ...{ activities: [LAWYERS], startDate: "2010-12-31", insolvency },
    source: { kvk: "gleif", cachedAt: GLEIF.asOf, openData },
  });
});

it("a company of a table alone has its place, its own activities, and no LEI unless the table states one", async () => {
  const { identifiers: _, ...facts } = TABLE.facts;
  expect(await companyFrom({ ...TABLE, facts })).toMatchObject({
    address: { street: "Tabelkade" },
    ...{ location: { latitude: 52.1, longitude: 5.1 }, bagId: "0363010000000009" },
    identifiers: { euid: `NLNHR.${NUMBER}`, rsin: "912345603" },
    activities: [{ sbiCode: "3011", sbiVersion: "2008" }],
  });
});

it("a company of KVK's API has its place and activities from there, and the LEI of GLEIF", async () => {
  const activities = [{ sbiCode: "69101", description: "Advocatuur", isMain: true }];
  const geo = { location: { latitude: 52.2, longitude: 5.2 }, bagId: "0363010000000008" };
  const live = {
    ...{ kvkNumber: NUMBER, name: "Alledrie Fabelwerf B.V.", isActive: true, legalForm: "BV" as const },
    ...{ registrationDate: "2011-03-14", rsin: "912345603", activities },
    address: { ...GLEIF.facts.address, street: "Kvkkade", country: "NL", kind: "visiting" as const, geo },
  };
  const { get } = await serveOverKvkHere({
    companies: [GLEIF],
    kvk: { companies: [live] },
    environment: { REGISTRY_FRESH_FOR: "0" },
  });
  const company = jsonOf(await get(`/v1/lookup/${NUMBER}?enrich=true`));

  expect(company).toMatchObject({
    ...{ name: live.name, address: { street: "Kvkkade" }, ...geo },
    activities: [{ sbiCode: "69101", sbiVersion: "2025", isMain: true }],
    source: { kvk: "kvk-api" },
  });
  // KVK has no LEI, so that stays GLEIF's.
  const identifiers = { euid: `NLNHR.${NUMBER}`, ...GLEIF.facts.identifiers, rsin: "912345603" };
  expect(company).toHaveProperty("identifiers", identifiers);
});
