import { createHash } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { parse } from "csv-parse/sync";
import { type KvkNumber, parseKvkNumber } from "../../src/contract/numbers.ts";

/** The public register of recognised sponsors: real names of companies. It is no part of the project. */
export const REAL_NAMES_FILE = fileURLToPath(
  new URL("../../../shared/data/names/ind-sponsors.csv", import.meta.url),
);

/** A company that is looked for. */
export interface NamedCompany {
  readonly kvkNumber: KvkNumber;
  readonly name: string;
}

/** The companies of {@link REAL_NAMES_FILE}, each once; undefined where the file is absent. */
export function readRealNames(): readonly NamedCompany[] | undefined {
  if (!existsSync(REAL_NAMES_FILE)) return undefined;
  const rows: string[][] = parse(readFileSync(REAL_NAMES_FILE), { from_line: 2 });
  const companies = new Map<KvkNumber, NamedCompany>();
  for (const [number = "", name = ""] of rows) {
    const kvkNumber = parseKvkNumber(number);
    if (kvkNumber !== undefined) companies.set(kvkNumber, { kvkNumber, name });
  }
  return [...companies.values()];
}

/** Whoever improves finding looks at the misses of one half only; the other half shows what it came to. */
export const HALVES = ["tune", "measured"] as const;
export type Half = (typeof HALVES)[number];

/** The half that a company belongs to, by the SHA-256 of its KVK number. */
export function halfOf(kvkNumber: KvkNumber): Half {
  const [first = 0] = createHash("sha256").update(kvkNumber).digest();
  return first % 2 === 0 ? "tune" : "measured";
}
