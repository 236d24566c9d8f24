/** Parts of the documents are generated from the code by `npm run docs`; the committed text must match its output. */
import { describe, expect, it } from "vitest";
import { generatedParts, logTables, withParts } from "../../build/docs.ts";
import { logMessagesIn } from "../../build/logMessages.ts";
import { textOf } from "../architecture/repository.ts";

const documents = Object.entries(await generatedParts());

it.each(documents)("%s is up to date: run `npm run docs`", (path, parts) => {
  expect(withParts(textOf(path), parts)).toBe(textOf(path));
});

it("every setting and every command has one row", () => {
  const rows = (path: string) =>
    [...withParts(textOf(path), {}).matchAll(/^\| `([^`]+)` \|/gm)].map(([, name = ""]) => name);
  for (const path of ["docs/settings.md", "docs/commands.md"]) {
    const names = rows(path);
    expect(names.length).toBeGreaterThan(50);
    expect(new Set(names).size).toBe(names.length);
  }
});

describe("a log message", () => {
  it.each([
    ["as a literal", 'logger.warn({ reason }, "away")', "away", ["reason"]],
    ["as a template", `logger.warn({}, \`away since ${"$"}{when}\`)`, "away since …", []],
    ["without fields", 'log.logger.warn("away")', "away", []],
    ["of a private logger", 'this.#logger.warn({ err: error }, "away")', "away", ["err"]],
    ["as a constant", 'const AWAY = "away"; logger.warn({}, AWAY)', "away", []],
    ["as an alternative", 'logger.warn({}, isUnreachable ? "away" : "away")', "away", []],
    [
      "in a table",
      'const TEXTS = { a: "away" } satisfies object; logger.warn(facts, TEXTS[state])',
      "away",
      [],
    ],
    [
      "with fields that may be absent",
      'logger.warn({ ...(n > 0 && { n }), a: 1 }, "away")',
      "away",
      ["n", "a"],
    ],
    ["when a function passes it on", 'failures.failed(error, "away")', "away", ["leftOut", "err"]],
  ])("%s", (_, source, message, fields) => {
    const [found, ...others] = logMessagesIn([["a.ts", source]]);
    expect(others).toEqual([]);
    expect(found?.message).toBe(message);
    expect([...(found?.fields ?? [])].sort()).toEqual([...fields].sort());
  });

  it("is found in the source, or rejected if it is not there", () => {
    expect(() => logMessagesIn([["a.ts", "logger.warn({ reason }, text)"]])).toThrow("write it out");
  });
});

describe("advice on a log message", () => {
  const messages = logMessagesIn([["a.ts", 'logger.error({}, "broken"); logger.info({}, "well")']]);

  it("is needed for errors and warnings", () => {
    expect(() => logTables(messages, {})).toThrow("needs advice: broken");
  });

  it("is rejected for a message that the program does not log", () => {
    expect(() => logTables(messages, { broken: "x", gone: "x" })).toThrow("is not logged: gone");
  });
});
