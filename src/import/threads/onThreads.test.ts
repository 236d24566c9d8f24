import { mkdtempSync, readFileSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable } from "node:stream";
import { afterEach, beforeEach, expect, it } from "vitest";
import { generateCompanies } from "../../demo/generateCompanies.ts";
import { openCurrentSnapshot } from "../../snapshot/openSnapshot.ts";
import { importFiles } from "../importFiles.ts";
import { formatFacts } from "../jsonl.ts";
import type { ImportRequest } from "../request.ts";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "opzoek-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** White space between two keys: a small registry becomes a file that threads read. */
const PADDING = " ".repeat(30_000);
const padded = (line: string) => `${line.slice(0, -1)}${PADDING}}`;
const DATE = new Date("2026-03-01T00:00:00Z");

/** Lines of many companies, some without a source, again, of two origins, of tomorrow, or broken. */
function lines(): string[] {
  return [...generateCompanies({ companies: 320, seed: 4 })].flatMap((sourced, nth) => {
    const line = padded(formatFacts(sourced));
    const changed = (more: object) => padded(JSON.stringify({ ...JSON.parse(line), ...more }));
    if (nth % 40 === 1) return [changed({ source: undefined, tradingNames: ["Café Ĳsbeer & Zn."] })];
    if (nth % 40 === 2) return [line, changed({ name: "Later Gezegd B.V." })];
    if (nth % 40 === 3) return [line, changed({ source: { kvk: "gleif", cachedAt: "2199-01-01" } })];
    if (nth % 40 === 4) return ["", '{"kvkNumber":', changed({ registrationDate: "2023-02-30" }), line];
    if (nth % 40 === 5) return [changed({ vat: JSON.parse("[".repeat(70) + "]".repeat(70)) }), line];
    return [line];
  });
}

interface Imported {
  readonly report: object;
  readonly rejects: string;
  readonly rows: unknown[];
}

async function imported(
  name: string,
  files: readonly string[],
  more: Partial<ImportRequest>,
): Promise<Imported> {
  const directory = join(folder, name);
  const rejectsPath = join(folder, `${name}.csv`);
  const request = {
    directory,
    format: "jsonl",
    files,
    stdin: Readable.from([]),
    name: "proef",
    rejectsPath,
    ...more,
  } as const;
  const { seconds: _, files: __, snapshot: ___, ...report } = await importFiles(request);
  const snapshot = openCurrentSnapshot(directory);
  const rows = [...(snapshot?.all() ?? [])];
  const found = snapshot?.autocomplete("later gezegd", 20);
  snapshot?.close();
  const withoutPlaces = JSON.parse(
    JSON.stringify(report, (key, value) => (key === "first" ? undefined : value)),
  );
  const rejects = readFileSync(rejectsPath, "utf8").replaceAll(/^.*?,[0-9]+,/gm, "");
  return { report: withoutPlaces, rejects, rows: [...rows, found] };
}

it("a large file, which threads read, comes to what its lines come to one by one, added to a registry too", async () => {
  const all = lines();
  const put = (name: string, some: readonly string[]) => {
    const path = join(folder, name);
    writeFileSync(path, `${some.join("\n")}\n`);
    utimesSync(path, DATE, DATE);
    return path;
  };
  const large = put("large.jsonl", all);
  const small = [0, 100, 200, 300].map((from) =>
    put(`${from}.jsonl`, all.slice(from, from === 300 ? undefined : from + 100)),
  );
  const forgotten = JSON.parse(all[10] ?? "").kvkNumber;
  const more = { omit: new Set<string>([forgotten]) };
  const first = await imported("threads", [large], more);
  expect(first).toEqual(await imported("alone", small, more));
  expect(first.report).toMatchObject({ wrote: "base", skipped: 25, repeated: 16 });
  // One is forgotten; the last of these is what was found by name.
  expect(first.rows.length).toBe(320);

  // What is held is passed over, what changed is found, wherever it is in a block.
  expect((await imported("threads", [large], more)).report).toMatchObject({
    wrote: "nothing",
    new: 0,
    changed: 0,
  });
  const changes = all.map((line, nth) =>
    nth % 97 === 7
      ? line
          .replace(/"isActive":(true|false)/, '"isActive":false,"nonMailing":true')
          .replace(/"nonMailing":(true|false),(?=.*"nonMailing")/, "")
      : line,
  );
  const changed = put("changed.jsonl", changes);
  const again = await imported("threads", [changed], more);
  const smallAgain = [0, 100, 200, 300].map((from) =>
    put(`c${from}.jsonl`, changes.slice(from, from === 300 ? undefined : from + 100)),
  );
  expect(again).toEqual(await imported("alone", smallAgain, more));
}, 120_000);
