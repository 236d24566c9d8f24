/** The types of events, as `GET /v1/event-types` describes them. */
import type { Changes, EventType } from "./monitors.ts";
import { PRICES } from "./prices.ts";

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
}

const change = (
  testNumber: string,
  description: string,
  fields: readonly string[],
  example: Changes,
): EventTypeInfo => ({ description, price: PRICES["monitors.change"], fields, testNumber, example });

const BREAD = { sbiCode: "10710", description: "Vervaardiging van brood en vers banketbakkerswerk" };
const CATERING = { sbiCode: "56210", description: "Eventcatering" };
const SHOP = { branchNumber: "999900000301", name: "Testbakkerij De Proef", city: "Teststad" };

export const EVENT_TYPE_INFO: Readonly<Record<EventType, EventTypeInfo>> = {
  "company.renamed": change(
    "99990301",
    "The name, the statutory name or the trading names have changed.",
    ["name", "statutoryName", "tradingNames"],
    { name: { previous: "Test Oude Naam B.V.", current: "Test Nieuwe Naam B.V." } },
  ),
  "company.moved": change("99990302", "The address has changed.", ["address"], {
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
  "company.legal_form_changed": change("99990303", "The legal form has changed.", ["legalForm"], {
    legalForm: { previous: "VOF", current: "BV" },
  }),
  "company.activities_changed": change(
    "99990304",
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
  "company.branches_changed": change(
    "99990305",
    "Branches were opened, closed or changed. `branches` has only these, at most 100.",
    ["branchCount", "branches"],
    { branchCount: { previous: 1, current: 2 }, branches: { previous: [], current: [SHOP] } },
  ),
  "company.deregistered": change(
    "99990306",
    "The company is no longer active, or has a date of deregistration.",
    ["isActive", "deregistrationDate"],
    { isActive: { previous: true, current: false }, deregistrationDate: { current: "2026-10-31" } },
  ),
  "company.reactivated": change(
    "99990307",
    "The company is active again.",
    ["isActive", "deregistrationDate"],
    { isActive: { previous: false, current: true }, deregistrationDate: { previous: "2026-10-31" } },
  ),
  "company.insolvency_changed": change(
    "99990308",
    "A bankruptcy, suspension of payments or debt restructuring began or ended.",
    ["insolvency"],
    { insolvency: { previous: "none", current: "bankruptcy" } },
  ),
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
