import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { opzoek } from "../../test/kit/opzoek.ts";
import { endedWith } from "../../test/kit/terminal.ts";

const folder = mkdtempSync(join(tmpdir(), "opzoek-cli-import-"));
afterAll(() => rmSync(folder, { recursive: true }));

/** A terminal with its own data folder, which records the output of its commands. */
function terminal(dataDir: string) {
  const written: { out: string[]; err: string[] } = { out: [], err: [] };
  const run = async (...words: string[]) => {
    const ended = await opzoek(words, { DATA_DIR: join(folder, dataDir) });
    const [out, err] = [ended.out, ended.err].map((text) => text.split("\n").slice(0, -1));
    written.out.push(...(out ?? []));
    written.err.push(...(err ?? []));
    return { code: ended.code, out, err };
  };
  return { ...written, run };
}

function file(name: string, content: string): string {
  const path = join(folder, name);
  writeFileSync(path, content);
  return path;
}

const table = file("klanten.csv", "nr;organisatie\n50000012;Korenaar\n50000021;Molen\nx;y\n");
const asTable = [
  "--map",
  "kvkNumber=nr",
  "--assume-active",
  "--as-of",
  "2026-01-01",
  "--name",
  "klanten-2026",
];

describe("opzoek import", () => {
  it("reports what it did on stdout, line by line", async () => {
    const { out, run } = terminal("a");
    await run("import", "csv", table, ...asTable);
    expect(out.map((line) => line.replace(/ +/g, " ").trim())).toEqual([
      "read 3",
      "new 2",
      "changed 0",
      "unchanged 0",
      "skipped 1",
      "1 the KVK number is not eight digits",
      `${table}:4 "x"`,
      expect.stringMatching(/^Snapshot 1: 2 companies, after [0-9.]+ s\.$/),
    ]);
  });

  it("continues the source of last month's file, and says so on stderr", async () => {
    const { err, run } = terminal("monthly");
    const rows = (month: number, status: string) =>
      file(`klanten-2026-${month}.csv`, `kvk;naam;status\n50000012;Korenaar;${status}\n`);
    await run("import", "csv", rows(10, "actief"), "--as-of", "2026-10-31");
    await run("import", "csv", rows(11, "opgeheven"), "--as-of", "2026-11-30");
    expect(err.filter((line) => line.includes("only in a date"))).toEqual([
      "import:klanten-2026-11 differs from import:klanten-2026-10 only in a date: its data continues import:klanten-2026-10. Use --name for another source.",
    ]);
    await run("import", "csv", rows(12, "actief"), "--as-of", "2026-12-31", "--name", "klanten-2026-12");
    await run("import", "csv", file("klanten-2026-12 (2).csv", "kvk;naam;status\n50000021;Molen;actief\n"));
    expect(err.filter((line) => line.includes("klanten-2026-12"))).toEqual([
      expect.stringContaining(
        "import:klanten-2026-12-2 differs from import:klanten-2026-12 only in a number",
      ),
    ]);
    const exported = join(folder, "monthly.jsonl");
    await run("export", "--out", exported);
    const lines = readFileSync(exported, "utf8").trimEnd().split("\n");
    expect(lines.map((line) => JSON.parse(line).source.kvk).sort()).toEqual([
      "import:klanten-2026-12",
      "import:klanten-2026-12-2",
    ]);
  });

  it("reports as one JSON document with --json", async () => {
    const { out, run } = terminal("b");
    await run("import", "csv", table, ...asTable, "--json");
    expect(out).toHaveLength(1);
    expect(JSON.parse(out[0] ?? "")).toMatchObject({
      format: "csv",
      files: [table],
      read: 3,
      used: 2,
      new: 2,
      skipped: 1,
      skippedByReason: [{ reason: "the KVK number is not eight digits", count: 1, first: [{ line: 4 }] }],
      snapshot: {
        companies: 2,
        origins: [{ origin: "import:klanten-2026", asOf: "2026-01-01T00:00:00.000Z" }],
      },
    });
  });

  it("lists the columns that it does not use", async () => {
    const { out, run } = terminal("unused");
    const table = file("relaties.csv", "kvk,naam,actief,Relatiecode,IBAN\n50000012,x,ja,17,\n");
    await run("import", "csv", table);
    expect(out).toContain(`${table}: columns that were not used: "Relatiecode", "IBAN".`);
    await run("import", "csv", table, "--json");
    expect(JSON.parse(out.at(-1) ?? "")).toMatchObject({
      unused: [{ file: table, columns: ["Relatiecode", "IBAN"] }],
    });
  });

  it("fails if no record could be used, after printing the reasons", async () => {
    const { out, run } = terminal("c");
    const bad = file("bad.jsonl", "{}\n");
    expect(await run("import", "jsonl", bad)).toMatchObject({ code: 1 });
    expect(out.join("\n")).toContain("kvkNumber");
  });

  it("stops with figures if an origin would lose more than a tenth, unless --allow-shrink is set", async () => {
    const { out, run } = terminal("shrink");
    const lines = (count: number) =>
      Array.from({ length: count }, (_, index) => `${50_000_000 + index},Bedrijf ${index}\n`).join("");
    const whole = file("feed.csv", `kvk,naam\n${lines(20)}`);
    const words = ["--assume-active", "--name", "feed", "--as-of", "2026-01-01"];
    await run("import", "csv", whole, ...words);
    const cut = file("feed2.csv", `kvk,naam\n${lines(17)}`);
    const replacing = ["import", "csv", cut, ...words, "--replace"];
    expect(await run(...replacing)).toMatchObject(
      endedWith(
        1,
        /This import would take away 3 of the 20 companies of import:feed \(15\.0 %\) and leave 17\. The registry is as it was\..*--allow-shrink/,
      ),
    );
    await run("import", "csv", file("feed3.csv", `kvk,naam\n${lines(18)}`), ...words, "--replace");
    expect(out.at(-1)).toMatch(/^Snapshot 2: 18 companies/);
    await run(...replacing.slice(0, -1), "--replace", "--allow-shrink");
    await run(
      "import",
      "csv",
      file("feed4.csv", `kvk,naam\n${lines(1)}`),
      ...words,
      "--replace",
      "--allow-shrink",
    );
    expect(out.at(-1)).toMatch(/^Snapshot 4: 1 companies/);
    await run("import", "csv", whole, "--assume-active", "--name", "other", "--replace");
    expect(out.at(-2)).toBe("No longer held: 1 companies of import:feed.");
  });

  it("treats a data date in the future as today, reports it, and changes no company's date", async () => {
    const { out, run } = terminal("future");
    const later = { kvk: "import:x", cachedAt: "2999-03-01T00:00:00Z" };
    const lines = [
      {
        kvkNumber: "50000012",
        name: "Korenaar",
        isActive: true,
        registrationDate: "2011-03-14",
        source: later,
      },
      {
        kvkNumber: "50000021",
        name: "Molen",
        isActive: true,
        source: { ...later, cachedAt: "2026-01-01T00:00:00Z" },
      },
    ];
    const path = file("later.jsonl", lines.map((line) => `${JSON.stringify(line)}\n`).join(""));
    await run("import", "jsonl", path, "--json");
    const report = JSON.parse(out[0] ?? "");
    expect(report.leftOutByReason).toEqual([
      {
        reason: "a date of the data after today (UTC): today is taken",
        count: 1,
        first: [{ file: path, line: 1, detail: "2999-03-01T00:00:00.000Z" }],
      },
    ]);
    const exported = join(folder, "later.out.jsonl");
    await run("export", "--out", exported);
    const [first, second] = readFileSync(exported, "utf8").split("\n");
    expect(JSON.parse(first ?? "")).toMatchObject({
      registrationDate: "2011-03-14",
      source: { cachedAt: report.snapshot.origins[0].asOf },
    });
    expect(Date.parse(report.snapshot.origins[0].asOf)).toBeLessThanOrEqual(Date.now());
    expect(JSON.parse(second ?? "")).toMatchObject({ source: { cachedAt: "2026-01-01T00:00:00.000Z" } });
    await run(
      "import",
      "csv",
      table,
      ...asTable.map((word) => (word === "2026-01-01" ? "2999-01-01" : word)),
    );
    expect(out.join("\n")).toContain("2  a date of the data after today (UTC): today is taken");
  });

  it("fails with the reason if a file cannot have the given format", async () => {
    const { run } = terminal("d");
    expect(await run("import", "gleif", table)).toMatchObject(
      endedWith(1, `${table} is not the LEI golden copy`),
    );
    expect(await run("import", "csv", table, "--map", "kvkNumber=nr")).toMatchObject(
      endedWith(1, "--assume-active"),
    );
  });

  it.each([
    [["xlsx", table], "Allowed choices are gleif, kvk, csv, jsonl"],
    [["jsonl", table, "--assume-active"], "--assume-active does not apply to the format jsonl"],
    [["gleif", table, "--pad-kvk-numbers"], "--pad-kvk-numbers does not apply to the format gleif"],
    [["csv", table, "--origin", "kvk-api"], "--origin does not apply to the format csv"],
    [["kvk", table, "--origin", "gleif"], "Allowed choices are kvk-api"],
    [["csv", table, "--as-of", "gisteren"], "It must be a date"],
    [["csv", table, "--encoding", "utf16"], "Allowed choices are utf8, latin1"],
    [["csv", table, "--map", "plaats=city"], "--map takes field=column"],
    [["gleif", table, "--name", "lei"], "--name does not apply to the format gleif"],
    [["csv", table, "--name", "Mijn Klanten"], "such as mijn-klanten"],
  ])("reports %j as wrong usage", async (words, message) => {
    const { run } = terminal("e");
    expect(await run("import", ...words)).toMatchObject(endedWith(2, message));
  });
});

describe("opzoek export", () => {
  it("writes a file that import accepts", async () => {
    const { err, run } = terminal("f");
    await run("import", "csv", table, ...asTable);
    const [lines, sheet] = [join(folder, "out.jsonl"), join(folder, "out.csv")];
    await run("export", "--out", lines);
    await run("export", "--format", "csv", "--out", sheet);
    expect(err).toContain(`2 companies written to ${lines}`);
    for (const path of [lines, sheet]) expect(statSync(path).mode & 0o777).toBe(0o600);
    expect(readFileSync(lines, "utf8")).toBe(
      `${[
        '{"kvkNumber":"50000012","name":"Korenaar","address":{},"isActive":true,"source":{"kvk":"import:klanten-2026","cachedAt":"2026-01-01T00:00:00.000Z"}}',
        '{"kvkNumber":"50000021","name":"Molen","address":{},"isActive":true,"source":{"kvk":"import:klanten-2026","cachedAt":"2026-01-01T00:00:00.000Z"}}',
      ].join("\n")}\n`,
    );
    const elsewhere = terminal("g");
    await elsewhere.run("import", "jsonl", lines, "--json");
    await elsewhere.run("import", "csv", sheet, "--json", "--as-of", "2026-01-01");
    expect(elsewhere.out.map((text) => JSON.parse(text))).toMatchObject([
      { new: 2 },
      { used: 2, skipped: 0 },
    ]);
  });

  it("reports what is missing or wrong", async () => {
    const { run } = terminal("h");
    expect(await run("export")).toMatchObject(
      endedWith(1, /There is no registry in .* yet: import one with/),
    );
    expect(await run("export", "--format", "xml")).toMatchObject({ code: 2 });
    await run("import", "csv", table, ...asTable);
    expect(await run("export", "--out", join(folder, "absent", "x.jsonl"))).toMatchObject(
      endedWith(1, /cannot be written \(ENOENT\)\. Check that the folder exists/),
    );
  });
});
