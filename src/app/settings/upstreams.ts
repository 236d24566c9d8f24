/** Settings of services that are called over the network: VIES, KVK, and receivers of webhooks. */
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
} from "./rules.ts";

export const UPSTREAM_SETTINGS = {
  VIES_URL: setting(
    "https://ec.europa.eu/taxation_customs/vies/rest-api",
    httpUrl,
    "Base address of the REST interface of VIES.",
  ),
  VIES_FRESH_FOR: setting(
    3_600,
    integer(0, 2_592_000),
    "Seconds for which the answer that a VAT number is valid is reused.",
  ),
  VIES_REFUSAL_FRESH_FOR: setting(
    300,
    integer(0, 2_592_000),
    "Seconds for which the answer that a VAT number is not valid is reused.",
  ),
  VIES_STALE_FOR: setting(
    2_592_000,
    integer(0, 31_536_000),
    "Seconds for which an earlier answer is returned as `stale` while VIES has none. Older ones are deleted.",
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
    "Simultaneous calls to VIES for the numbers of one state; more wait.",
  ),
  KVK_API_URL: setting("https://api.kvk.nl/api", secretUrl, "Base address of KVK's API."),
  KVK_API_KEY: optional(
    anyText,
    "Your key for KVK's API, a secret. With it, companies that the registry lacks or holds too long are fetched from KVK.",
  ),
  KVK_API_CA: optional(
    fileText,
    "File with root certificates (PEM) to trust for KVK's API, besides the usual ones.",
  ),
  REGISTRY_FRESH_FOR: setting(
    2_592_000,
    integer(0, 3_153_600_000),
    "With `KVK_API_KEY`: seconds for which the registry's data on a company is used, counted from the date of the data.",
  ),
  KVK_DAILY_CALLS: setting(
    1_000,
    integer(0, 10_000_000),
    "Paid calls to KVK a day (Dutch time) at most, by all nodes together.",
  ),
  KVK_DAILY_MISSES: setting(
    100,
    integer(1, 10_000_000),
    "Paid calls a day that one account may cause for numbers that KVK does not know. Deleting the account does not reset it.",
  ),
  KVK_FREE_SHARE: setting(
    0.2,
    share,
    "Part of `KVK_DAILY_CALLS` that all accounts of free tiers together may use while there is an account of another tier.",
  ),
  KVK_FRESH_FOR: setting(86_400, integer(0, 31_536_000), "Seconds for which a company from KVK is reused."),
  KVK_NOT_FOUND_FRESH_FOR: setting(
    3_600,
    integer(0, 2_592_000),
    "Seconds for which KVK's answer that it does not know a number is reused.",
  ),
  KVK_SEARCH_FRESH_FOR: setting(
    600,
    integer(0, 86_400),
    "Seconds for which results of KVK's search are reused. It is used when there is no registry, or when the registry finds too little.",
  ),
  KVK_SEARCHES_PER_MINUTE: setting(
    30,
    integer(0, 10_000),
    "Searches a minute, per account and process, that may go to KVK when the registry cannot fill the first page; 0 never asks KVK while there is a registry.",
  ),
  KVK_KEEP_FOR: setting(
    31_536_000,
    integer(3_600, 3_153_600_000),
    "Seconds after which a company from KVK is deleted. Until then it is returned when KVK has no answer.",
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
    "Private addresses or networks (comma-separated) that webhooks may reach, also by `http://`. Without any they reach public addresses only, by `https://`.",
  ),
} as const;
