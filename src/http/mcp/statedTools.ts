/** The tools, in the order of their list. */
import { MATCH_BOUNDS } from "../../contract/matchResources.ts";
import { MONITOR_BOUNDS } from "../../contract/monitors.ts";
import { PRICE_WITHOUT_ENRICHMENT, PRICES } from "../../contract/prices.ts";
import { MAX_ROWS } from "../../contract/totals.ts";
import type { KeyedEndpoint } from "../endpoint.ts";
import { branches } from "../endpoints/branches.ts";
import { lookup } from "../endpoints/lookup.ts";
import { match } from "../endpoints/match.ts";
import { changes } from "../endpoints/monitors/changes.ts";
import { addMonitors, listMonitors } from "../endpoints/monitors/monitors.ts";
import { search } from "../endpoints/search.ts";
import { usage } from "../endpoints/usage.ts";
import { validate } from "../endpoints/validate.ts";

/** The definition of a tool; the rest comes from its endpoint. */
export interface StatedTool {
  readonly name: string;
  readonly title: string;
  readonly endpoint: KeyedEndpoint;
  readonly description: string;
  /** False if the tool calls neither KVK nor VIES. */
  readonly isOpenWorld?: boolean;
  /** True if the tool changes the account. A repeated call has no further effect. */
  readonly isChanging?: boolean;
}

const FREE_WHEN_NOT = "Errors cost nothing.";

/**
 * Autocomplete is not a tool: search answers the same question at the same price, and models choose badly between two similar tools. A batch
 * is not a tool either: models have lists of names, which they can match, rather than of KVK numbers.
 */
export const STATED_TOOLS: readonly StatedTool[] = [
  {
    name: "lookup_company",
    title: "Look up a Dutch company",
    endpoint: lookup,
    description: `One company of the Dutch company registry by its KVK number of eight digits. Basic: name, address and whether it is active; costs ${PRICES.lookup} token. With enrich true: all known data, including activities, legal form, trading names and the verdict on its VAT number; costs ${PRICES["lookup.enriched"]} tokens, ${PRICE_WITHOUT_ENRICHMENT} when neither activities nor a verdict could be added. If only a name is known, find the number with search_companies first. ${FREE_WHEN_NOT}`,
  },
  {
    name: "search_companies",
    title: "Search Dutch companies",
    endpoint: search,
    description: `Companies of the Dutch registry by name (also misspelled), city, postal code, legal form or SBI code, best first, one row per company with its KVK number. At least one criterion is required; page × pageSize is at most ${MAX_ROWS}. Costs ${PRICES.search} token, also when nothing is found. ${FREE_WHEN_NOT}`,
  },
  {
    name: "match_companies",
    title: "Match names to Dutch companies",
    endpoint: match,
    description: `The company meant by each name of a list: 1 to ${MATCH_BOUNDS.maxQueries} queries, each with a name, an address or a number, preferably with a city. Read decision first: matched means that the candidate with match true is the company; ambiguous means that a person must choose between the candidates; none means that it is probably not in the registry. Use search_companies to explore, this tool to identify. Costs ${PRICES.match} token for each valid query, also when nothing is found. A query with an error does not affect the others. ${FREE_WHEN_NOT}`,
  },
  {
    name: "list_branches",
    title: "List the branches of a Dutch company",
    endpoint: branches,
    description: `Every branch (vestiging) of one company by its KVK number, the main one first. Costs ${PRICES.branches} tokens. ${FREE_WHEN_NOT}`,
  },
  {
    name: "validate_vat_number",
    title: "Validate an EU VAT number",
    endpoint: validate,
    description: `Checks a Dutch or other EU VAT number with VIES. Read status before valid: validated is the current answer, stale is an earlier answer, because VIES does not answer now, and malformed is a number that no member state issues. An outage is the error UPSTREAM_ERROR, never "not valid". Costs ${PRICES.validate} token. ${FREE_WHEN_NOT}`,
  },
  {
    name: "add_monitors",
    title: "Monitor Dutch companies for changes",
    endpoint: addMonitors,
    description: `Monitors up to ${MONITOR_BOUNDS.maxNumbers} companies by their KVK numbers: from now on their changes (name, address, legal form, activities, branches, deregistration, insolvency) appear in list_changes. If a company has a monitor, the given fields are changed. Adding is free; each change that is reported costs ${PRICES["monitors.change"]} token.`,
    isOpenWorld: false,
    isChanging: true,
  },
  {
    name: "list_monitors",
    title: "List monitored companies",
    endpoint: listMonitors,
    description:
      "The monitored companies, oldest first, with the status of each monitor. If next is present, call again with it as after. Costs no tokens.",
    isOpenWorld: false,
  },
  {
    name: "list_changes",
    title: "List changes of monitored companies",
    endpoint: changes,
    description:
      "The changes of monitored companies, oldest first, each with the fields before and now. Call again with next as after, until no events are returned. Keep next to see only newer changes later. Costs no tokens.",
    isOpenWorld: false,
  },
  {
    name: "show_usage",
    title: "Show tokens and limits",
    endpoint: usage,
    description: `The plan of the account, the tokens left this month, the calls left this minute and the usage of each operation. Free; counts towards the rate limit.`,
    isOpenWorld: false,
  },
];
