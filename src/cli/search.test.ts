import { rmSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { NAMES, sourcedFacts } from "../../test/kit/registry.ts";
import { endedWith, terminal } from "../../test/kit/terminal.ts";

async function filled() {
  const registry = terminal();
  await registry.add(
    sourcedFacts(1, {
      name: "Bakkerij Korenaar",
      legalForm: "BV",
      address: { kind: "visiting", postalCode: "1234 AB", city: "Utrecht" },
    }),
    sourcedFacts(2, { name: "Korenaar Beheer", address: { kind: "visiting", city: "Zeist" } }),
    sourcedFacts(3, { name: "Korenaar Oud", isActive: false }),
  );
  return registry.run;
}

describe("opzoek search", () => {
  it("shows a table on stdout and the count on stderr", async () => {
    const run = await filled();
    expect(await run("search", "korenaar")).toEqual({
      code: 0,
      out: [
        "50000002  Korenaar Beheer                    Zeist",
        "50000001  Bakkerij Korenaar     BV  1234 AB  Utrecht",
        "50000003  Korenaar Oud (ended)",
      ],
      err: ["1 to 3 of 3"],
    });
  });

  it("accepts every criterion, and words in any order", async () => {
    const run = await filled();
    const numbers = async (...words: string[]) =>
      (await run("search", ...words)).out.map((line) => line.slice(0, 8));
    expect(await numbers("korenaar", "bakkerij")).toEqual(["50000001"]);
    expect(await numbers("--city", "utrecht")).toEqual(["50000001"]);
    expect(await numbers("--postal-code", "1234", "--legal-form", "bv")).toEqual(["50000001"]);
    expect(await numbers("korenaar", "--inactive")).toEqual(["50000003"]);
    expect(await numbers("korenaar", "--active", "--page-size", "1", "--page", "2")).toEqual(["50000001"]);
    expect(await numbers("--sbi-code", "10")).toEqual([]);
  });

  it("prints one JSON document with --json", async () => {
    const run = await filled();
    const { out, err } = await run("search", "korenaar", "oud", "--json");
    expect(JSON.parse(out.join(""))).toEqual({
      results: [{ kvkNumber: "50000003", name: "Korenaar Oud", isActive: false }],
      total: 1,
      page: 1,
      pageSize: 20,
    });
    expect(err).toEqual([]);
  });

  it("builds and stores a missing name index, and reports that", async () => {
    const { add, directory, run } = terminal();
    await add(sourcedFacts(1, { name: "Bakkerij Korenaar" }));
    rmSync(join(directory, `snapshot-1.${NAMES}`));
    const first = await run("search", "korenaar");
    expect(first.out).toHaveLength(1);
    expect(first.err).toEqual([
      `snapshot-1.${NAMES} cannot be used: it is missing. It is being built and stored.`,
      "1 to 1 of 1",
    ]);
    expect((await run("search", "korenaar")).err).toEqual(["1 to 1 of 1"]);
  });

  it("finds a misspelled name and marks it, unless --no-fuzzy is set", async () => {
    const run = await filled();
    expect((await run("search", "koranaar", "beheer")).out).toEqual([
      "50000002  Korenaar Beheer (similar name)      Zeist",
    ]);
    expect(await run("search", "koranaar", "beheer", "--no-fuzzy")).toEqual({
      code: 0,
      out: [],
      err: ["No results."],
    });
  });

  it("reports an empty page with the total", async () => {
    const run = await filled();
    expect(await run("search", "korenaar", "--page", "9")).toEqual({
      code: 0,
      out: [],
      err: ["No results on page 9; 3 in total."],
    });
  });

  it.each([
    [[], "Nothing to search for"],
    [["x", "--active", "--inactive"], "'--inactive' cannot be used with option '--active'"],
    [["x", "--legal-form", "LTD"], "Allowed choices are BV, NV"],
    [["x", "--page", "0"], "It must be a whole number from 1 to 1000"],
    [["x", "--page-size", "101"], "It must be a whole number from 1 to 100"],
    [["x", "--page", "11", "--page-size", "100"], "must be at most 1000"],
  ])("reports %j as wrong usage, with the reason", async (words, reason) => {
    expect(await terminal().run("search", ...words)).toMatchObject(endedWith(2, reason));
  });
});
