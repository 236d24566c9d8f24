/**
 * The full price of each operation in tokens. A batch costs its price for each distinct well-formed number, a match for
 * each valid query, and so does a list (`jobs.…`); calls about lists (`jobs`) and monitors are free. A change that a
 * monitor reports costs `monitors.change`.
 */
export const PRICES = {
  lookup: 1,
  "lookup.enriched": 5,
  branches: 5,
  batch: 1,
  "batch.enriched": 5,
  autocomplete: 1,
  search: 1,
  match: 1,
  reconcile: 1,
  "reconcile.suggest": 1,
  "reconcile.properties": 0,
  "reconcile.preview": 1,
  "reconcile.extend": 1,
  "reconcile.extend.enriched": 5,
  validate: 1,
  peppol: 1,
  usage: 0,
  tokens: 0,
  jobs: 0,
  "jobs.lookup": 1,
  "jobs.lookup.enriched": 5,
  "jobs.vat": 1,
  "jobs.match": 1,
  "jobs.insolvency": 1,
  "jobs.peppol": 1,
  monitors: 0,
  "monitors.change": 1,
} as const;

/** An operation of the service, as named in the ledger, the logs and the price list. */
export type Operation = keyof typeof PRICES;
export const OPERATIONS = Object.keys(PRICES) as readonly Operation[];

/** The price list: a row for each thing to pay for. Lists and OpenRefine charge the same prices. */
export const PRICE_LIST = {
  autocomplete: "Find a company as you type",
  search: "Search companies, per page of results",
  lookup: "Look up a company by its KVK number",
  "lookup.enriched": "The same with activities, employees and VAT number",
  branches: "The branches of a company",
  match: "Match a name or address with a company",
  validate: "Check a VAT number",
  peppol: "Check whether a company is on Peppol",
  "monitors.change": "A change of a monitored company",
} as const satisfies Partial<Record<Operation, string>>;
export type PricedThing = keyof typeof PRICE_LIST;

/** The price of an enriched response with neither activities nor a VAT verdict: the basic price. */
export const PRICE_WITHOUT_ENRICHMENT = 1;

/** The operation of a ledger line; `other` is a call with a valid key to an unknown endpoint. */
export type LedgerOperation = Operation | "other";
