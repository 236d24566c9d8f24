import { resolve } from "node:path";
import { parseArgs } from "node:util";
import { CASES } from "./cases.ts";

export const STORES = ["sqlite", "postgres"] as const;
export type Store = (typeof STORES)[number];

export interface Options {
  readonly companies: number;
  readonly rounds: number;
  readonly seconds: number;
  readonly connections: number;
  readonly cases: readonly string[];
  readonly stores: readonly Store[];
  readonly folder: string;
}

export const USAGE = `npm run bench -- [options]

  --companies N     companies in the registry (25000)
  --rounds N        measurements of each case on each server, in turn (3)
  --seconds S       length of one measurement (1)
  --connections N   connections of the client (64)
  --cases a,b       only these: ${CASES.map(({ name }) => name).join(", ")}; none measures import and suggestions alone
  --stores a,b      only these: ${STORES.join(", ")}
  --folder PATH     where the data of the run is put (bench/out); in memory a sync would cost nothing
`;

/** @throws {Error} with a line for the person who called it */
export function parseOptions(words: readonly string[]): Options | "help" {
  const { values } = parseArgs({
    args: [...words],
    options: {
      companies: { type: "string", default: "25000" },
      rounds: { type: "string", default: "3" },
      seconds: { type: "string", default: "1" },
      connections: { type: "string", default: "64" },
      cases: { type: "string", default: CASES.map(({ name }) => name).join(",") },
      stores: { type: "string", default: STORES.join(",") },
      folder: { type: "string", default: new URL("out", import.meta.url).pathname },
      help: { type: "boolean", default: false },
    },
  });
  if (values.help) return "help";
  return {
    companies: wholeNumber("--companies", values.companies),
    rounds: wholeNumber("--rounds", values.rounds),
    seconds: positive("--seconds", values.seconds),
    connections: wholeNumber("--connections", values.connections),
    cases: chosen(
      "--cases",
      values.cases === "none" ? "" : values.cases,
      CASES.map(({ name }) => name),
    ),
    stores: chosen("--stores", values.stores, STORES),
    folder: resolve(values.folder),
  };
}

export function positive(option: string, text: string): number {
  const value = Number(text);
  if (!(value > 0)) throw new Error(`${option} must be a number above 0`);
  return value;
}

export function wholeNumber(option: string, text: string): number {
  const value = positive(option, text);
  if (!Number.isSafeInteger(value)) throw new Error(`${option} must be a whole number`);
  return value;
}

function chosen<T extends string>(option: string, text: string, all: readonly T[]): readonly T[] {
  return text
    .split(",")
    .filter(Boolean)
    .map((word) => {
      const found = all.find((name) => name === word);
      if (found === undefined) throw new Error(`${option}: "${word}" is not one of ${all.join(", ")}`);
      return found;
    });
}
