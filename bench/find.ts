/** `node bench/find.ts`: what finding costs and how much it finds, in this process and without HTTP. */
import { existsSync, readFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { parse } from "csv-parse/sync";
import { parseKvkNumber } from "../src/contract/numbers.ts";
import { generateCompanies } from "../src/demo/generateCompanies.ts";
import { Finder } from "../src/search/finder.ts";
import { IndexBuilder, type IndexedCompany } from "../src/search/index/builder.ts";
import { readIndexFile, writeIdentity, writeIndexFile } from "../src/search/index/indexFile.ts";
import { NameIndex } from "../src/search/index/nameIndex.ts";
import { joinPieces, layOut, Sections } from "../src/search/index/sections.ts";
import { type ClassCost, measureClass } from "./find/measure.ts";
import { queryClasses } from "./find/queries.ts";

const USAGE = `node bench/find.ts [options]

  --companies N    fictional companies, beside the real names (default 100000)
  --queries N      queries of each class (default 2000)
  --keep FILE      where the index is kept, and taken from when it is there: building one of millions takes minutes
  --sizes          print what each part of the index weighs`;

/** Of one size and seed companies are the same everywhere. */
const SEED = 2026;
/** Real names, where this repository stands beside them. */
const REAL = "../shared/data/names/ind-sponsors.csv";
const NO_IDENTITY = "0".repeat(64);
/** So many names are drawn for the queries. */
const DRAWN = 20_000;

const { values } = parseArgs({
  options: {
    companies: { type: "string", default: "100000" },
    queries: { type: "string", default: "2000" },
    keep: { type: "string" },
    sizes: { type: "boolean", default: false },
    help: { type: "boolean", default: false },
  },
});
if (values.help) {
  process.stdout.write(`${USAGE}\n`);
} else measure();

function measure(): void {
  const real = realCompanies();
  const buffer = openIndex(Number(values.companies), real);
  if (values.sizes) tellSizes(buffer);
  const index = new NameIndex(buffer);
  const step = index.names / DRAWN;
  const drawn = Array.from({ length: DRAWN }, (_, nth) => index.records.text(Math.floor(nth * step)));
  const classes = queryClasses(
    drawn,
    real.map(({ name }) => name),
    { each: Number(values.queries) },
  );
  const finder = new Finder([index]);
  const costs = classes.map((one) => measureClass(finder, one));
  process.stdout.write(`${table(costs)}\n`);
}

function openIndex(companies: number, real: readonly IndexedCompany[]): SharedArrayBuffer {
  if (values.keep !== undefined && existsSync(values.keep)) return readIndexFile(values.keep, NO_IDENTITY);
  const builder = new IndexBuilder();
  const started = performance.now();
  for (const company of inOrder(companies, real)) builder.add(company);
  const read = performance.now();
  const sections = builder.sections();
  const seconds = (from: number, to: number) => ((to - from) / 1_000).toFixed(1);
  process.stderr.write(
    `made and read ${seconds(started, read)} s, index built ${seconds(read, performance.now())} s\n`,
  );
  if (values.keep !== undefined) {
    writeIndexFile(values.keep, sections);
    writeIdentity(values.keep, NO_IDENTITY);
  }
  return joinPieces(layOut(sections));
}

/** The fictional companies and the real ones as one list in the order of their numbers, of one number the first. */
function* inOrder(companies: number, real: readonly IndexedCompany[]): Generator<IndexedCompany> {
  let nextReal = 0;
  for (const { facts } of generateCompanies({ companies, seed: SEED })) {
    for (
      let one = real[nextReal];
      one !== undefined && one.kvkNumber <= facts.kvkNumber;
      one = real[++nextReal]
    ) {
      if (one.kvkNumber !== facts.kvkNumber) yield one;
    }
    const { address, ...others } = facts;
    yield { ...others, ...address };
  }
  yield* real.slice(nextReal);
}

function realCompanies(): IndexedCompany[] {
  if (!existsSync(REAL)) {
    process.stderr.write(`without real names: ${REAL} is not there\n`);
    return [];
  }
  const rows: string[][] = parse(readFileSync(REAL), { from_line: 2 });
  const byNumber = new Map<string, IndexedCompany>();
  for (const [number = "", name = ""] of rows) {
    const kvkNumber = parseKvkNumber(number);
    if (kvkNumber !== undefined) byNumber.set(kvkNumber, { kvkNumber, name, isActive: true });
  }
  return [...byNumber.values()].sort((a, b) => (a.kvkNumber < b.kvkNumber ? -1 : 1));
}

function tellSizes(buffer: SharedArrayBuffer): void {
  const megabytes = (bytes: number) => (bytes / 1e6).toFixed(1).padStart(8);
  for (const [name, bytes] of new Sections(buffer).sizes()) {
    process.stderr.write(`${name.padEnd(24)}${megabytes(bytes)} MB\n`);
  }
  process.stderr.write(`${"all".padEnd(24)}${megabytes(buffer.byteLength)} MB\n`);
}

function table(costs: readonly ClassCost[]): string {
  const percent = (share: number) => `${(share * 100).toFixed(1)} %`;
  return [
    "| | queries | median | p99 | worst | meant in 8 | meant first |",
    "|---|--:|--:|--:|--:|--:|--:|",
    ...costs.map(({ name, queries, medianUs, p99Us, worstUs, found, first }) => {
      const times = [medianUs, p99Us, worstUs].map((us) => `${us.toFixed(0)} µs`).join(" | ");
      return `| ${name} | ${queries} | ${times} | ${percent(found)} | ${percent(first)} |`;
    }),
  ].join("\n");
}
