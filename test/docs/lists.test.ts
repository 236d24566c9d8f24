/** The commands and the webhook receiver of `docs/lists.md` work as written. */
import { execFile } from "node:child_process";
import { createHmac } from "node:crypto";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { beforeAll, expect, it } from "vitest";
import {
  JOB_BOUNDS,
  MIN_NUMBERS_OF_ACCOUNT,
  NUMBERS_PER_MONTHLY_TOKEN,
  PAUSE_REASONS,
} from "../../src/contract/jobs.ts";
import { POOLS } from "../../src/contract/pools.ts";
import { BODY_TIMES } from "../../src/http/limits.ts";
import { MAX_COLUMNS, MAX_LINE_BYTES } from "../../src/jobs/listCollector.ts";
import { messageOf } from "../../src/jobs/listMessage.ts";
import { repositoryFiles, textOf } from "../architecture/repository.ts";
import { begun } from "../jobs/lists.ts";
import { afterFile } from "../kit/afterFile.ts";
import { jsonOf } from "../kit/answer.ts";
import { ask } from "../kit/client.ts";
import { BAKERY, FERRY, UNKNOWN } from "../kit/companies.ts";
import { CURLS } from "../kit/curls.ts";
import { composeInProcess, type InProcess } from "../kit/inProcess.ts";
import { itWith, program } from "../kit/needs.ts";
import { startProgram } from "../kit/program.ts";
import { until } from "../kit/until.ts";
import { makeWorld, temporaryFolder } from "../kit/world.ts";
import { codeIn, tableUnder } from "./tables.ts";

const page = textOf("docs/lists.md");
const SHOWN_HOOK = encodeURIComponent("https://example.com/hooks/opzoek");

let inside: InProcess;
let service: { readonly port: number };
let address: string;
let key: string;
const MB = 1_048_576;
const folder = temporaryFolder();
beforeAll(async () => {
  const world = await makeWorld({ environment: { WEBHOOK_NETWORKS: "127.0.0.1" } });
  inside = await composeInProcess(world, { listOptions: { pollEveryMs: 10 } });
  address = await inside.app.listen({ host: "127.0.0.1", port: 0 });
  service = { port: Number(new URL(address).port) };
  ({ key } = await inside.account("plenty"));
});

/** The blocks of a language, with the companies and the address of this test. */
function blocks(language: string): string[] {
  return [...page.matchAll(new RegExp(`\`\`\`${language}\n([\\s\\S]*?)\`\`\``, "g"))].map(([, text = ""]) =>
    text
      .replaceAll("http://127.0.0.1:8080", address)
      .replaceAll("51234567", BAKERY)
      .replaceAll("09876543", FERRY)
      .replaceAll("00000001", UNKNOWN),
  );
}

/** Starts the receiver of the page. @returns its port and its output */
async function receiving(secrets: string): Promise<{ port: number; out: () => string }> {
  const [program = ""] = blocks("python");
  const file = join(folder, "receive.py");
  writeFileSync(file, program);
  const env = { PATH: process.env.PATH, PORT: "0", WEBHOOK_SECRETS: secrets };
  const running = startProgram("python3", [file], { env });
  afterFile(() => void running.child.kill("SIGKILL"));
  const port = await until("it listens", () => /^listening ([0-9]+)$/m.exec(running.out())?.[1]);
  return { port: Number(port), out: running.out };
}

/** Signs like the service, with the part of the secret after `whsec_`. */
function signed(secret: string, timestamp: string, body: string): Record<string, string> {
  const hmac = createHmac("sha256", Buffer.from(secret.replace("whsec_", ""), "base64"));
  const signature = hmac.update(`msg_1.${timestamp}.${body}`).digest("base64");
  return {
    "webhook-id": "msg_1",
    "webhook-timestamp": timestamp,
    "webhook-signature": `v1,${signature}`,
  };
}

async function newSecret(): Promise<string> {
  const response = await ask(service, { method: "POST", path: "/v1/webhook-secret", key });
  return (jsonOf(response) as { secret: string }).secret;
}

for (const { name, need, path } of CURLS) {
  itWith(need, `the commands of the page work in sequence, by ${name}`, async () => {
    const account = await inside.account("plenty");
    const hook = encodeURIComponent(`${address}/hooks`);
    const script = ["set -eu", ...blocks("sh")]
      .join("\n")
      .replaceAll(SHOWN_HOOK, hook)
      .replaceAll("sleep 2", "sleep 0.2");
    const { stdout } = await promisify(execFile)("sh", ["-c", script.replaceAll("curl -sS", "curl -sSf")], {
      cwd: folder,
      env: { PATH: path(), KEY: account.key },
    });
    const [priced = ""] = blocks("json");
    expect(stdout).toContain(priced.trim());
    for (const pattern of [
      /"status":"paused","reason":"cap"/,
      /"found":2,"failed":1/,
      /"status":"cancelled"/,
      /whsec_/,
    ])
      expect(stdout).toMatch(pattern);
  });
}

itWith(
  program("python3"),
  "the webhook receiver in Python accepts messages signed with a current secret, and no others",
  async () => {
    const before = await newSecret();
    const after = await newSecret();
    const { port, out } = await receiving(`${before} ${after}`);
    const webhook = encodeURIComponent(`http://127.0.0.1:${port}/`);
    const { id } = await begun(service, key, [BAKERY], `kind=lookup&webhook=${webhook}`);
    await until("the message is taken", () => out().includes(`${id} completed`));
    const [, message = ""] = blocks("json");
    const now = String(Math.floor(Date.now() / 1_000));
    const other = `whsec_${Buffer.alloc(32).toString("base64")}`;
    for (const [secret, timestamp, status] of [
      [after, now, 204],
      [other, now, 400],
      // Signed correctly, but too old.
      [after, "1", 400],
      [after, "never", 400],
      [after, "", 400],
    ] as const) {
      const headers = signed(secret, timestamp, message);
      const answer = await fetch(`http://127.0.0.1:${port}/`, { method: "POST", body: message, headers });
      expect([timestamp, answer.status]).toEqual([timestamp, status]);
    }
    expect(out().trim().split("\n")).toHaveLength(3);
  },
);

it("docs/lists.md shows a webhook message as it is sent", () => {
  const [, message = ""] = blocks("json");
  const list = {
    id: "job_0123456789abcdefABCDEF",
    accountId: "",
    keyId: "",
    kind: "lookup",
    status: "completed",
    ...{ sent: 3, duplicates: 0, found: 2, failed: 1, estimated: 3, charged: 2 },
    ...{ createdAtMs: 0, step: 1, claim: 1 },
  } as const;
  expect(message.trim()).toBe(messageOf(list, Date.UTC(2026, 10, 23, 12)).payload);
});

it("docs/lists.md lists every reason for a pause, and the actual limits", () => {
  expect(tableUnder(page, "## 3. Follow its progress").map(([cell]) => codeIn(cell))).toEqual([
    ...PAUSE_REASONS,
  ]);
  const shown = tableUnder(page, "## Limits").map(([, shownMax]) => shownMax);
  const { maxNumbers, maxOpen, maxStored, maxCancelled, openDays, freeOpenDays } = JOB_BOUNDS;
  const [minNumbers, shownMax] = [MIN_NUMBERS_OF_ACCOUNT, POOLS.lists.perAccount].map((one) =>
    one.toLocaleString("en"),
  );
  expect(shown).toEqual([
    `${maxNumbers.toLocaleString("en")}, of [a certain size](limits.md#fixed-limits)`,
    String(maxOpen),
    String(maxStored),
    maxCancelled.toLocaleString("en"),
    `${NUMBERS_PER_MONTHLY_TOKEN} for each token of its month: at least ${minNumbers}, at most ${shownMax}`,
    `${POOLS.receiving.perAccount / MB} MB together (${POOLS.receiving.perFreeAccount / MB} MB on a free plan); further ones wait up to 5 s, then get 503 with \`Retry-After\`. A list of 64 KiB always fits`,
    `${openDays} days (${freeOpenDays} on a free plan) after it was sent`,
  ]);
});

it("docs/limits.md has the actual limits of an upload, which no other page repeats", () => {
  const { maxBytes, maxMatchBytes } = JOB_BOUNDS;
  const { pauseMs, slowAfterMs, minBytesPerSecond } = BODY_TIMES;
  const rows = tableUnder(textOf("docs/limits.md"), "## Fixed limits");
  expect(rows.find(([what]) => what === "upload of a list")?.[1]).toBe(
    `${maxBytes / MB} MB of numbers, ${maxMatchBytes / MB} MB of rows to match; ${MAX_LINE_BYTES / 1_024} KiB a line, ${MAX_COLUMNS.toLocaleString("en")} columns; it may pause for ${pauseMs / 1_000} s, and after ${slowAfterMs / 1_000} s needs an average of ${minBytesPerSecond / 1_024} KB a second`,
  );
  const others = repositoryFiles().filter(
    (path) => /^docs\/[^/]+\.md$/.test(path) && path !== "docs/limits.md",
  );
  for (const path of others)
    expect([path, /\b8 MB|64 MB of rows|32 KB/.exec(textOf(path))]).toEqual([path, null]);
});
