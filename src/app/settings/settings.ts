/**
 * Every setting of the program: name, parser, default, meaning. The one table; `docs/operations.md` shows it and a
 * test holds the two equal. Settings come from the environment and are checked before anything starts.
 */
import { availableParallelism } from "node:os";
import { resolve } from "node:path";
import { PAGE_CALLS_PER_MINUTE } from "../../contract/pageKey.ts";
import { DEFAULT_TIERS } from "../../contract/tiers.ts";
import { PAGE_SETTINGS } from "./page.ts";
import {
  anyText,
  BrokenRule,
  collectorUrl,
  httpUrl,
  integer,
  localPath,
  mailAddress,
  networks,
  oneOf,
  optional,
  postgresUrl,
  publicKeyList,
  publishedFolder,
  readTiers,
  type Setting,
  sealKeyList,
  secretUrl,
  setting,
  share,
  smtpUrl,
} from "./rules.ts";
import { UPSTREAM_SETTINGS } from "./upstreams.ts";

/** A setting that cannot be used. The message names it, says the rule and never repeats a secret. */
export class SettingError extends Error {
  constructor(setting: string, rule: string) {
    super(`${setting} ${rule}`);
    this.name = "SettingError";
  }
}

export const SETTINGS = {
  HOST: setting("127.0.0.1", anyText, "Address to listen on."),
  PORT: setting(8080, integer(0, 65_535), "Port to listen on; 0 takes a free one."),
  DATA_DIR: setting(
    resolve("data"),
    localPath,
    "Folder of the embedded state and of the registry snapshots.",
    "./data",
  ),
  DATABASE_URL: optional(
    postgresUrl,
    "`postgres://…`: the state on PostgreSQL, shared by several nodes, instead of the embedded one. Several servers with commas: the one that can be written to is used.",
  ),
  WORKERS: setting(
    1,
    integer(1, Math.max(64, availableParallelism())),
    "Processes on this machine that answer calls on the one address. More than 1 needs `DATABASE_URL`.",
  ),
  TRUST_PROXY: setting(
    [],
    networks,
    "Addresses or networks (comma-separated) of proxies whose `X-Forwarded-For` and `X-Forwarded-Proto` are believed.",
  ),
  PUBLIC_URL: optional(
    httpUrl,
    "The address that people use: links in mails, the account page's own origin, shown in the API document.",
  ),
  ...PAGE_SETTINGS,
  SMTP_URL: optional(
    smtpUrl,
    "`smtp://user:password@host:port` or `smtps://…`: mails to confirm addresses, reset passwords and tell of allowances. Needs `PUBLIC_URL`.",
  ),
  MAIL_FROM: optional(mailAddress, "Sender of mails; `opzoek@` the host of `PUBLIC_URL` when left out."),
  TWO_FACTOR_KEY: setting(
    [],
    sealKeyList,
    "Key that the secrets of two-factor sign-in are sealed under, 32 bytes in base64 (`openssl rand -base64 32`); several with commas: the first seals, all open. Left out, a file in `DATA_DIR` is made; with `DATABASE_URL` it is needed, the same for all nodes.",
  ),
  TIERS_FILE: setting(
    DEFAULT_TIERS,
    readTiers,
    'JSON file `{name: {monthlyTokens, ratePerMinute}}` that adds tiers or replaces built-in ones; `"isFree": true` has a tier\'s accounts share `KVK_FREE_SHARE`, as those of `free` do.',
    "–",
  ),
  REGISTRY_URL: optional(
    publishedFolder,
    "Folder that `opzoek registry publish` wrote (`https://…`, `file:///…`, `http://` on this machine only): the service follows it. Needs `REGISTRY_PUBLIC_KEY`.",
  ),
  REGISTRY_PUBLIC_KEY: setting(
    [],
    publicKeyList,
    "Keys (comma-separated) of which one must have signed what is published; see `opzoek registry keys`.",
  ),
  REGISTRY_POLL_SECONDS: setting(
    300,
    integer(1, 86_400),
    "Seconds between two looks at `REGISTRY_URL`, give or take a tenth.",
  ),
  REGISTRY_WARN_AFTER: optional(
    integer(60, 31_536_000),
    "With a `REGISTRY_URL`: seconds after which a manifest that was not signed anew makes health `degraded` and is told in the log.",
  ),
  REGISTRY_MAX_BYTES: setting(
    17_179_869_184,
    integer(1, 1_099_511_627_776),
    "A published snapshot may not be larger, neither as it is fetched nor unpacked.",
  ),
  REGISTRY_PRIVATE_KEY_FILE: optional(
    localPath,
    "File of the key that signs what this node publishes. No other node needs it.",
  ),
  ...UPSTREAM_SETTINGS,
  OPZOEK_URL: optional(
    secretUrl,
    "Address of a service that `opzoek lookup`, `search`, `vat` and the like ask, and `opzoek mcp` calls; without it they ask the snapshot in `DATA_DIR`. `serve` does not read it.",
  ),
  OPZOEK_KEY: optional(anyText, "Key for that service; a secret."),
  KEYLESS_PER_MINUTE: setting(
    300,
    integer(1, 1_000_000_000),
    "Calls without a good key (health, docs, files of the account page, refused keys) that one client address may make a minute.",
  ),
  PAGE_CALLS_PER_MINUTE: setting(
    PAGE_CALLS_PER_MINUTE,
    integer(1, 1_000_000_000),
    "Calls of the API that the account page itself may make a minute for an account, beside those of its keys.",
  ),
  RECENT_CALLS: setting(
    "on",
    oneOf("on", "off"),
    "`on` or `off`: whether the account page can tell each account's last 1,000 calls of seven days (how each went, never what was asked).",
  ),
  METRICS_PORT: optional(
    integer(0, 65_535),
    "Port of `/metrics` for Prometheus ([metrics.md](metrics.md)); 0 takes a free one, which the log tells. Left out, nothing is counted.",
  ),
  METRICS_HOST: setting(
    "127.0.0.1",
    anyText,
    "Address that `/metrics` is served on, without a key: let nobody but Prometheus reach it.",
  ),
  DRAIN_DELAY_MS: setting(
    0,
    integer(0, 60_000),
    "Milliseconds for which a service that is told to end goes on taking calls while `/readyz` answers 503, so that whoever shares calls out has seen it before connections are refused.",
  ),
  LOG_LEVEL: setting(
    "info",
    oneOf("debug", "info", "warn", "error", "silent"),
    "`debug`, `info`, `warn`, `error` or `silent`: JSON lines on stdout.",
  ),
  OTEL_EXPORTER_OTLP_ENDPOINT: optional(
    collectorUrl,
    "A collector of OpenTelemetry (`http://127.0.0.1:4318`): spans of calls, of batches of the state and of waiting for VIES and KVK are sent there.",
  ),
  OTEL_TRACES_SAMPLER_ARG: setting(
    1,
    share,
    "With a collector: the share of traces that is recorded, from 0 to 1. A caller's `traceparent` can ask not to be recorded, not to be.",
  ),
} as const;

type SettingName = keyof typeof SETTINGS;
export type Settings = {
  readonly [Name in SettingName]: (typeof SETTINGS)[Name] extends Setting<infer T> ? T : never;
};

/**
 * The settings that `environment` gives, defaults filled in; an empty text counts as not set.
 * @throws {SettingError} for the first one that breaks its rule or does not go with another
 */
export function readSettings(environment: Readonly<Record<string, string | undefined>>): Settings {
  const values: Record<string, unknown> = {};
  for (const [name, definition] of Object.entries(SETTINGS)) {
    const text = environment[name];
    values[name] =
      text === undefined || text === "" ? definition.fallback : parseSetting(name, definition, text);
  }
  const settings = values as Settings;
  if (settings.SMTP_URL !== undefined && settings.PUBLIC_URL === undefined) {
    throw new SettingError("SMTP_URL", "needs PUBLIC_URL: links in mails lead there");
  }
  if (settings.REGISTRY_URL !== undefined && settings.REGISTRY_PUBLIC_KEY.length === 0) {
    throw new SettingError(
      "REGISTRY_PUBLIC_KEY",
      'is needed with REGISTRY_URL: the line that "opzoek registry keys" printed where it is published',
    );
  }
  if (settings.LEARN && settings.KVK_API_KEY === undefined) {
    throw new SettingError("LEARN", "needs KVK_API_KEY: what is learned is what KVK tells");
  }
  if (settings.LEARN && settings.REGISTRY_URL !== undefined) {
    throw new SettingError(
      "LEARN",
      "does not go with REGISTRY_URL: what is fetched takes the place of the whole registry; set it where the registry is published",
    );
  }
  return settings;
}

function parseSetting(name: string, definition: Setting<unknown>, text: string): unknown {
  try {
    return definition.parse(text);
  } catch (error) {
    if (error instanceof BrokenRule) throw new SettingError(name, error.message);
    throw error;
  }
}
