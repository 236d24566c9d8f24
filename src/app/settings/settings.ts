/**
 * Every setting of the program: name, parser, default, meaning. The one table; `docs/operations.md` shows it and a
 * test holds the two equal. Settings come from the environment and are checked before anything starts.
 */
import { availableParallelism } from "node:os";
import { resolve } from "node:path";
import { PAGE_CALLS_PER_MINUTE } from "../../contract/pageKey.ts";
import { DEFAULT_TIERS, type TierTable } from "../../contract/tiers.ts";
import { PAGE_SETTINGS } from "./page.ts";
import {
  BrokenRule,
  collectorUrl,
  httpUrl,
  integer,
  localPath,
  mailAddress,
  networks,
  oneOf,
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
  HOST: setting({
    shownDefault: "127.0.0.1",
    fallback: "127.0.0.1",
    meaning: "Address to listen on.",
    parse: (text) => text,
  }),
  PORT: setting({
    shownDefault: "8080",
    fallback: 8080,
    meaning: "Port to listen on; 0 takes a free one.",
    parse: integer(0, 65_535),
  }),
  DATA_DIR: setting({
    shownDefault: "./data",
    fallback: resolve("data"),
    meaning: "Folder of the embedded state and of the registry snapshots.",
    parse: localPath,
  }),
  DATABASE_URL: setting<string | undefined>({
    shownDefault: "–",
    fallback: undefined,
    meaning:
      "`postgres://…`: the state on PostgreSQL, shared by several nodes, instead of the embedded one. Several servers with commas: the one that can be written to is used.",
    parse: postgresUrl,
  }),
  WORKERS: setting({
    shownDefault: "1",
    fallback: 1,
    meaning:
      "Processes on this machine that answer calls on the one address. More than 1 needs `DATABASE_URL`.",
    parse: integer(1, Math.max(64, availableParallelism())),
  }),
  TRUST_PROXY: setting<readonly string[]>({
    shownDefault: "–",
    fallback: [],
    meaning:
      "Addresses or networks (comma-separated) of proxies whose `X-Forwarded-For` and `X-Forwarded-Proto` are believed.",
    parse: networks,
  }),
  PUBLIC_URL: setting<string | undefined>({
    shownDefault: "–",
    fallback: undefined,
    meaning:
      "The address that people use: links in mails, the account page's own origin, shown in the API document.",
    parse: httpUrl,
  }),
  ...PAGE_SETTINGS,
  SMTP_URL: setting<string | undefined>({
    shownDefault: "–",
    fallback: undefined,
    meaning:
      "`smtp://user:password@host:port` or `smtps://…`: mails to confirm addresses, reset passwords and tell of allowances. Needs `PUBLIC_URL`.",
    parse: smtpUrl,
  }),
  MAIL_FROM: setting<string | undefined>({
    shownDefault: "–",
    fallback: undefined,
    meaning: "Sender of mails; `opzoek@` the host of `PUBLIC_URL` when left out.",
    parse: mailAddress,
  }),
  TWO_FACTOR_KEY: setting<readonly string[]>({
    shownDefault: "–",
    fallback: [],
    meaning:
      "Key that the secrets of two-factor sign-in are sealed under, 32 bytes in base64 (`openssl rand -base64 32`); several with commas: the first seals, all open. Left out, a file in `DATA_DIR` is made; with `DATABASE_URL` it is needed, the same for all nodes.",
    parse: sealKeyList,
  }),
  TIERS_FILE: setting<TierTable>({
    shownDefault: "–",
    fallback: DEFAULT_TIERS,
    meaning:
      'JSON file `{name: {monthlyTokens, ratePerMinute}}` that adds tiers or replaces built-in ones; `"isFree": true` has a tier\'s accounts share `KVK_FREE_SHARE`, as those of `free` do.',
    parse: readTiers,
  }),
  REGISTRY_URL: setting<string | undefined>({
    shownDefault: "–",
    fallback: undefined,
    meaning:
      "Folder that `opzoek registry publish` wrote (`https://…`, `file:///…`, `http://` on this machine only): the service follows it. Needs `REGISTRY_PUBLIC_KEY`.",
    parse: publishedFolder,
  }),
  REGISTRY_PUBLIC_KEY: setting<readonly string[]>({
    shownDefault: "–",
    fallback: [],
    meaning:
      "Keys (comma-separated) of which one must have signed what is published; see `opzoek registry keys`.",
    parse: publicKeyList,
  }),
  REGISTRY_POLL_SECONDS: setting({
    shownDefault: "300",
    fallback: 300,
    meaning: "Seconds between two looks at `REGISTRY_URL`, give or take a tenth.",
    parse: integer(1, 86_400),
  }),
  REGISTRY_WARN_AFTER: setting<number | undefined>({
    shownDefault: "–",
    fallback: undefined,
    meaning:
      "With a `REGISTRY_URL`: seconds after which a manifest that was not signed anew makes health `degraded` and is told in the log.",
    parse: integer(60, 31_536_000),
  }),
  REGISTRY_MAX_BYTES: setting({
    shownDefault: "17179869184",
    fallback: 17_179_869_184,
    meaning: "A published snapshot may not be larger, neither as it is fetched nor unpacked.",
    parse: integer(1, 1_099_511_627_776),
  }),
  REGISTRY_PRIVATE_KEY_FILE: setting<string | undefined>({
    shownDefault: "–",
    fallback: undefined,
    meaning: "File of the key that signs what this node publishes. No other node needs it.",
    parse: localPath,
  }),
  ...UPSTREAM_SETTINGS,
  OPZOEK_URL: setting<string | undefined>({
    shownDefault: "–",
    fallback: undefined,
    meaning:
      "Address of a service that `opzoek lookup`, `search`, `vat` and the like ask, and `opzoek mcp` calls; without it they ask the snapshot in `DATA_DIR`. `serve` does not read it.",
    parse: secretUrl,
  }),
  OPZOEK_KEY: setting<string | undefined>({
    shownDefault: "–",
    fallback: undefined,
    meaning: "Key for that service; a secret.",
    parse: (text) => text,
  }),
  KEYLESS_PER_MINUTE: setting({
    shownDefault: "300",
    fallback: 300,
    meaning:
      "Calls without a good key (health, docs, files of the account page, refused keys) that one client address may make a minute.",
    parse: integer(1, 1_000_000_000),
  }),
  PAGE_CALLS_PER_MINUTE: setting({
    shownDefault: String(PAGE_CALLS_PER_MINUTE),
    fallback: PAGE_CALLS_PER_MINUTE,
    meaning:
      "Calls of the API that the account page itself may make a minute for an account, beside those of its keys.",
    parse: integer(1, 1_000_000_000),
  }),
  RECENT_CALLS: setting({
    shownDefault: "on",
    fallback: "on" as const,
    meaning:
      "`on` or `off`: whether the account page can tell each account's last 1,000 calls of seven days (how each went, never what was asked).",
    parse: oneOf("on", "off"),
  }),
  METRICS_PORT: setting<number | undefined>({
    shownDefault: "–",
    fallback: undefined,
    meaning:
      "Port of `/metrics` for Prometheus ([metrics.md](metrics.md)); 0 takes a free one, which the log tells. Left out, nothing is counted.",
    parse: integer(0, 65_535),
  }),
  METRICS_HOST: setting({
    shownDefault: "127.0.0.1",
    fallback: "127.0.0.1",
    meaning: "Address that `/metrics` is served on, without a key: let nobody but Prometheus reach it.",
    parse: (text) => text,
  }),
  DRAIN_DELAY_MS: setting({
    shownDefault: "0",
    fallback: 0,
    meaning:
      "Milliseconds for which a service that is told to end goes on taking calls while `/readyz` answers 503, so that whoever shares calls out has seen it before connections are refused.",
    parse: integer(0, 60_000),
  }),
  LOG_LEVEL: setting({
    shownDefault: "info",
    fallback: "info" as const,
    meaning: "`debug`, `info`, `warn`, `error` or `silent`: JSON lines on stdout.",
    parse: oneOf("debug", "info", "warn", "error", "silent"),
  }),
  OTEL_EXPORTER_OTLP_ENDPOINT: setting<string | undefined>({
    shownDefault: "–",
    fallback: undefined,
    meaning:
      "A collector of OpenTelemetry (`http://127.0.0.1:4318`): spans of calls, of batches of the state and of waiting for VIES and KVK are sent there.",
    parse: collectorUrl,
  }),
  OTEL_TRACES_SAMPLER_ARG: setting({
    shownDefault: "1",
    fallback: 1,
    meaning:
      "With a collector: the share of traces that is recorded, from 0 to 1. A caller's `traceparent` can ask not to be recorded, not to be.",
    parse: share,
  }),
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
