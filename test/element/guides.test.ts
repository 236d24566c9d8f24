/** The guides describe the element correctly. */
import { describe, expect, it } from "vitest";
import { textOf } from "../architecture/repository.ts";
import { codeIn, tableUnder } from "../docs/tables.ts";

const source = (name: string) => textOf(`client/src/element/${name}.ts`);
const namesIn = (text: string, pattern: RegExp) => [...text.matchAll(pattern)].map(([, name = ""]) => name);

/** Internal parts, which the guide omits. */
const OWN_PARTS = new Set(["status"]);

describe("docs/autocomplete.md", () => {
  const described = new Set(namesIn(textOf("docs/autocomplete.md"), /`([^`\s]+)`/g));
  const lacks = (names: readonly string[]) => [...new Set(names)].filter((name) => !described.has(name));

  it("names every attribute, event, variable and part", () => {
    const attributes = namesIn(source("attributes"), /^ {2}readonly "?([a-z-]+)"?\?:/gm);
    expect(attributes.length).toBeGreaterThan(12);
    expect(lacks(attributes)).toEqual([]);
    expect(lacks(namesIn(source("index"), /"(opzoek-[a-z]+)": CustomEvent/g))).toEqual([]);
    expect(lacks(namesIn(source("styles"), /var\((--opzoek-[a-z]+)/g))).toEqual([]);
    const parts = namesIn(source("view"), /part: "([a-z]+)"/g);
    expect(lacks(parts.filter((part) => !OWN_PARTS.has(part)))).toEqual([]);
  });

  it("names every field that is filled", () => {
    const [, filled = ""] = /return \{ ([^}]*) \};/.exec(source("fill")) ?? [];
    expect(filled.split(", ").length).toBe(9);
    expect(lacks(filled.split(", "))).toEqual([]);
  });
});

it("docs/keys-in-pages.md quotes every failure text of the element", () => {
  const [english = ""] = source("texts").split("const NL");
  const words = new Map(
    [...english.matchAll(/^ {2}([A-Z_]+|away): "(.*)",$/gm)].map(([, code = "", text = ""]) => [code, text]),
  );
  expect(words.size).toBeGreaterThan(5);
  const rows = tableUnder(textOf("docs/keys-in-pages.md"), "## When it does not work");
  const described = rows.map(([text = "", cell]) => [codeIn(cell) || "away", text] as const);
  expect(described.map(([code]) => code).sort()).toEqual([...words.keys()].sort());
  for (const [code, text] of described) expect(words.get(code)?.toLowerCase(), code).toContain(text);
});
