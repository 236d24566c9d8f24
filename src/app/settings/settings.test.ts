import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { refusalOf } from "../../../test/kit/refusalOf.ts";
import { DEFAULT_TIERS } from "../../contract/tiers.ts";
import { readSettings, SETTINGS } from "./settings.ts";

const folder = mkdtempSync(join(tmpdir(), "opzoek-config-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const PUBLIC_KEY = `ed25519:${"A".repeat(43)}`;

function tiersFile(content: string): string {
  const path = join(mkdtempSync(join(folder, "tiers-")), "tiers.json");
  writeFileSync(path, content);
  return path;
}

describe("settings", () => {
  it("have the documented defaults, also if they are empty", () => {
    const defaults = {
      HOST: "127.0.0.1",
      PORT: 8_080,
      DATA_DIR: resolve("data"),
      DATABASE_URL: undefined,
      WORKERS: 1,
      TRUST_PROXY: [],
      PUBLIC_URL: undefined,
      SIGNUP: "invite",
      PUBLIC_SEARCH: "off",
      RECENT_CALLS: "on",
      READY_WITHOUT_SEARCH: "off",
      OPERATOR_CONTACT: undefined,
      TERMS_URL: undefined,
      PRIVACY_URL: undefined,
      SESSION_IDLE_MINUTES: 30,
      SESSION_HOURS: 8,
      SMTP_URL: undefined,
      MAIL_FROM: undefined,
      TWO_FACTOR_KEY: [],
      TIERS_FILE: DEFAULT_TIERS,
      REGISTRY_URL: undefined,
      REGISTRY_HEADERS: {},
      REGISTRY_PUBLIC_KEY: [],
      REGISTRY_POLL_SECONDS: 300,
      REGISTRY_WARN_AFTER: undefined,
      REGISTRY_MAX_BYTES: 17_179_869_184,
      REGISTRY_PRIVATE_KEY_FILE: undefined,
      VIES_URL: "https://ec.europa.eu/taxation_customs/vies/rest-api",
      VIES_FRESH_FOR: 3_600,
      VIES_REFUSAL_FRESH_FOR: 300,
      VIES_STALE_FOR: 2_592_000,
      VIES_DEADLINE_MS: 5_000,
      VIES_BATCH_DEADLINE_MS: 25_000,
      VIES_PER_STATE: 8,
      KVK_API_URL: "https://api.kvk.nl/api",
      KVK_API_KEY: undefined,
      KVK_API_CA: undefined,
      REGISTRY_FRESH_FOR: 2_592_000,
      KVK_DAILY_CALLS: 1_000,
      KVK_DAILY_MISSES: 100,
      KVK_FREE_SHARE: 0.2,
      KVK_FRESH_FOR: 86_400,
      KVK_NOT_FOUND_FRESH_FOR: 3_600,
      KVK_SEARCH_FRESH_FOR: 600,
      KVK_SEARCHES_PER_MINUTE: 30,
      KVK_KEEP_FOR: 31_536_000,
      KVK_DEADLINE_MS: 5_000,
      KVK_BATCH_DEADLINE_MS: 25_000,
      MONITOR_KVK_SHARE: 0,
      KVK_SUBSCRIPTION: undefined,
      KVK_OPEN_DATA_URL: "https://opendata.kvk.nl",
      KVK_OPEN_DATA_PER_MINUTE: 0,
      CIR_USER: undefined,
      CIR_PASSWORD: undefined,
      CIR_URL: "https://webservice.rechtspraak.nl/cir.asmx",
      CIR_CA: undefined,
      CIR_TIME: "04:30",
      PEPPOL: "off",
      PEPPOL_ZONE: "participant.sml.prod.tech.peppol.org",
      PEPPOL_DNS: [],
      PEPPOL_PER_SECOND: 2,
      PEPPOL_NETWORKS: [],
      KEYLESS_PER_MINUTE: 300,
      PAGE_CALLS_PER_MINUTE: 60,
      METRICS_PORT: undefined,
      METRICS_HOST: "127.0.0.1",
      DRAIN_DELAY_MS: 0,
      EVENT_RETENTION_DAYS: 90,
      LOG_LEVEL: "info",
      OPZOEK_KEY: undefined,
      OPZOEK_URL: undefined,
      WEBHOOK_NETWORKS: [],
      OTEL_EXPORTER_OTLP_ENDPOINT: undefined,
      OTEL_TRACES_SAMPLER_ARG: 1,
    };
    expect(readSettings({})).toEqual(defaults);
    expect(readSettings(Object.fromEntries(Object.keys(SETTINGS).map((name) => [name, ""])))).toEqual(
      defaults,
    );
    expect(readSettings({ UNRELATED: "x", PATH: "/bin" })).toEqual(defaults);
  });

  it.each([
    ["HOST", "::", "::"],
    ["PORT", "0", 0],
    ["PORT", "65535", 65_535],
    ["DATA_DIR", "somewhere", resolve("somewhere")],
    ["WORKERS", "1", 1],
    ["TRUST_PROXY", "10.0.0.0/8, ::1", ["10.0.0.0/8", "::1"]],
    ["PUBLIC_URL", "https://companies.example/", "https://companies.example"],
    ["OPERATOR_CONTACT", "help@companies.example", "mailto:help@companies.example"],
    ["OPERATOR_CONTACT", "https://companies.example/help/", "https://companies.example/help/"],
    ["TERMS_URL", "https://companies.example/terms#use", "https://companies.example/terms#use"],
    ["PRIVACY_URL", "https://companies.example/privacy/", "https://companies.example/privacy/"],
    ["REGISTRY_PUBLIC_KEY", `${PUBLIC_KEY}, ${PUBLIC_KEY}`, [PUBLIC_KEY, PUBLIC_KEY]],
    ["REGISTRY_POLL_SECONDS", "1", 1],
    ["REGISTRY_PRIVATE_KEY_FILE", "registry.key", resolve("registry.key")],
    ["VIES_URL", "http://127.0.0.1:8088/vies/", "http://127.0.0.1:8088/vies"],
    ["VIES_FRESH_FOR", "0", 0],
    ["VIES_DEADLINE_MS", "100", 100],
    ["KVK_API_URL", "http://127.0.0.1:9999/api/", "http://127.0.0.1:9999/api"],
    ["KVK_API_KEY", "a-key", "a-key"],
    ["KVK_DAILY_CALLS", "0", 0],
    ["KEYLESS_PER_MINUTE", "5", 5],
    ["PAGE_CALLS_PER_MINUTE", "5", 5],
    ["METRICS_PORT", "0", 0],
    ["DRAIN_DELAY_MS", "60000", 60_000],
    ["EVENT_RETENTION_DAYS", "1", 1],
    ["LOG_LEVEL", "silent", "silent"],
  ] as const)("read %s=%s", (name, text, value) => {
    expect(readSettings({ [name]: text })[name]).toEqual(value);
  });

  it.each([
    ["PORT", "65536", "a whole number from 0 to 65535"],
    ["PORT", "-1", "a whole number"],
    ["PORT", "80a", "a whole number"],
    ["PORT", "8e1", "a whole number"],
    ["PORT", "99999999999999999999", "a whole number"],
    ["WORKERS", "0", "a whole number from 1"],
    ["DATA_DIR", "s3://bucket/data", "a path on this machine"],
    ["REGISTRY_PRIVATE_KEY_FILE", "https://companies.example/key", "a path on this machine"],
    ["DATABASE_URL", "mysql://x", "postgres://"],
    ["DATABASE_URL", "postgres://u:p@one,two/db?target_session_attrs=any", "target_session_attrs=read-write"],
    ["DATABASE_URL", "postgres://u:p@/db?host=one,two", "without host="],
    ["DATABASE_URL", "postgres://u:p@one,two/db?sslmod=require", "known are host"],
    [
      "DATABASE_URL",
      "postgres://u:p@host/db?sslmod=verify-full",
      "known are host, options, password, port, sslcert",
    ],
    [
      "DATABASE_URL",
      "postgres://u:p@host/db?sslmode=verify_full",
      "one of these sslmode values: disable, no-verify",
    ],
    ["DATABASE_URL", "postgres://u:p@host/db?application_name=mine", "unknown parameter"],
    ["TRUST_PROXY", "loopback", "IP addresses or networks"],
    ["TRUST_PROXY", "999.1.1.1", "IP addresses or networks"],
    ["TRUST_PROXY", "10.0.0.0/33", "IP addresses or networks"],
    ["TRUST_PROXY", "10.0.0.0/8,", "IP addresses or networks"],
    ["PUBLIC_URL", "companies.example", "http:// or https://"],
    ["PUBLIC_URL", "file:///etc", "http:// or https://"],
    ["OPERATOR_CONTACT", "the help desk", "an email address such as"],
    ["OPERATOR_CONTACT", "javascript:alert(1)", "an email address such as"],
    ["OPERATOR_CONTACT", "help@companies.example?subject=x", "an email address such as"],
    ["TERMS_URL", "terms.html", "http:// or https://"],
    ["TERMS_URL", "javascript:alert(1)", "http:// or https://"],
    ["PRIVACY_URL", "https://user:secret@companies.example", "not contain a user or password"],
    ["REGISTRY_PUBLIC_KEY", "x", "opzoek registry keys"],
    ["REGISTRY_PUBLIC_KEY", `${PUBLIC_KEY},`, "opzoek registry keys"],
    ["REGISTRY_PUBLIC_KEY", `${PUBLIC_KEY}A`, "43 characters"],
    ["REGISTRY_POLL_SECONDS", "0", "a whole number from 1"],
    ["REGISTRY_MAX_BYTES", "16 GB", "a whole number from 1"],
    ["VIES_URL", "ec.europa.eu", "http:// or https://"],
    ["VIES_FRESH_FOR", "1h", "a whole number from 0"],
    ["VIES_REFUSAL_FRESH_FOR", "-1", "a whole number from 0"],
    ["VIES_STALE_FOR", "forever", "a whole number from 0"],
    ["VIES_DEADLINE_MS", "0", "a whole number from 100"],
    ["VIES_BATCH_DEADLINE_MS", "60001", "to 60000"],
    ["VIES_PER_STATE", "0", "a whole number from 1"],
    ["KEYLESS_PER_MINUTE", "0", "a whole number from 1"],
    ["PAGE_CALLS_PER_MINUTE", "0", "a whole number from 1"],
    ["METRICS_PORT", "65536", "a whole number from 0 to 65535"],
    ["DRAIN_DELAY_MS", "60001", "to 60000"],
    ["EVENT_RETENTION_DAYS", "0", "from 1 to 3650"],
    ["LOG_LEVEL", "trace", "one of debug, info, warn, error, silent"],
    ["TIERS_FILE", "no-such-file.json", "must name a readable JSON file"],
  ])("refuse %s=%s by name, with the rule", (name, text, rule) => {
    const message = refusalOf({ [name]: text });
    expect(message.startsWith(`${name} `)).toBe(true);
    expect(message).toContain(rule);
  });

  it("repeat no secret when they are refused", () => {
    const secret = "tr0ub4dor";
    for (const DATABASE_URL of [
      `mysql://u:${secret}@host/db`,
      `postgres://u:${secret}@[bad`,
      `x${secret}`,
      `postgres://u:1?${secret}@host/db`,
      `postgres://u:${secret}@one,,two/db`,
      `postgres://u:x/${secret}@one,two/db`,
    ]) {
      expect(refusalOf({ DATABASE_URL })).not.toContain(secret);
      expect(refusalOf({ DATABASE_URL })).toContain("DATABASE_URL");
    }
    const DATABASE_URL = `postgres://u:${secret}@host/db`;
    expect(readSettings({ DATABASE_URL }).DATABASE_URL).toBe(DATABASE_URL);
    expect(refusalOf({ DATABASE_URL, WORKERS: "4" })).not.toContain(secret);
    expect(refusalOf({ PUBLIC_URL: `ftp://u:${secret}@host` })).not.toContain(secret);
    for (const SMTP_URL of [`http://u:${secret}@host`, `smtp://u:${secret}@`, `smtp://u:${secret}@host`]) {
      expect(refusalOf({ SMTP_URL })).toMatch(/^SMTP_URL /);
      expect(refusalOf({ SMTP_URL })).not.toContain(secret);
    }
  });
});

describe("mail", () => {
  const PUBLIC_URL = "https://registry.example";

  it("requires the address of the service for its links", () => {
    expect(refusalOf({ SMTP_URL: "smtp://mail.example" })).toContain("requires PUBLIC_URL");
    expect(readSettings({ SMTP_URL: "smtp://mail.example", PUBLIC_URL })).toMatchObject({ PUBLIC_URL });
  });

  it.each(["Opzoek <a@b.example>", "a@b.example, c@d.example", "a@b@c", "a b@c", "a@b\r\nBcc: c@d"])(
    "is not sent from %j",
    (MAIL_FROM) => {
      expect(refusalOf({ MAIL_FROM })).toContain("MAIL_FROM must be an email address without a name");
    },
  );
});

describe("KVK_SUBSCRIPTION", () => {
  const KVK_API_KEY = "key";

  it("requires a key for KVK and is an id", () => {
    expect(refusalOf({ KVK_SUBSCRIPTION: "a-1" })).toContain("requires KVK_API_KEY");
    expect(readSettings({ KVK_API_KEY, KVK_SUBSCRIPTION: "a-1" })).toMatchObject({ KVK_SUBSCRIPTION: "a-1" });
    expect(refusalOf({ KVK_API_KEY, KVK_SUBSCRIPTION: "a/../b" })).toContain("must be an id");
  });
});

describe("TIERS_FILE", () => {
  const tiersOf = (content: unknown) =>
    readSettings({ TIERS_FILE: tiersFile(JSON.stringify(content)) }).TIERS_FILE;

  it("adds tiers and replaces built-in ones", () => {
    const wide = { monthlyTokens: 0, ratePerMinute: 1 };
    const free = { monthlyTokens: 7, ratePerMinute: 9 };
    const trial = { ...wide, isFree: true, maxMonitors: 3 };
    expect(tiersOf({ wide, free, trial })).toEqual({ ...DEFAULT_TIERS, wide, free, trial });
  });

  it.each([
    ["[]", "whole numbers"],
    ["null", "whole numbers"],
    ['"x"', "whole numbers"],
    ["{", "JSON"],
    ['{"a":null}', "whole numbers"],
    ['{"a":[1,2]}', "tier a is invalid"],
    ['{"a":{"monthlyTokens":5}}', "tier a is invalid"],
    ['{"a":{"monthlyTokens":5.5,"ratePerMinute":1}}', "tier a is invalid"],
    ['{"a":{"monthlyTokens":-5,"ratePerMinute":1}}', "tier a is invalid"],
    ['{"a":{"monthlyTokens":1e13,"ratePerMinute":1}}', "tier a is invalid"],
    ['{"a":{"monthlyTokens":5,"ratePerMinute":0}}', "tier a is invalid"],
    ['{"a":{"monthlyTokens":5,"ratePerMinute":"1"}}', "tier a is invalid"],
    ['{"a":{"monthlyTokens":5,"ratePerMinute":1,"price":1}}', "tier a is invalid"],
    ['{"a":{"monthlyTokens":5,"ratePerMinute":1,"isFree":"true"}}', "tier a is invalid"],
    ['{"a":{"monthlyTokens":5,"ratePerMinute":1,"maxMonitors":1.5}}', "tier a is invalid"],
    ['{"A b":{"monthlyTokens":5,"ratePerMinute":1}}', "use tier names"],
    ['{"__proto__":{"monthlyTokens":5,"ratePerMinute":1}}', "use tier names"],
  ])("is refused for %s", (content, rule) => {
    const message = refusalOf({ TIERS_FILE: tiersFile(content) });
    expect(message.startsWith("TIERS_FILE must ")).toBe(true);
    expect(message).toContain(rule);
  });
});
