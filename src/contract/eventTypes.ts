/** The types of events, as `GET /v1/event-types` describes them. */
import { COURT_ORIGIN } from "./insolvency.ts";
import { PEPPOL_ORIGIN } from "./peppol.ts";
import { PRICES } from "./prices.ts";

/** The changed fields of a company, with their values before and now. */
export type Changes = Readonly<
  Record<string, { readonly previous?: unknown; readonly current?: unknown; readonly reason?: "removed" }>
>;

export interface EventTypeInfo {
  readonly description: string;
  /** Tokens for each event. */
  readonly price: number;
  /** The fields that `changes` may contain. */
  readonly fields: readonly string[];
  /** The fictional company of test keys that changes in this way; absent for types that report no change. */
  readonly testNumber?: string;
  /** `changes` of an example. */
  readonly example: Changes;
  /** Only monitors that name it in `events` report it. */
  readonly isOptIn?: true;
}

interface ChangeInfo extends EventTypeInfo {
  readonly testNumber: string;
  /** The name of that company. */
  readonly testName: string;
  /** The sources whose data can show it. */
  readonly sources: readonly string[];
}

/** The sources that no type names: tables, JSON lines and the demo. */
export const OTHER_SOURCES = "others";

const shownBy =
  (...sources: readonly string[]) =>
  (
    testNumber: string,
    testName: string,
    description: string,
    fields: readonly string[],
    example: Changes,
  ): ChangeInfo => ({
    description,
    price: PRICES["monitors.change"],
    sources,
    fields,
    testNumber,
    testName: `Test Wijziging ${testName} B.V.`,
    example,
  });
const inDetails = shownBy(OTHER_SOURCES, "kvk-api");
const inActivities = shownBy(OTHER_SOURCES, "kvk-api", "kvk-open-data");
const inRegistry = shownBy(OTHER_SOURCES, "kvk-api", "gleif");
const inAny = shownBy(OTHER_SOURCES, "kvk-api", "gleif", "kvk-open-data");
const inInsolvencies = shownBy("kvk-open-data", COURT_ORIGIN);
const inLeiData = shownBy(OTHER_SOURCES, "gleif");
const onPeppol = shownBy(PEPPOL_ORIGIN);

const BREAD = {
  sbiCode: "10710",
  sbiVersion: "2025",
  description: "Vervaardiging van brood en vers banketbakkerswerk",
};
const CATERING = { sbiCode: "56210", sbiVersion: "2025", description: "Cateringdiensten op evenementen" };
const TEST_LEI = "999900099990309TS154";
const SHOP = { branchNumber: "999900000301", name: "Testbakkerij De Proef", city: "Teststad" };

/** Changes of a company. Each costs one token when it is recorded as an event. */
export const CHANGES = {
  "company.renamed": inRegistry(
    "99990301",
    "Naam",
    "The name, the statutory name or the trading names have changed.",
    ["name", "statutoryName", "tradingNames"],
    { name: { previous: "Test Oude Naam B.V.", current: "Test Nieuwe Naam B.V." } },
  ),
  "company.moved": inRegistry("99990302", "Adres", "The address has changed.", ["address"], {
    address: {
      previous: {
        street: "Proefstraat",
        houseNumber: "1",
        postalCode: "1234 AB",
        city: "Teststad",
        country: "NL",
      },
      current: {
        street: "Deegplein",
        houseNumber: "2-B",
        postalCode: "1235 AC",
        city: "Proefdorp",
        country: "NL",
      },
    },
  }),
  "company.legal_form_changed": inRegistry(
    "99990303",
    "Rechtsvorm",
    "The legal form has changed.",
    ["legalForm"],
    {
      legalForm: { previous: "VOF", current: "BV" },
    },
  ),
  "company.activities_changed": inActivities(
    "99990304",
    "Activiteiten",
    "The SBI codes of the company's activities have changed.",
    ["activities"],
    {
      activities: {
        previous: [{ ...BREAD, isMain: true }],
        current: [
          { ...BREAD, isMain: true },
          { ...CATERING, isMain: false },
        ],
      },
    },
  ),
  "company.branches_changed": inDetails(
    "99990305",
    "Vestigingen",
    "Branches were opened, closed or changed. `branches` has only these, at most 100.",
    ["branchCount", "branches"],
    { branchCount: { previous: 1, current: 2 }, branches: { previous: [], current: [SHOP] } },
  ),
  "company.deregistered": inAny(
    "99990306",
    "Einde",
    "The company is no longer active, or has a date of deregistration.",
    ["isActive", "deregistrationDate"],
    { isActive: { previous: true, current: false }, deregistrationDate: { current: "2026-10-31" } },
  ),
  "company.reactivated": inAny(
    "99990307",
    "Herstart",
    "The company is active again.",
    ["isActive", "deregistrationDate"],
    { isActive: { previous: false, current: true }, deregistrationDate: { previous: "2026-10-31" } },
  ),
  "company.insolvency_changed": inInsolvencies(
    "99990308",
    "Insolventie",
    "A bankruptcy, suspension of payments or debt restructuring began, ended, or became another case. With `reason` `removed`, the court has withdrawn the case.",
    ["insolvency", "insolvencyCase"],
    { insolvency: { previous: "none", current: "bankruptcy" } },
  ),
  "company.lei_changed": inLeiData(
    "99990309",
    "LEI",
    "The LEI or its status has changed. A new date of renewal alone is no event.",
    ["identifiers"],
    {
      identifiers: {
        previous: { lei: TEST_LEI, leiStatus: "issued", leiRenewalDue: "2026-10-31" },
        current: { lei: TEST_LEI, leiStatus: "lapsed", leiRenewalDue: "2026-10-31" },
      },
    },
  ),
  "company.peppol_changed": {
    ...onPeppol(
      "99990310",
      "Peppol",
      "The company can, or can no longer, receive e-invoices on Peppol, or is there for other documents. Only monitors that name this type report it; they are checked once a week.",
      ["peppol"],
      { peppol: { previous: "not_registered", current: "reachable" } },
    ),
    isOptIn: true,
  },
} satisfies Record<string, ChangeInfo>;
export type ChangeType = keyof typeof CHANGES;
export const CHANGE_TYPES = Object.keys(CHANGES) as [ChangeType, ...ChangeType[]];
/** The types that a monitor without `events` reports. */
export const USUAL_CHANGE_TYPES = CHANGE_TYPES.filter((type) => !("isOptIn" in CHANGES[type]));

/** `monitor.ended`: the company is no longer available. `monitor.test`: a test of a webhook. Both are free. */
export const EVENT_TYPES = [...CHANGE_TYPES, "monitor.ended", "monitor.test"] as const;
export type EventType = (typeof EVENT_TYPES)[number];

export const EVENT_TYPE_INFO: Readonly<Record<EventType, EventTypeInfo>> = {
  ...CHANGES,
  "monitor.ended": {
    description: "The company is no longer available here, and its monitor was removed.",
    price: 0,
    fields: [],
    example: {},
  },
  "monitor.test": {
    description: "A test that you requested for a monitor's webhook: only a message, not among the events.",
    price: 0,
    fields: [],
    example: {},
  },
};
