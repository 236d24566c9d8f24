/** `opzoek match`: a list with its results, from a service and from the snapshot, and the evidence for one company. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { BAKERY, FERRY, FROM_GLEIF } from "../kit/companies.ts";
import { composeInProcess, type InProcess } from "../kit/inProcess.ts";
import { opzoek } from "../kit/opzoek.ts";
import { usedTokens } from "../kit/usage.ts";
import { makeWorld, temporaryFolder, type World } from "../kit/world.ts";

let world: World;
let inside: InProcess;
let url: string;
let folder: string;
beforeAll(async () => {
  world = await makeWorld();
  inside = await composeInProcess(world, { listOptions: { pollEveryMs: 10 } });
  url = await inside.app.listen({ host: "127.0.0.1", port: 0 });
  folder = temporaryFolder();
});

function file(name: string, content: string | Buffer): string {
  const path = join(folder, name);
  writeFileSync(path, content);
  return path;
}

const COLUMNS =
  "matchDecision,matchKvkNumber,matchName,matchCity,matchScore,match2KvkNumber,match2Name,match2City,match2Score,match3KvkNumber,match3Name,match3City,match3Score,matchNotes,matchError";
const LIST = ["nr;naam;plaats;kvk", '1;"Legendefonds";Sagendam;', "2;;;", `3;;;${FERRY}`].join("\n");

const match = (words: readonly string[], more: NodeJS.ProcessEnv = {}) =>
  opzoek(["match", ...words], { ...world.environment, ...more });

function expectResults(out: string): void {
  const [header, first, second, third] = out.split("\n");
  expect(header).toBe(`nr,naam,plaats,kvk,${COLUMNS}`);
  expect(first).toMatch(
    new RegExp(`^1,Legendefonds,Sagendam,,matched,${FROM_GLEIF},Legendefonds B\\.V\\.,Sagendam,[0-9.]+,`),
  );
  expect(second).toMatch(/^2,,,(,){15}"?(a query needs a name|name must be|the row is empty)/);
  expect(third).toMatch(new RegExp(`^3,,,${FERRY},matched,${FERRY},`));
}

describe("opzoek match", () => {
  it("prints the list with the results of the snapshot", async () => {
    const { code, out, err } = await match([file("klanten.csv", LIST)]);
    expect(code, err).toBe(0);
    expectResults(out);
    expect(err).toContain("Columns: nr (id), naam (name), plaats (city), kvk (kvkNumber).\n");
    expect(err).toContain("3 rows: 2 matched, 0 ambiguous, 0 none, 1 invalid.");
  });

  it("prints the list with the results of a service, at the price of its valid rows", async () => {
    const { key } = await inside.account("plenty");
    const { code, out, err } = await match([file("klanten.csv", LIST), "--url", url], { OPZOEK_KEY: key });
    expect(code, err).toBe(0);
    expectResults(out);
    expect(err).toContain("2 tokens maximum");
    const port = Number(new URL(url).port);
    expect(await usedTokens({ port }, key)).toBe(2);
  });

  it("reads JSON lines, and files in the Windows alphabet", async () => {
    const lines = `{"name":"Legendefonds","city":"Sagendam"}\n"Legendefonds"\n`;
    const json = await match([file("list.jsonl", lines)]);
    expect(json.out).toContain(`Legendefonds,Sagendam,matched,${FROM_GLEIF}`);
    expect(json.out).toContain(`Legendefonds,,matched,${FROM_GLEIF}`);
    const windows = await match([file("list.csv", Buffer.from("naam\nCafé Zee\n", "latin1"))]);
    expect(windows.out).toContain("Café Zee,");
  });

  const HERE = `matched,${FROM_GLEIF}`;
  it.each<[string, string | Buffer, string, string]>([
    [
      "a title above the headings",
      "Debiteuren, per 1 januari\n\nNaam;Plaats\nLegendefonds;Sagendam\n",
      "",
      `Legendefonds,Sagendam,${HERE}`,
    ],
    [
      "UTF-16",
      Buffer.from("\ufeffnaam\tplaats\r\nLegendefonds\tSagendam\r\n", "utf16le"),
      "",
      `Legendefonds,Sagendam,${HERE}`,
    ],
    [
      "a byte order mark, and CR alone",
      "\ufeffnaam,plaats\rLegendefonds,Sagendam\r",
      "",
      `Legendefonds,Sagendam,${HERE}`,
    ],
    [
      "a named separator",
      "sep=|\r\nnaam|plaats\r\nLegendefonds|Sagendam\r\n",
      "",
      `Legendefonds,Sagendam,${HERE}`,
    ],
    [
      "a stray quote",
      'naam;plaats\n"t Hof;Sagendam\nLegendefonds;Sagendam\n"n Hof;Sagendam\n',
      "",
      `\nLegendefonds,Sagendam,${HERE}`,
    ],
    ["empty lines", "naam\nLegendefonds\n\nLegendefonds\n\n", "", `\n,,,,,,,,,,,,,,,`],
    [
      "a column named by --map",
      "Wie;Waar\nLegendefonds;Sagendam\n",
      "name=Wie,city=Waar",
      `Legendefonds,Sagendam,${HERE}`,
    ],
    [
      "a column left out by --map",
      "naam;kvk\nLegendefonds;00000019\n",
      "kvkNumber=",
      `Legendefonds,00000019,${HERE}`,
    ],
    [
      "a number that lost its zero",
      `naam;kvk\nVeerbedrijf;${FERRY.replace(/^0/, "")}\n`,
      "",
      "which was added",
    ],
  ])("reads %s, here and in a service", async (_what, content, map, line) => {
    const { key } = await inside.account("plenty");
    const words = [file("list.csv", content), ...(map === "" ? [] : ["--map", map])];
    for (const more of [[], ["--url", url]]) {
      const { code, out, err } = await match([...words, ...more], { OPZOEK_KEY: key });
      expect(code, err).toBe(0);
      expect(out).toContain(line);
      expect(err).toMatch(/^Columns: .*\(name\)/);
    }
  });

  it.each([
    ["a workbook", Buffer.from("PK\u0003\u0004rest"), /list\.csv is an Office document/],
    [
      "a workbook of an old Excel",
      Buffer.from([0xd0, 0xcf, 0x11, 0xe0, 1, 2]),
      /is an old Office document\. Save/,
    ],
    ["a PDF document", Buffer.from("%PDF-1.7\n"), /is a PDF document/],
    ["binary data", Buffer.from("naam\n\0\0\0"), /is binary data/],
  ])("refuses %s, as jobs submit does, before anything is charged", async (_what, content, message) => {
    const { key } = await inside.account("plenty");
    const path = file("list.csv", content);
    for (const words of [
      ["match", path],
      ["jobs", "submit", path, "--kind", "match"],
      ["jobs", "submit", path],
    ]) {
      const { code, err } = await opzoek([...words, "--url", url], { ...world.environment, OPZOEK_KEY: key });
      expect([code, err]).toEqual([2, expect.stringMatching(message)]);
    }
    expect(await usedTokens({ port: Number(new URL(url).port) }, key)).toBe(0);
  });

  it("names a column of --map that the file does not have", async () => {
    const { code, err } = await match([file("list.csv", "naam\nx\n"), "--map", "city=Waar"]);
    expect([code, err]).toEqual([2, expect.stringContaining('There is no column "Waar"')]);
  });

  it("prints the evidence for each candidate of one company", async () => {
    const { code, out, err } = await match(["--name", "Legendefonds", "--city", "Sagendam", "--explain"]);
    expect(code, err).toBe(0);
    expect(out).toContain("decision: matched");
    const [, evidence = ""] = out.split(`\n${FROM_GLEIF}  Legendefonds B.V.\n`);
    const [explained = ""] = evidence.split("\n\n");
    const rows = explained
      .split("\n")
      .filter((row) => /^[a-z]+ +-?[0-9.]+ +-?[0-9.]+ +-?[0-9.]+ {2}/i.test(row));
    const products = rows.map((row) => Number(row.split(/ +/)[3]));
    const sum = Number(/^sum +(-?[0-9.]+)$/m.exec(explained)?.[1]);
    expect(rows.length).toBeGreaterThan(3);
    expect(products.reduce((total, one) => total + one, 0)).toBeCloseTo(sum, 1);
    expect(explained).toMatch(/^score +[0-9.]+ %$/m);
  });

  it("leaves out companies on the suppression list", async () => {
    expect((await opzoek(["forget", BAKERY], world.environment)).code).toBe(0);
    const { out } = await match(["--kvk-number", BAKERY]);
    expect(out.split("\n")[1]).toMatch(new RegExp(`^${BAKERY},none,,`));
  });

  it.each([
    [[], "Give a file with a list"],
    [["x.csv", "--name", "Veer"], "Give a file with a list"],
    [["x.csv", "--explain"], "--explain takes one company"],
    [["--name", "Veer", "--explain", "--url", "http://127.0.0.1:1"], "add --local"],
    [["--kvk-number", "12", "--explain"], "exactly 8 digits"],
  ])("explains what to do after %j", async (words, advice) => {
    const { code, err } = await match(words, { OPZOEK_KEY: "x" });
    expect([code, err]).toEqual([2, expect.stringContaining(advice)]);
  });

  it("names the columns of a file in which it recognises none", async () => {
    const { code, err } = await match([file("colours.csv", "kleur,maat\nrood,1\n")]);
    expect([code, err]).toEqual([2, expect.stringContaining('the columns are "kleur", "maat"')]);
  });
});
