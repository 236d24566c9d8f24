/** The commands of `docs/monitors.md` work as written, and its tables are complete. */
import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { beforeAll, expect, it } from "vitest";
import { EVENT_TYPE_INFO, EVENT_TYPES } from "../../src/contract/eventTypes.ts";
import { INSOLVENCY_TYPES } from "../../src/contract/insolvency.ts";
import { type ChangeEvent, MONITOR_BOUNDS, MONITOR_PAUSE_REASONS } from "../../src/contract/monitors.ts";
import { kvkNumberOf } from "../../src/contract/numbers.ts";
import { webhookMessage } from "../../src/monitors/changeEvent.ts";
import { compareCompany } from "../../src/monitors/compare.ts";
import type { WatchedFields } from "../../src/monitors/types.ts";
import { textOf } from "../architecture/repository.ts";
import { CURLS } from "../kit/curls.ts";
import { composeInProcess, type InProcess } from "../kit/inProcess.ts";
import { itWith } from "../kit/needs.ts";
import { makeWorld, temporaryFolder } from "../kit/world.ts";
import { codeIn, tableUnder } from "./tables.ts";

const page = textOf("docs/monitors.md");

let inside: InProcess;
let address: string;
beforeAll(async () => {
  inside = await composeInProcess(await makeWorld());
  address = await inside.app.listen({ host: "127.0.0.1", port: 0 });
});

/** The blocks of a language, with the address of this test. */
function blocks(language: string): string[] {
  return [...page.matchAll(new RegExp(`\`\`\`${language}\n([\\s\\S]*?)\`\`\``, "g"))].map(([, text = ""]) =>
    text.replaceAll(/http:\/\/127\.0\.0\.1:8080|https:\/\/opzoek\.example/g, address),
  );
}

async function testKey(): Promise<string> {
  const { id } = await inside.account("plenty");
  return (await inside.accounts.createKey(id, "test", "test")).key;
}

for (const { name, need, path } of CURLS) {
  itWith(need, `the commands of the page work in sequence, by ${name}`, async () => {
    const script = ["set -eu", ...blocks("sh")]
      .join("\n")
      .replace(/KEY=opz_test_\w+/, `KEY=${await testKey()}`)
      .replaceAll("curl -sS", "curl -sSf");
    const { stdout } = await promisify(execFile)("sh", ["-c", script], {
      cwd: temporaryFolder(),
      env: { PATH: path() },
    });
    for (const pattern of [/"metadata":\{"debtor":"1042"\}/, /whsec_/, /"eventId":"evt_/, /"limit":\d/])
      expect(stdout).toMatch(pattern);
    expect(stdout.match(/"type":"company.renamed"/g)).toHaveLength(2);
  });
}

it("docs/monitors.md shows an event and its message as they are sent", () => {
  const [event = "", , message = ""] = blocks("json");
  const shown = JSON.parse(event) as ChangeEvent;
  const sent = webhookMessage(
    {
      sequence: 1,
      id: shown.id,
      type: shown.type,
      kvkNumber: kvkNumberOf(Number(shown.kvkNumber)),
      observedAtMs: Date.parse(shown.observedAt),
      source: { origin: "import:test", asOfMs: Date.parse(shown.source?.cachedAt ?? "") },
      changes: EVENT_TYPE_INFO["company.renamed"].example,
      metadata: { debtor: "1042" },
    },
    Date.parse("2026-11-21T12:00:01.000Z"),
  );
  expect([sent.id, `${sent.payload}\n`]).toEqual([shown.id, message]);
  expect(JSON.parse(message)).toMatchObject({ data: shown });
});

it("docs/monitors.md shows a conversion as the court's lists before and after it make it", () => {
  const [, shown = ""] = blocks("json");
  const event = JSON.parse(shown) as ChangeEvent;
  const { previous, current } = event.changes["insolvencyCase"] ?? {};
  const kvkNumber = kvkNumberOf(Number(event.kvkNumber));
  const seen = (day: string, fields: WatchedFields) => [
    { origin: "court-register", asOfMs: Date.parse(`${day}T03:30:00.000Z`), fields },
  ];
  const caseIn = (value: unknown) => value as NonNullable<WatchedFields["insolvencyCase"]>;
  const before = seen("2026-11-20", {
    insolvency: "suspension_of_payments",
    insolvencyCase: caseIn(previous),
  });
  const after = seen("2026-11-21", { insolvency: "bankruptcy", insolvencyCase: caseIn(current) });
  const baselines = compareCompany(kvkNumber, [], before).map(({ baseline }) => baseline);
  const [observation] = compareCompany(kvkNumber, baselines, after);
  expect(observation?.changes).toEqual([{ type: event.type, changes: event.changes }]);
  expect(event.source?.cachedAt).toBe(new Date(observation?.baseline.asOfMs ?? 0).toISOString());
});

it("docs/monitors.md lists every type with its fields, every reason for a pause, and the actual limits", () => {
  const rows = tableUnder(page, "## Read changes");
  expect(rows.map(([type]) => codeIn(type))).toEqual([...EVENT_TYPES]);
  for (const [type, about = ""] of rows) {
    const { fields } = Object.entries(EVENT_TYPE_INFO).find(([name]) => name === codeIn(type))?.[1] ?? {};
    for (const field of fields ?? []) expect(about).toContain(`\`${field}\``);
  }
  for (const insolvency of INSOLVENCY_TYPES) expect(page).toContain(`\`${insolvency}\``);
  const reasons = tableUnder(page, "## Price and pauses").map(([reason]) => codeIn(reason));
  expect(reasons).toEqual([...MONITOR_PAUSE_REASONS]);
  const { maxNumbers, maxMetadata, maxWebhooks, webhookRetryDays } = MONITOR_BOUNDS;
  expect(page).toContain(`up to ${maxNumbers} companies`);
  expect(page).toContain(`up to ${maxMetadata} texts`);
  expect(page).toContain(`${maxWebhooks} different addresses`);
  expect(webhookRetryDays).toBe(3);
  expect(page).toContain("retried for three days");
});
