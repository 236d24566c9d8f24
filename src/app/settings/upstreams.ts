/** The settings of what is asked over the network: VIES, KVK, and who is told of lists. */
import {
  anyText,
  fileText,
  httpUrl,
  integer,
  networks,
  optional,
  secretUrl,
  setting,
  share,
  yesNo,
} from "./rules.ts";

export const UPSTREAM_SETTINGS = {
  VIES_URL: setting(
    "https://ec.europa.eu/taxation_customs/vies/rest-api",
    httpUrl,
    "Base address of the REST interface of VIES, which VAT numbers are asked of.",
  ),
  VIES_FRESH_FOR: setting(
    3_600,
    integer(0, 2_592_000),
    "Seconds for which an answer of VIES that a number is valid is given again without asking.",
  ),
  VIES_REFUSAL_FRESH_FOR: setting(
    300,
    integer(0, 2_592_000),
    "The same for an answer that a number is not valid: it may be registered any minute.",
  ),
  VIES_STALE_FOR: setting(
    2_592_000,
    integer(0, 31_536_000),
    "Seconds for which an earlier answer is given as `stale` when VIES has none now; older ones are deleted.",
  ),
  VIES_DEADLINE_MS: setting(
    5_000,
    integer(100, 30_000),
    "Milliseconds that a caller waits for VIES at most, retries included.",
  ),
  VIES_BATCH_DEADLINE_MS: setting(
    25_000,
    integer(100, 60_000),
    "Milliseconds that an enriched batch waits for VIES at most, all its companies together.",
  ),
  VIES_PER_STATE: setting(
    8,
    integer(1, 100),
    "Calls to VIES that may be under way at once for the numbers of one state; the rest wait.",
  ),
  KVK_API_URL: setting(
    "https://api.kvk.nl/api",
    secretUrl,
    "Base address of KVK's API, which companies are asked of when there is a `KVK_API_KEY`.",
  ),
  KVK_API_KEY: optional(
    anyText,
    "Your key for KVK's API; a secret. With it companies that the snapshot lacks or holds too long are asked of KVK.",
  ),
  KVK_API_CA: optional(
    fileText,
    "File with root certificates (PEM) that KVK's API is trusted by, beside the usual ones.",
  ),
  REGISTRY_FRESH_FOR: setting(
    2_592_000,
    integer(0, 3_153_600_000),
    "With a `KVK_API_KEY`: seconds for which the snapshot's word on a company is believed, by the date of its data.",
  ),
  KVK_DAILY_CALLS: setting(
    1_000,
    integer(0, 10_000_000),
    "Paid calls to KVK a day (of the Netherlands) at most, by all nodes together.",
  ),
  KVK_DAILY_MISSES: setting(
    100,
    integer(1, 10_000_000),
    "Paid calls a day that one account may cause for numbers that KVK does not know, also when it is deleted and made anew.",
  ),
  KVK_FREE_SHARE: setting(
    0.2,
    share,
    "The part of `KVK_DAILY_CALLS` that all accounts of free tiers together may cause, while there is an account of another tier.",
  ),
  KVK_FRESH_FOR: setting(
    86_400,
    integer(0, 31_536_000),
    "Seconds for which a company that KVK told is told again without asking.",
  ),
  KVK_NOT_FOUND_FRESH_FOR: setting(
    3_600,
    integer(0, 2_592_000),
    "The same for a number that KVK does not know: it may be registered any minute.",
  ),
  KVK_SEARCH_FRESH_FOR: setting(
    600,
    integer(0, 86_400),
    "The same for the answers of KVK's search, which is used where there is no snapshot, or where the snapshot has too little.",
  ),
  KVK_SEARCHES_PER_MINUTE: setting(
    30,
    integer(0, 10_000),
    "Searches a minute that one account may have KVK do where the snapshot cannot fill the first page, by each process; 0 leaves KVK out of searches while there is a snapshot.",
  ),
  KVK_KEEP_FOR: setting(
    31_536_000,
    integer(3_600, 3_153_600_000),
    "Seconds after which what KVK told of a company is deleted; until then it stands in when KVK has no answer.",
  ),
  LEARN: setting(
    false,
    yesNo,
    "With a `KVK_API_KEY`: `true` adds what KVK told to the registry within a minute, so that it is found by name, until `KVK_KEEP_FOR` is over. Ask KVK first whether you may: [data-sources.md](data-sources.md).",
  ),
  KVK_DEADLINE_MS: setting(
    5_000,
    integer(100, 30_000),
    "Milliseconds that a caller waits for KVK at most, retries included.",
  ),
  KVK_BATCH_DEADLINE_MS: setting(
    25_000,
    integer(100, 60_000),
    "Milliseconds that a batch waits for KVK at most, all its companies together.",
  ),
  WEBHOOK_NETWORKS: setting(
    [],
    networks,
    "Private addresses or networks (comma-separated) that webhooks may reach, then by `http://` as well; without any they reach the open internet alone, by `https://`.",
  ),
} as const;
