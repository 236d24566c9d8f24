/** The kinds of lists: their items, the pace of their work, and the columns of their results in CSV. */
import type { JobKind } from "../contract/jobs.ts";
import { MONITOR_BOUNDS, type Monitor } from "../contract/monitors.ts";
import type { BasicCompany, Company } from "../contract/resources.ts";
import type { VatValidation } from "../contract/vatResources.ts";
import { listCell } from "../lib/spreadsheet.ts";
import type { Ranking } from "../match/types.ts";
import { unpackRow } from "./matchRow.ts";
import { KVK_NUMBERS, VAT_NUMBERS } from "./numberCollector.ts";

/** A value of a result, in CSV. */
export type Cell = string | number | boolean | undefined;
type Columns<Result> = Readonly<Record<string, (result: Result) => Cell>>;

const BASIC: Columns<BasicCompany> = {
  kvkNumber: ({ kvkNumber }) => kvkNumber,
  name: ({ name }) => name,
  isActive: ({ isActive }) => isActive,
  registrationDate: ({ registrationDate }) => registrationDate,
  street: ({ address }) => address.street,
  houseNumber: ({ address }) => address.houseNumber,
  postalCode: ({ address }) => address.postalCode,
  city: ({ address }) => address.city,
  country: ({ address }) => address.country,
  isShielded: ({ address }) => address.isShielded,
  source: ({ source }) => source?.kvk,
  cachedAt: ({ source }) => source?.cachedAt,
};

/** Columns of an enriched company. A list of texts is one cell. */
const ENRICHED: Columns<Company> = {
  ...BASIC,
  tradingNames: ({ tradingNames }) => tradingNames && listCell(tradingNames),
  legalForm: ({ legalForm }) => legalForm,
  rsin: ({ rsin }) => rsin,
  deregistrationDate: ({ deregistrationDate }) => deregistrationDate,
  statutoryName: ({ statutoryName }) => statutoryName,
  nonMailing: ({ nonMailing }) => nonMailing,
  employees: ({ employees }) => employees?.total,
  branchCount: ({ branchCount }) => branchCount,
  websites: ({ websites }) => websites && listCell(websites),
  mainSbiCode: ({ activities }) => activities?.find(({ isMain }) => isMain)?.sbiCode,
  sbiCodes: ({ activities }) => activities && listCell(activities.map(({ sbiCode }) => sbiCode)),
  vatNumber: ({ vat }) => vat?.number,
  vatValid: ({ vat }) => vat?.valid,
  vatStatus: ({ vat }) => vat?.status,
  vatValidatedAt: ({ vat }) => vat?.validatedAt,
  vatOrigin: ({ vat }) => vat?.origin,
};

const VAT: Columns<VatValidation> = {
  vatNumber: ({ vatNumber }) => vatNumber,
  valid: ({ valid }) => valid,
  status: ({ status }) => status,
  name: ({ name }) => name,
  address: ({ address }) => address,
  validatedAt: ({ validatedAt }) => validatedAt,
  ageSeconds: ({ ageSeconds }) => ageSeconds,
  checksumValid: ({ checksumValid }) => checksumValid,
};

/** Columns of the best candidate and of the next two. */
const MATCH: Columns<Ranking> = {
  decision: ({ decision }) => decision,
  kvkNumber: ({ candidates }) => candidates[0]?.kvkNumber,
  name: ({ candidates }) => candidates[0]?.name,
  city: ({ candidates }) => candidates[0]?.city,
  score: ({ candidates }) => candidates[0]?.score,
  ...columnsOfCandidate(2),
  ...columnsOfCandidate(3),
  notes: ({ notes }) => notes?.map(({ message }) => message).join("; "),
};

function columnsOfCandidate(nth: number): Columns<Ranking> {
  return {
    [`candidate${nth}KvkNumber`]: ({ candidates }) => candidates[nth - 1]?.kvkNumber,
    [`candidate${nth}Name`]: ({ candidates }) => candidates[nth - 1]?.name,
    [`candidate${nth}City`]: ({ candidates }) => candidates[nth - 1]?.city,
    [`candidate${nth}Score`]: ({ candidates }) => candidates[nth - 1]?.score,
  };
}

const MONITOR: Columns<Monitor> = {
  kvkNumber: ({ kvkNumber }) => kvkNumber,
  id: ({ id }) => id,
  status: ({ status }) => status,
  createdAt: ({ createdAt }) => createdAt,
};

/**
 * `form`: the numbers of a list; undefined for rows.
 * `concurrency`: items processed at once: few, because callers wait for the same upstreams. Rows are matched by a thread of their own.
 */
export const LIST_KINDS = {
  lookup: { form: KVK_NUMBERS, concurrency: 20, columns: BASIC },
  "lookup.enriched": { form: KVK_NUMBERS, concurrency: 10, columns: ENRICHED },
  vat: { form: VAT_NUMBERS, concurrency: 5, columns: VAT },
  match: { form: undefined, concurrency: 100, columns: MATCH },
  monitor: { form: KVK_NUMBERS, concurrency: MONITOR_BOUNDS.maxNumbers, columns: MONITOR },
} as const;

/** Whether an item of a list is well-formed, so that its processing has a price. */
export function isPayable(kind: JobKind, item: string): boolean {
  const { form } = LIST_KINDS[kind];
  return form === undefined ? "query" in unpackRow(item) : form.isWellFormed(item);
}
