/**
 * Every setting of the program: name, default, rule, description. `docs/settings.md` is generated from it. Settings
 * come from the environment and are checked before anything starts.
 */
import { availableParallelism } from "node:os";
import { resolve } from "node:path";
import { SIGNUP_MODES } from "../../contract/accountRules.ts";
import { PAGE_CALLS_PER_MINUTE } from "../../contract/pageKey.ts";
import { DEFAULT_TIERS } from "../../contract/tiers.ts";
import { OperatorError } from "../../lib/operatorError.ts";
import { headerList, publishedFolder } from "./publication.ts";
import {
  anyText,
  BrokenRule,
  collectorUrl,
  contact,
  httpUrl,
  integer,
  localPath,
  mailAddress,
  networks,
  oneOf,
  optional,
  pageUrl,
  postgresUrl,
  publicKeyList,
  readTiers,
  type Setting,
  sealKeyList,
  secretUrl,
  setting,
  share,
  smtpUrl,
} from "./rules.ts";
import { UPSTREAM_SETTINGS } from "./upstreams.ts";

/** A setting that cannot be used. The message names it and its rule, and never contains a secret. */
export class SettingError extends OperatorError {
  override readonly exitCode = 2;

  constructor(setting: string, rule: string) {
    super(`${setting} ${rule}`);
    this.name = "SettingError";
  }
}

export const SETTINGS = {
  HOST: setting("127.0.0.1", anyText, "Address to listen on."),
  PORT: setting(8080, integer(0, 65_535), "Port to listen on; 0 picks a free one."),
  DATA_DIR: setting(
    resolve("data"),
    localPath,
    "Folder of the embedded state and the registry. Back it up.",
    "./data",
  ),
  DATABASE_URL: optional(
    postgresUrl,
    "`postgres://…`: keeps the state in PostgreSQL, shared by several nodes, instead of in `DATA_DIR`. List several servers with commas; the one that accepts writes is used.",
  ),
  WORKERS: setting(
    1,
    integer(1, Math.max(64, availableParallelism())),
    "Number of processes on this machine that answer calls. More than 1 requires `DATABASE_URL`.",
  ),
  TRUST_PROXY: setting(
    [],
    networks,
    "Addresses or networks (comma-separated) of your proxies, whose `X-Forwarded-For` (or, without it, `Forwarded`) and `X-Forwarded-Proto` are trusted.",
  ),
  PUBLIC_URL: optional(
    httpUrl,
    "The address that people use, such as `https://registry.example.com`. The account page accepts changes only from there, and links in mail point to it.",
  ),
  SIGNUP: setting(
    "invite",
    oneOf(...SIGNUP_MODES),
    "Who may sign up on the account page: `open` (anyone), `invite` (`opzoek account invite`) or `closed`.",
  ),
  PUBLIC_SEARCH: setting(
    "off",
    oneOf("on", "off"),
    "`on` lets visitors search companies without an account: 20 times per minute and address, in the registry only.",
  ),
  OPERATOR_CONTACT: optional(contact, "Your email address or page, shown at the foot of every page."),
  TERMS_URL: optional(pageUrl, "Your terms of use, linked at the foot of every page."),
  PRIVACY_URL: optional(pageUrl, "Your privacy statement, linked at the foot of every page."),
  SESSION_IDLE_MINUTES: setting(
    30,
    integer(2, 43_200),
    "Minutes after which an idle session of the account page ends.",
  ),
  SESSION_HOURS: setting(8, integer(1, 720), "Hours after which any session of the account page ends."),
  SMTP_URL: optional(
    smtpUrl,
    "`smtp://user:password@host:port` or `smtps://…`: sends mail to confirm addresses, reset passwords and warn when an allowance runs out. A secret. Requires `PUBLIC_URL`.",
  ),
  MAIL_FROM: optional(mailAddress, "Sender of mails. Default: `opzoek@` and the host of `PUBLIC_URL`."),
  TWO_FACTOR_KEY: setting(
    [],
    sealKeyList,
    "Key that encrypts the secrets of two-factor sign-in: 32 bytes in base64 (`openssl rand -base64 32`). Several with commas: the first encrypts, all decrypt. Default: a file in `DATA_DIR`. Required with `DATABASE_URL`, the same on all nodes.",
  ),
  TIERS_FILE: setting(
    DEFAULT_TIERS,
    readTiers,
    "JSON file `{name: {monthlyTokens, ratePerMinute}}` that adds tiers or replaces built-in ones; see [below](#tiers).",
    "–",
  ),
  REGISTRY_URL: optional(
    publishedFolder,
    "Folder written by `opzoek registry publish`, to follow: `https://…`, `file:///…`, or `http://` on this machine. Requires `REGISTRY_PUBLIC_KEY`.",
  ),
  REGISTRY_HEADERS: setting<Readonly<Record<string, string>>>(
    {},
    headerList,
    "Headers for the server of `REGISTRY_URL`, a secret: `authorization=Bearer%20…`, several with commas, values URL-encoded.",
    "–",
  ),
  REGISTRY_PUBLIC_KEY: setting(
    [],
    publicKeyList,
    "Public keys (comma-separated), printed by `opzoek registry keys`; one of them must have signed the published registry.",
  ),
  REGISTRY_POLL_SECONDS: setting(
    300,
    integer(1, 86_400),
    "Seconds between polls of `REGISTRY_URL`, plus or minus a tenth.",
  ),
  REGISTRY_WARN_AFTER: optional(
    integer(60, 31_536_000),
    "With `REGISTRY_URL`: seconds without a new signature after which health is `degraded` and the log warns.",
  ),
  REGISTRY_MAX_BYTES: setting(
    17_179_869_184,
    integer(1, 1_099_511_627_776),
    "Maximum size of a published archive in bytes, before and after unpacking.",
  ),
  REGISTRY_PRIVATE_KEY_FILE: optional(
    localPath,
    "File of the key that signs what this node publishes. Other nodes do not need it.",
  ),
  ...UPSTREAM_SETTINGS,
  OPZOEK_URL: optional(
    secretUrl,
    "Address of the service that `opzoek lookup`, `search`, `vat`, `mcp` and similar commands call. Without it they read the registry in `DATA_DIR`.",
  ),
  OPZOEK_KEY: optional(anyText, "Key for that service, a secret."),
  KEYLESS_PER_MINUTE: setting(
    300,
    integer(1, 1_000_000_000),
    "Calls per minute without a valid key, per client address.",
  ),
  PAGE_CALLS_PER_MINUTE: setting(
    PAGE_CALLS_PER_MINUTE,
    integer(1, 1_000_000_000),
    "API calls per minute that the account page may make for one account.",
  ),
  RECENT_CALLS: setting(
    "on",
    oneOf("on", "off"),
    "`on` or `off`: whether the account page lists an account's last 1,000 calls of the last seven days (status and cost, not the query).",
  ),
  EVENT_RETENTION_DAYS: setting(
    90,
    integer(1, 3_650),
    "Days for which events of [monitors](monitors.md) are kept.",
  ),
  METRICS_PORT: optional(
    integer(0, 65_535),
    "Port of `/metrics` for [Prometheus](monitoring.md#metrics); 0 picks a free one. Without it there are no metrics.",
  ),
  METRICS_HOST: setting(
    "127.0.0.1",
    anyText,
    "Address that serves `/metrics`. It requires no key, so only Prometheus should be able to reach it.",
  ),
  READY_WITHOUT_SEARCH: setting(
    "off",
    oneOf("on", "off"),
    "`on` or `off`: whether `/readyz` answers 200 while the registry has no usable search index, so that lookups are served. Set it on a single node, where no other node can search.",
  ),
  DRAIN_DELAY_MS: setting(
    0,
    integer(0, 60_000),
    "Milliseconds for which a stopping service still accepts calls while `/readyz` returns 503, so that a load balancer can react.",
  ),
  LOG_LEVEL: setting(
    "info",
    oneOf("debug", "info", "warn", "error", "silent"),
    "`debug`, `info`, `warn`, `error` or `silent`: JSON lines on stdout.",
  ),
  OTEL_EXPORTER_OTLP_ENDPOINT: optional(
    collectorUrl,
    "Address of an OpenTelemetry collector (`http://127.0.0.1:4318`) for [traces](logs.md#traces).",
  ),
  OTEL_TRACES_SAMPLER_ARG: setting(
    1,
    share,
    "Share of traces to record, from 0 to 1. A caller's `traceparent` can opt out, not in.",
  ),
} as const;

type SettingName = keyof typeof SETTINGS;

/** The settings of a first single node. All others have a suitable default. */
export const FIRST_SETTINGS = [
  "DATA_DIR",
  "PORT",
  "PUBLIC_URL",
  "TRUST_PROXY",
  "SMTP_URL",
  "KVK_API_KEY",
] as const satisfies readonly SettingName[];

export type Settings = {
  readonly [Name in SettingName]: (typeof SETTINGS)[Name] extends Setting<infer T> ? T : never;
};

/**
 * Reads the settings from `environment`, with defaults; an empty text counts as not set.
 * @throws {SettingError} for the first setting that breaks its rule or conflicts with another
 */
export function readSettings(environment: Readonly<Record<string, string | undefined>>): Settings {
  const values: Record<string, unknown> = {};
  for (const [name, definition] of Object.entries(SETTINGS)) {
    const text = environment[name];
    try {
      values[name] = text === undefined || text === "" ? definition.fallback : definition.parse(text);
    } catch (error) {
      throw error instanceof BrokenRule ? new SettingError(name, error.message) : error;
    }
  }
  const settings = values as Settings;
  if (settings.SMTP_URL !== undefined && settings.PUBLIC_URL === undefined) {
    throw new SettingError("SMTP_URL", "requires PUBLIC_URL, which links in mail point to");
  }
  if (settings.KVK_SUBSCRIPTION !== undefined && settings.KVK_API_KEY === undefined) {
    throw new SettingError("KVK_SUBSCRIPTION", "requires KVK_API_KEY, with which its signals are read");
  }
  if ((settings.CIR_USER === undefined) !== (settings.CIR_PASSWORD === undefined)) {
    const [missing, given] =
      settings.CIR_USER === undefined ? ["CIR_USER", "CIR_PASSWORD"] : ["CIR_PASSWORD", "CIR_USER"];
    throw new SettingError(missing, `is required with ${given}`);
  }
  if (settings.REGISTRY_URL !== undefined && settings.REGISTRY_PUBLIC_KEY.length === 0) {
    throw new SettingError(
      "REGISTRY_PUBLIC_KEY",
      'is required with REGISTRY_URL: use the public key that "opzoek registry keys" prints on the publishing machine',
    );
  }
  return settings;
}
