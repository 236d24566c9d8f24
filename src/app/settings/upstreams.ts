/** Settings of network services that are called: VIES, KVK, and receivers of webhooks. */
import {
  addressesWithPort,
  anyText,
  dayTime,
  fileText,
  hostName,
  httpUrl,
  integer,
  networks,
  oneOf,
  optional,
  secretUrl,
  setting,
  share,
  subscription,
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
    "Seconds for which an answer from VIES that a number is valid is reused.",
  ),
  VIES_REFUSAL_FRESH_FOR: setting(
    300,
    integer(0, 2_592_000),
    "Seconds for which an answer from VIES that a number is not valid is reused.",
  ),
  VIES_STALE_FOR: setting(
    2_592_000,
    integer(0, 31_536_000),
    "Seconds for which an earlier answer is returned as `stale` while VIES does not answer; then it is deleted.",
  ),
  VIES_DEADLINE_MS: setting(
    5_000,
    integer(100, 30_000),
    "Maximum wait for VIES in milliseconds, retries included.",
  ),
  VIES_BATCH_DEADLINE_MS: setting(
    25_000,
    integer(100, 60_000),
    "Maximum wait of an enriched batch for VIES in milliseconds.",
  ),
  VIES_PER_STATE: setting(
    8,
    integer(1, 100),
    "Simultaneous calls to VIES for the numbers of one state; more wait.",
  ),
  KVK_API_URL: setting("https://api.kvk.nl/api", secretUrl, "Base address of KVK's API."),
  KVK_API_KEY: optional(
    anyText,
    "Your key for KVK's API, a secret. Missing or outdated companies are then fetched from KVK.",
  ),
  KVK_API_CA: optional(
    fileText,
    "File with root certificates (PEM) to trust for KVK's API, in addition to the usual ones. Normally not needed.",
  ),
  REGISTRY_FRESH_FOR: setting(
    2_592_000,
    integer(0, 3_153_600_000),
    "With `KVK_API_KEY`: age in seconds up to which the registry's data on a company is used.",
  ),
  KVK_DAILY_CALLS: setting(
    1_000,
    integer(0, 10_000_000),
    "Maximum paid calls to KVK per day (Dutch time), all nodes together.",
  ),
  KVK_DAILY_MISSES: setting(
    100,
    integer(1, 10_000_000),
    "Paid calls per day for one account's lookups of numbers that KVK does not know.",
  ),
  KVK_FREE_SHARE: setting(
    0.2,
    share,
    "Part of `KVK_DAILY_CALLS` for all accounts of free tiers together, if there are accounts of other tiers.",
  ),
  KVK_FRESH_FOR: setting(86_400, integer(0, 31_536_000), "Seconds for which a company from KVK is reused."),
  KVK_NOT_FOUND_FRESH_FOR: setting(
    3_600,
    integer(0, 2_592_000),
    "Seconds for which an answer from KVK that it does not know a number is reused.",
  ),
  KVK_SEARCH_FRESH_FOR: setting(
    600,
    integer(0, 86_400),
    "Seconds for which results of KVK's search are reused.",
  ),
  KVK_SEARCHES_PER_MINUTE: setting(
    30,
    integer(0, 10_000),
    "Searches per minute, account and process that KVK may complete when the registry cannot fill the first page.",
  ),
  KVK_KEEP_FOR: setting(
    31_536_000,
    integer(3_600, 3_153_600_000),
    "Seconds after which a company from KVK is deleted. Until then it is returned when KVK does not answer.",
  ),
  KVK_DEADLINE_MS: setting(
    5_000,
    integer(100, 30_000),
    "Maximum wait for KVK in milliseconds, retries included.",
  ),
  KVK_BATCH_DEADLINE_MS: setting(
    25_000,
    integer(100, 60_000),
    "Maximum wait of a batch for KVK in milliseconds.",
  ),
  MONITOR_KVK_SHARE: setting(
    0,
    share,
    "With `KVK_API_KEY`: part of `KVK_DAILY_CALLS` that renews monitored companies, oldest first. Whether you may store KVK's data is for you to check with KVK.",
  ),
  KVK_SUBSCRIPTION: optional(
    subscription,
    "Id of your subscription to KVK's Mutatieservice. Monitored companies are then fetched when KVK signals a change. Requires `KVK_API_KEY`.",
  ),
  KVK_OPEN_DATA_URL: setting(
    "https://opendata.kvk.nl",
    httpUrl,
    "Base address of KVK's open data, which has the insolvency of BVs and NVs.",
  ),
  KVK_OPEN_DATA_PER_MINUTE: setting(
    0,
    integer(0, 60),
    "Calls per minute to KVK's open data about monitored companies, all nodes together; 0 makes none. KVK allows 1 per address.",
  ),
  CIR_USER: optional(
    anyText,
    "Your user name for the web service of the courts' insolvency register (Centraal Insolventieregister). Load the register with `opzoek import insolvencies`.",
  ),
  CIR_PASSWORD: optional(anyText, "Its password, a secret."),
  CIR_URL: setting(
    "https://webservice.rechtspraak.nl/cir.asmx",
    secretUrl,
    "Address of the web service of the insolvency register.",
  ),
  CIR_CA: optional(
    fileText,
    "File with root certificates (PEM) to trust for the insolvency register, in addition to the usual ones: its certificate is issued under the private root of the Dutch state.",
  ),
  CIR_TIME: setting(
    "04:30",
    dayTime,
    "Time of day in the Netherlands from which the insolvency register is updated, up to half an hour later.",
  ),
  PEPPOL: setting(
    "off",
    oneOf("on", "off"),
    "Whether the Peppol network is asked which companies can receive e-invoices.",
  ),
  PEPPOL_ZONE: setting(
    "participant.sml.prod.tech.peppol.org",
    hostName,
    "DNS zone of Peppol's participants. That of the test network is `participant.sml.test.tech.peppol.org`.",
  ),
  PEPPOL_DNS: setting(
    [],
    addressesWithPort,
    "DNS servers (comma-separated, such as `192.0.2.53:53`) that are asked for Peppol. By default those of the machine.",
  ),
  PEPPOL_PER_SECOND: setting(
    2,
    integer(1, 50),
    "Questions to the Peppol network per second, all nodes together. Its zone limits the rate.",
  ),
  PEPPOL_NETWORKS: setting(
    [],
    networks,
    "Private addresses or networks (comma-separated) that the servers of Peppol's participants may have. By default only public addresses are called.",
  ),
  WEBHOOK_NETWORKS: setting(
    [],
    networks,
    "Private addresses or networks (comma-separated) that webhooks may reach, also by `http://`. By default they reach public addresses only, by `https://`.",
  ),
} as const;
