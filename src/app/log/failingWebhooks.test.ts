import { expect, it } from "vitest";
import { failingWebhooks } from "./failingWebhooks.ts";

const HOUR_MS = 3_600_000;
function logged() {
  const lines: object[] = [];
  let nowMs = 0;
  const failed = failingWebhooks(
    (line) => void lines.push(line),
    () => nowMs,
  );
  return {
    lines,
    failed,
    pass: (ms: number) => {
      nowMs += ms;
    },
  };
}

it("logs a failing webhook once an hour for each account and host, with the present reason", () => {
  const { lines, failed, pass } = logged();
  const line = (accountId: string, host: string, reason: string) => ({ accountId, host, reason });
  for (let nth = 0; nth < 1_000; nth += 1) failed("acc_1", `https://fabel.example/${nth}`, "it answered 500");
  failed("acc_1", "https://fabel.example:8443/a", "ECONNREFUSED");
  failed("acc_2", "https://fabel.example/a", "it answered 404");
  expect(lines).toEqual([
    line("acc_1", "fabel.example", "it answered 500"),
    line("acc_1", "fabel.example:8443", "ECONNREFUSED"),
    line("acc_2", "fabel.example", "it answered 404"),
  ]);
  pass(HOUR_MS - 1);
  failed("acc_1", "https://fabel.example/a", "it answered 502");
  expect(lines).toHaveLength(3);
  pass(1);
  failed("acc_1", "https://fabel.example/a", "it answered 503");
  expect(lines.at(-1)).toEqual(line("acc_1", "fabel.example", "it answered 503"));
  expect(lines).toHaveLength(4);
});

it.each([
  ["path and query", "https://fabel.example/secret-path?token=geheim#geheim"],
  ["user and password", "https://geheim:secret-path@fabel.example/"],
])("logs no %s", (_what, url) => {
  const { lines, failed } = logged();
  failed("acc_1", url, "it answered 500");
  expect(JSON.stringify(lines)).toMatch(/"host":"fabel\.example"/);
  expect(JSON.stringify(lines)).not.toMatch(/secret-path|geheim/);
});

it("forgets the least recent of very many hosts", () => {
  const { lines, failed } = logged();
  for (let nth = 0; nth < 20_000; nth += 1) failed("acc_1", `https://h${nth}.example/`, "ENOTFOUND");
  expect(lines).toHaveLength(20_000);
  failed("acc_1", "https://h19999.example/", "ENOTFOUND");
  expect(lines).toHaveLength(20_000);
  failed("acc_1", "https://h0.example/", "ENOTFOUND");
  expect(lines).toHaveLength(20_001);
});
