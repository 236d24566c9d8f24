/** The settings of what is asked over the network: VIES, KVK, and who is told of lists. */
import { fileText, httpUrl, integer, networks, secretUrl, setting, share, yesNo } from "./rules.ts";

export const UPSTREAM_SETTINGS = {
  VIES_URL: setting({
    shownDefault: "https://ec.europa.eu/taxation_customs/vies/rest-api",
    fallback: "https://ec.europa.eu/taxation_customs/vies/rest-api",
    meaning: "Base address of the REST interface of VIES, which VAT numbers are asked of.",
    parse: httpUrl,
  }),
  VIES_FRESH_FOR: setting({
    shownDefault: "3600",
    fallback: 3_600,
    meaning: "Seconds for which an answer of VIES that a number is valid is given again without asking.",
    parse: integer(0, 2_592_000),
  }),
  VIES_REFUSAL_FRESH_FOR: setting({
    shownDefault: "300",
    fallback: 300,
    meaning: "The same for an answer that a number is not valid: it may be registered any minute.",
    parse: integer(0, 2_592_000),
  }),
  VIES_STALE_FOR: setting({
    shownDefault: "2592000",
    fallback: 2_592_000,
    meaning:
      "Seconds for which an earlier answer is given as `stale` when VIES has none now; older ones are deleted.",
    parse: integer(0, 31_536_000),
  }),
  VIES_DEADLINE_MS: setting({
    shownDefault: "5000",
    fallback: 5_000,
    meaning: "Milliseconds that a caller waits for VIES at most, retries included.",
    parse: integer(100, 30_000),
  }),
  VIES_BATCH_DEADLINE_MS: setting({
    shownDefault: "25000",
    fallback: 25_000,
    meaning: "Milliseconds that an enriched batch waits for VIES at most, all its companies together.",
    parse: integer(100, 60_000),
  }),
  VIES_PER_STATE: setting({
    shownDefault: "8",
    fallback: 8,
    meaning: "Calls to VIES that may be under way at once for the numbers of one state; the rest wait.",
    parse: integer(1, 100),
  }),
  KVK_API_URL: setting({
    shownDefault: "https://api.kvk.nl/api",
    fallback: "https://api.kvk.nl/api",
    meaning: "Base address of KVK's API, which companies are asked of when there is a `KVK_API_KEY`.",
    parse: secretUrl,
  }),
  KVK_API_KEY: setting<string | undefined>({
    shownDefault: "–",
    fallback: undefined,
    meaning:
      "Your key for KVK's API; a secret. With it companies that the snapshot lacks or holds too long are asked of KVK.",
    parse: (text) => text,
  }),
  KVK_API_CA: setting<string | undefined>({
    shownDefault: "–",
    fallback: undefined,
    meaning: "File with root certificates (PEM) that KVK's API is trusted by, beside the usual ones.",
    parse: fileText,
  }),
  REGISTRY_FRESH_FOR: setting({
    shownDefault: "2592000",
    fallback: 2_592_000,
    meaning:
      "With a `KVK_API_KEY`: seconds for which the snapshot's word on a company is believed, by the date of its data.",
    parse: integer(0, 3_153_600_000),
  }),
  KVK_DAILY_CALLS: setting({
    shownDefault: "1000",
    fallback: 1_000,
    meaning: "Paid calls to KVK a day (of the Netherlands) at most, by all nodes together.",
    parse: integer(0, 10_000_000),
  }),
  KVK_DAILY_MISSES: setting({
    shownDefault: "100",
    fallback: 100,
    meaning:
      "Paid calls a day that one account may cause for numbers that KVK does not know, also when it is deleted and made anew.",
    parse: integer(1, 10_000_000),
  }),
  KVK_FREE_SHARE: setting({
    shownDefault: "0.2",
    fallback: 0.2,
    meaning:
      "The part of `KVK_DAILY_CALLS` that all accounts of free tiers together may cause, while there is an account of another tier.",
    parse: share,
  }),
  KVK_FRESH_FOR: setting({
    shownDefault: "86400",
    fallback: 86_400,
    meaning: "Seconds for which a company that KVK told is told again without asking.",
    parse: integer(0, 31_536_000),
  }),
  KVK_NOT_FOUND_FRESH_FOR: setting({
    shownDefault: "3600",
    fallback: 3_600,
    meaning: "The same for a number that KVK does not know: it may be registered any minute.",
    parse: integer(0, 2_592_000),
  }),
  KVK_SEARCH_FRESH_FOR: setting({
    shownDefault: "600",
    fallback: 600,
    meaning:
      "The same for the answers of KVK's search, which is used where there is no snapshot, or where the snapshot has too little.",
    parse: integer(0, 86_400),
  }),
  KVK_SEARCHES_PER_MINUTE: setting({
    shownDefault: "30",
    fallback: 30,
    meaning:
      "Searches a minute that one account may have KVK do where the snapshot cannot fill the first page, by each process; 0 leaves KVK out of searches while there is a snapshot.",
    parse: integer(0, 10_000),
  }),
  KVK_KEEP_FOR: setting({
    shownDefault: "31536000",
    fallback: 31_536_000,
    meaning:
      "Seconds after which what KVK told of a company is deleted; until then it stands in when KVK has no answer.",
    parse: integer(3_600, 3_153_600_000),
  }),
  LEARN: setting<boolean>({
    shownDefault: "false",
    fallback: false,
    meaning:
      "With a `KVK_API_KEY`: `true` adds what KVK told to the registry within a minute, so that it is found by name, until `KVK_KEEP_FOR` is over. Ask KVK first whether you may: [data-sources.md](data-sources.md).",
    parse: yesNo,
  }),
  KVK_DEADLINE_MS: setting({
    shownDefault: "5000",
    fallback: 5_000,
    meaning: "Milliseconds that a caller waits for KVK at most, retries included.",
    parse: integer(100, 30_000),
  }),
  KVK_BATCH_DEADLINE_MS: setting({
    shownDefault: "25000",
    fallback: 25_000,
    meaning: "Milliseconds that a batch waits for KVK at most, all its companies together.",
    parse: integer(100, 60_000),
  }),
  WEBHOOK_NETWORKS: setting<readonly string[]>({
    shownDefault: "–",
    fallback: [],
    meaning:
      "Private addresses or networks (comma-separated) that webhooks may reach, then by `http://` as well; without any they reach the open internet alone, by `https://`.",
    parse: networks,
  }),
} as const;
