import { describe, expect, it } from "vitest";
import { parseJsonObject } from "./json.ts";

const MAX_MS = 200;
const nested = (depth: number, open: string, close: string) =>
  `{"a":${open.repeat(depth)}1${close.repeat(depth)}}`;

describe("the JSON of an upstream", () => {
  it.each([
    ["an object", '{"a":[1,{"b":"x"}]}', { a: [1, { b: "x" }] }],
    ["an object after a byte order mark", '\ufeff{"a":1}', { a: 1 }],
    ["signs within texts", JSON.stringify({ a: "[{,".repeat(400_000) }), { a: "[{,".repeat(400_000) }],
    ["escaped quotes", JSON.stringify({ a: '\\"[['.repeat(2_000) }), { a: '\\"[['.repeat(2_000) }],
    ["a nesting of 60", nested(60, "[", "]"), expect.anything()],
    [
      "a list of 5,000 branches",
      JSON.stringify({
        rows: Array(5_000).fill(Object.fromEntries(Array.from({ length: 30 }, (_, n) => [n, "x"]))),
      }),
      expect.anything(),
    ],
  ])("is read: %s", (_what, text, expected) => {
    expect(parseJsonObject(text)).toEqual(expected);
  });

  it.each([
    ["a list", "[]"],
    ["broken text", '{"a":'],
    ["lists within lists", nested(2_000_000, "[", "]")],
    ["objects within objects", nested(1_000_000, '{"a":', "}")],
    ["an unfinished nesting", `{"a":${"[".repeat(8_000_000)}`],
    ["an unfinished text", `{"a":"${"[".repeat(8_000_000)}`],
    ["millions of empty lists", `{"a":[${"[],".repeat(2_000_000)}1]}`],
    ["millions of objects", `{"a":[${"{},".repeat(2_000_000)}1]}`],
    ["millions of numbers", `{"a":[${"0,".repeat(4_000_000)}1]}`],
    ["backslashes", `{"a":"${"\\".repeat(4_000_001)}`],
  ])("is refused within a fraction of a second: %s", (_what, text) => {
    const started = process.cpuUsage();
    expect(parseJsonObject(text)).toBeUndefined();
    const { user, system } = process.cpuUsage(started);
    expect((user + system) / 1_000).toBeLessThan(MAX_MS);
  });
});
