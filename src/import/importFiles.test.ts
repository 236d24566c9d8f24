import { readFileSync, statSync, utimesSync } from "node:fs";
import { Readable } from "node:stream";
import { gzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { importing } from "../../test/kit/importing.ts";
import { describeWith, shared, sharedPath } from "../../test/kit/needs.ts";
import { zipOf } from "../../test/kit/zip.ts";
import { generateCompanies } from "../demo/registry/generateCompanies.ts";
import { openRegistry } from "../registry/registry.ts";
import { companyLines } from "./export/exportLines.ts";
import { formatFacts } from "./jsonl.ts";
import { ImportRefused } from "./outcome.ts";
import { reportLines } from "./report.ts";

const { pathOf, file, run, lookup } = importing();

const csv = (assumeActive: boolean) => ({
  encoding: "utf8" as const,
  map: new Map(),
  assumeActive,
  padKvkNumbers: false,
});

async function exported(format: "jsonl" | "csv" = "jsonl", directory = "registry"): Promise<string> {
  const registry = await openRegistry(pathOf(directory));
  try {
    return registry.current === undefined ? "" : [...companyLines(registry.current, format)].join("");
  } finally {
    registry.close();
  }
}

const TABLE = "kvk,naam,plaats,actief\n50000012,Korenaar,Rommeldam,ja\n50000021,Molen,Rommeldam,nee\n";

describe("importing files", () => {
  it("puts companies in the registry, with the file's name and time as their source", async () => {
    const path = file("Mijn Klanten (2026).csv.gz", gzipSync(TABLE));
    utimesSync(path, new Date(), new Date("2026-02-03T04:05:06Z"));
    const report = await run("csv", [path]);
    expect(report).toMatchObject({ read: 2, used: 2, new: 2, changed: 0, unchanged: 0, skipped: 0 });
    expect(await lookup("50000012")).toEqual({
      company: {
        kvkNumber: "50000012",
        name: "Korenaar",
        address: { city: "Rommeldam" },
        isActive: true,
        identifiers: { euid: "NLNHR.50000012" },
        source: { kvk: "import:mijn-klanten-2026", cachedAt: "2026-02-03T04:05:06.000Z" },
      },
    });
    expect((await lookup("50000021"))?.company.isActive).toBe(false);
  });

  it("adds to the registry, or replaces it on request", async () => {
    const path = file("a.csv", TABLE);
    await run("csv", [path]);
    expect(await run("csv", [path])).toMatchObject({ new: 0, changed: 0, unchanged: 2 });
    const other = file("b.csv", "kvk,naam\n50000033,Bakker\n");
    expect(await run("csv", [other], { csv: csv(true) })).toMatchObject({
      new: 1,
      snapshot: { companies: 3 },
    });
    const fresh = await run("csv", [other], { csv: csv(true), replace: true });
    expect(fresh).toMatchObject({ snapshot: { companies: 1 } });
  });

  it("reads several files as one import, and names the file of every bad row", async () => {
    const bad = "kvk,naam,actief\n1,x,ja\n50000033,Bakker,ja\n50000034,y,wellicht\n";
    const [first, second] = [file("a.csv", TABLE), file("b.csv.zip", zipOf({ "b.csv": bad }))];
    const report = await run("csv", [first, second]);
    expect(report).toMatchObject({ read: 5, used: 3, skipped: 2, snapshot: { companies: 3 } });
    expect(report.skippedByReason).toEqual([
      {
        reason: "a status that is neither active nor inactive",
        count: 1,
        first: [{ file: second, line: 4, detail: '"wellicht"' }],
      },
      {
        reason: "the KVK number is not eight digits",
        count: 1,
        first: [{ file: second, line: 2, detail: '"1"' }],
      },
    ]);
    expect(reportLines(report).join("\n")).toContain(`${second}:4  "wellicht"`);
  });

  it("writes rejects to a file that only its owner can read, without executable cells", async () => {
    const rows = Array.from({ length: 2_000 }, (_, index) => `=${index},"x ""y""",ja`);
    const path = file("a.csv", `kvk,naam,actief\n50000012,Korenaar,ja\n${rows.join("\n")}\n`);
    const rejectsPath = pathOf("rejects.csv");
    const report = await run("csv", [path], { rejectsPath });
    expect(report).toMatchObject({ used: 1, skipped: 2_000 });
    expect(report.skippedByReason[0]?.first).toHaveLength(3);
    const written = readFileSync(rejectsPath, "utf8").split("\r\n");
    expect(written).toHaveLength(2_002);
    expect(written[1]).toBe(
      `${path},3,the KVK number is not eight digits,"'""=0""","'=0,""x """"y"""""",ja"`,
    );
    expect(statSync(rejectsPath).mode & 0o077).toBe(0);
  });

  it("changes nothing when a later file is truncated, and explains why", async () => {
    await run("csv", [file("a.csv", TABLE)]);
    const before = readFileSync(pathOf("registry", "current.json"), "utf8");
    const more = Array.from({ length: 5_000 }, (_, index) => `${60_000_000 + index},Bedrijf ${index},ja`);
    const packed = gzipSync(`kvk,naam,actief\n${more.join("\n")}\n`);
    const cut = file("b.csv.gz", packed.subarray(0, packed.length - 100));
    await expect(run("csv", [file("c.csv", TABLE), cut])).rejects.toThrow(
      /b\.csv\.gz ends in the middle.*cut off/,
    );
    await expect(run("jsonl", [file("x.pdf", "%PDF-1.7")], { replace: true })).rejects.toBeInstanceOf(
      ImportRefused,
    );
    expect(readFileSync(pathOf("registry", "current.json"), "utf8")).toBe(before);
    expect((await lookup("50000012"))?.company.name).toBe("Korenaar");
  });

  it("changes nothing when no row could be used, even with replace", async () => {
    await run("csv", [file("a.csv", TABLE)]);
    const report = await run("jsonl", [file("b.jsonl", '{"naam":"x"}\n')], { replace: true });
    expect(report).toMatchObject({ read: 1, used: 0, skipped: 1 });
    expect(report).not.toHaveProperty("snapshot");
    expect(reportLines(report).at(-1)).toBe("Nothing could be used; the registry is as it was.");
    expect((await lookup("50000012"))?.company.name).toBe("Korenaar");
  });

  it("reports a table that is truncated within a row or its last cell", async () => {
    const whole = await run("csv", [file("a.csv", TABLE)], { replace: true });
    expect(reportLines(whole).join("\n")).not.toContain("cut off");
    const inRow = await run("csv", [file("a.csv", TABLE.slice(0, -9))]);
    expect(inRow).toMatchObject({
      used: 1,
      skippedByReason: [
        { reason: "the file ends in the middle of this row: where it was cut off, fetch it again" },
      ],
    });
    const path = file("a.csv", TABLE.slice(0, -3));
    const inLastCell = await run("csv", [path]);
    expect(inLastCell.used).toBe(2);
    expect(reportLines(inLastCell)).toContain(
      `${path} does not end with a line break: where it was cut off, its last row may not be whole.`,
    );
  });

  it("reads standard input once, with a required date", async () => {
    const stdin = () => Readable.from([Buffer.from(TABLE)]);
    await expect(run("csv", ["-"], { stdin: stdin() })).rejects.toThrow(/pass --as-of DATE/);
    await expect(run("csv", ["-", "-"])).rejects.toThrow(/once only/);
    const report = await run("csv", ["-"], {
      stdin: stdin(),
      asOf: "2026-01-01T00:00:00.000Z",
      name: "Leveranciers",
    });
    expect(report.used).toBe(2);
    expect((await lookup("50000012"))?.company.source).toEqual({
      kvk: "import:leveranciers",
      cachedAt: "2026-01-01T00:00:00.000Z",
    });
    const line = '{"kvkNumber":"50000012","name":"x","isActive":true}\n';
    const undated = await run("jsonl", ["-"], { stdin: Readable.from([Buffer.from(line)]) });
    expect(undated.skippedByReason[0]?.reason).toMatch(/carries no date/);
  });

  it("never dates data later than now", async () => {
    const path = file("a.csv", TABLE);
    utimesSync(path, new Date(), new Date("2999-01-01T00:00:00Z"));
    await run("csv", [path]);
    const cachedAt = (await lookup("50000012"))?.company.source?.cachedAt ?? "";
    expect(Date.parse(cachedAt)).toBeLessThanOrEqual(Date.now());
  });

  it("accepts a profile of KVK with its branches, as the operator's own data or as KVK's", async () => {
    const basisprofiel = {
      kvkNummer: "50000012",
      naam: "Korenaar B.V.",
      _embedded: {
        hoofdvestiging: { vestigingsnummer: "000050000012" },
        eigenaar: { rechtsvorm: "Nieuwvorm" },
      },
    };
    const vestigingen = [{ vestigingsnummer: "000050000020", volledigAdres: "Molenstraat 3 3511BT Utrecht" }];
    const path = file(
      "k.json",
      JSON.stringify([
        { basisprofiel, vestigingen },
        { ...basisprofiel, kvkNummer: 12 },
      ]),
    );
    const report = await run("kvk", [path], { isFromKvkApi: true });
    expect(report).toMatchObject({
      used: 1,
      leftOutByReason: [{ reason: "a legal form that no rule maps", count: 1 }],
      skippedByReason: [{ reason: "kvkNummer is a number that lost its leading zeros", count: 1 }],
    });
    const added = file("added.json", JSON.stringify({ ...basisprofiel, vestigingen }));
    expect(await run("kvk", [added])).toMatchObject({ used: 1 });
    const [line = ""] = (await exported()).split("\n");
    expect(JSON.parse(line)).toMatchObject({
      branchCount: 2,
      branches: [
        { branchNumber: "000050000012", isMain: true },
        {
          branchNumber: "000050000020",
          address: { street: "Molenstraat", houseNumber: "3", city: "Utrecht" },
        },
      ],
    });
  });

  it("reports its progress", async () => {
    const path = file("a.csv", TABLE);
    const stages = new Set<string>();
    await run("csv", [path], { onProgress: ({ stage, unit }) => stages.add(`${stage} (${unit})`) });
    expect([...stages][0]).toBe(`reading ${path} (bytes)`);
  });
});

describe("exporting", () => {
  it("writes a file that is identical after another import and export", async () => {
    const lines = [...generateCompanies({ companies: 400, seed: 7 })].map(
      (company) => `${formatFacts(company)}\n`,
    );
    expect(await run("jsonl", [file("demo.jsonl", lines.join(""))])).toMatchObject({ used: 400, skipped: 0 });
    const first = await exported();
    expect(first.trim().split("\n")).toHaveLength(400);
    const again = await run("jsonl", [file("first.jsonl", first)], { directory: pathOf("elsewhere") });
    expect(again).toMatchObject({ used: 400, skipped: 0 });
    expect(await exported("jsonl", "elsewhere")).toBe(first);
  });

  it("writes a table for spreadsheets that can be imported unchanged", async () => {
    const lines = [...generateCompanies({ companies: 400, seed: 8 })].map(
      (company) => `${formatFacts(company)}\n`,
    );
    const odd =
      '{"kvkNumber":"50000012","name":"@Home \\"B.V.\\", =x","tradingNames":["=1;+x;y","Veer"],"isActive":true,"address":{"city":"-"}}\n';
    await run("jsonl", [file("demo.jsonl", lines.join("") + odd)], { asOf: "2026-01-01T00:00:00.000Z" });
    const table = await exported("csv");
    expect(table).toContain(`50000012,"'@Home ""B.V."",' =x","'=1;'+x;y | Veer",`);
    const report = await run("csv", [file("table.csv", table)], {
      directory: pathOf("elsewhere"),
      asOf: "2026-01-01T00:00:00.000Z",
    });
    expect(report).toMatchObject({ used: 401, skipped: 0, leftOutByReason: [] });
    const strip = (text: string) => text.replace(/,[^,]*,[^,]*\r\n/g, "\n");
    expect(strip(await exported("csv", "elsewhere"))).toBe(strip(table).replace(",'-,", ",,"));
  });
});

const SPONSORS = sharedPath("data/names/ind-sponsors.csv");

describeWith(shared(SPONSORS), "the IND's sponsors", () => {
  it("are rejected without a status, and imported with --assume-active, 6,779 rows", async () => {
    await expect(run("csv", [SPONSORS])).rejects.toThrow(/--assume-active/);
    const report = await run("csv", [SPONSORS], { csv: csv(true) });
    expect(report).toMatchObject({ read: 6_779, used: 6_779, new: 6_777, repeated: 2, skipped: 0 });
    expect((await lookup("82701695"))?.company.name).toBe("@Fentures B.V.");
  });
});
