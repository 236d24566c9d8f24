/**
 * The kinds of lists: their items, the pace of their work, the work itself, and the columns of their results in CSV.
 */
import { enrichedCharge } from "../contract/enrichedCharge.ts";
import { LEI_FIELDS } from "../contract/identifiers.ts";
import type { InsolvencyResult } from "../contract/insolvency.ts";
import { type JobKind, priceOfItem } from "../contract/jobs.ts";
import { MONITOR_BOUNDS, type Monitor } from "../contract/monitors.ts";
import type { PeppolCheck } from "../contract/peppol.ts";
import { type BasicCompany, type Company, PLAIN_FACTS, type PlainFact } from "../contract/resources.ts";
import type { VatValidation } from "../contract/vatResources.ts";
import { type Cell, cellOf } from "../lib/spreadsheet.ts";
import { withoutCurators } from "../lookup/companyInsolvency.ts";
import type { Ranking } from "../match/types.ts";
import { addMonitors, checkPeppolNumbers, checkVatNumbers, companyWork, matchRows } from "./listWork.ts";
import { unpackRow } from "./matchRow.ts";
import { KVK_NUMBERS, VAT_NUMBERS } from "./numberCollector.ts";

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

/** The columns of facts that are one value or a list of texts. */
function plain(...facts: readonly PlainFact[]): Columns<Company> {
  return Object.fromEntries(facts.map((fact) => [fact, (company) => cellOf(company[fact])]));
}

/** Columns of an enriched company. A list of texts is one cell. Columns that stand above keep their place. */
const ENRICHED: Columns<Company> = {
  ...BASIC,
  ...plain("tradingNames", "legalForm", "rsin", "deregistrationDate", "statutoryName", "nonMailing"),
  employees: ({ employees }) => employees?.total,
  ...plain(...PLAIN_FACTS.filter((fact) => fact !== "mainBranchNumber")),
  mainSbiCode: ({ activities }) => activities?.find(({ isMain }) => isMain)?.sbiCode,
  sbiCodes: ({ activities }) => cellOf(activities?.map(({ sbiCode }) => sbiCode)),
  vatNumber: ({ vat }) => vat?.number,
  vatValid: ({ vat }) => vat?.valid,
  vatStatus: ({ vat }) => vat?.status,
  vatValidatedAt: ({ vat }) => vat?.validatedAt,
  vatOrigin: ({ vat }) => vat?.origin,
  latitude: ({ location }) => location?.latitude,
  longitude: ({ location }) => location?.longitude,
  bagId: ({ bagId }) => bagId,
  ...Object.fromEntries(
    (["euid", ...LEI_FIELDS] as const).map((field) => [field, ({ identifiers }) => identifiers?.[field]]),
  ),
  openDataFields: ({ source }) => cellOf(source?.openData?.fields),
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

const INSOLVENCY: Columns<InsolvencyResult> = {
  kvkNumber: ({ kvkNumber }) => kvkNumber,
  name: ({ name }) => name,
  insolvency: ({ insolvency }) => insolvency?.type,
  since: ({ insolvency }) => insolvency?.since,
  endedOn: ({ insolvency }) => insolvency?.endedOn,
  court: ({ insolvency }) => insolvency?.court,
  caseNumber: ({ insolvency }) => insolvency?.caseNumber,
  matchedBy: ({ insolvency }) => insolvency?.matchedBy,
  source: ({ insolvency }) => insolvency?.source,
  observedAt: ({ insolvency }) => insolvency?.observedAt,
};

const PEPPOL: Columns<PeppolCheck> = {
  kvkNumber: ({ kvkNumber }) => kvkNumber,
  status: ({ status }) => status,
  participantId: ({ participantId }) => participantId,
  receives: ({ receives }) => cellOf(receives),
  accessPoint: ({ accessPoint }) => accessPoint,
  asked: ({ asked }) => cellOf(asked),
  checkedAt: ({ checkedAt }) => checkedAt,
  ageSeconds: ({ ageSeconds }) => ageSeconds,
};

/**
 * `form`: the numbers of a list; undefined for rows. `concurrency`: items processed at once: few, because callers wait
 * for the same upstreams. Rows are matched by a thread of their own.
 */
export const LIST_KINDS = {
  lookup: {
    ...{ form: KVK_NUMBERS, concurrency: 20, columns: BASIC },
    work: companyWork(
      (lookup, numbers) => lookup.basicBatch(numbers),
      () => priceOfItem("lookup"),
    ),
  },
  "lookup.enriched": {
    ...{ form: KVK_NUMBERS, concurrency: 10, columns: ENRICHED },
    work: companyWork((lookup, numbers) => lookup.enrichedBatch(numbers), enrichedCharge, withoutCurators),
  },
  vat: { form: VAT_NUMBERS, concurrency: 5, columns: VAT, work: checkVatNumbers },
  match: { form: undefined, concurrency: 100, columns: MATCH, work: matchRows },
  monitor: {
    ...{ form: KVK_NUMBERS, concurrency: MONITOR_BOUNDS.maxNumbers, columns: MONITOR },
    work: addMonitors,
  },
  insolvency: {
    ...{ form: KVK_NUMBERS, concurrency: 20, columns: INSOLVENCY },
    work: companyWork(
      (lookup, numbers) => lookup.insolvencies(numbers),
      () => priceOfItem("insolvency"),
    ),
  },
  peppol: { form: KVK_NUMBERS, concurrency: 2, columns: PEPPOL, work: checkPeppolNumbers },
} as const satisfies Record<JobKind, object>;

/** Whether an item of a list is well-formed, so that its processing has a price. */
export function isPayable(kind: JobKind, item: string): boolean {
  const { form } = LIST_KINDS[kind];
  return form === undefined ? "query" in unpackRow(item) : form.isWellFormed(item);
}
