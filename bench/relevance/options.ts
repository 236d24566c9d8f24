import { resolve } from "node:path";
import { parseArgs } from "node:util";
import { wholeNumber } from "../options.ts";
import { HALVES, type Half } from "./names.ts";

export interface Options {
  /** Generated ones; the real ones stand beside them. */
  readonly companies: number;
  readonly half: Half;
  readonly seed: number;
  /** The most companies of each source that are looked for. */
  readonly names: number;
  readonly check: boolean;
  /** Where the registry is kept; absent where it is made for this run alone. */
  readonly registry: string | undefined;
  readonly misses: string | undefined;
}

export const USAGE = `npm run relevance -- [options]

  --companies N     generated companies in the registry, beside the real ones (25000)
  --half NAME       the half of the names that is looked for: measured (the default) or tune
  --seed N          the same seed, companies and names give the same queries (1)
  --names N         look for so many companies of each source at most (4000)
  --check           end with 1 and the list where a wanted figure is missed
  --registry PATH   make the registry in this folder and leave it there, or use the one that is there;
                    otherwise it is made in bench/out for this run alone
  --misses PATH     write the queries that do not put their company first, as lines of JSON; of the half tune only
`;

/** @throws {Error} with a line for the person who called it */
export function parseOptions(words: readonly string[]): Options | "help" {
  const { values } = parseArgs({
    args: [...words],
    options: {
      companies: { type: "string", default: "25000" },
      half: { type: "string", default: "measured" },
      seed: { type: "string", default: "1" },
      names: { type: "string", default: "4000" },
      check: { type: "boolean", default: false },
      registry: { type: "string" },
      misses: { type: "string" },
      help: { type: "boolean", default: false },
    },
  });
  if (values.help) return "help";
  const half = HALVES.find((name) => name === values.half);
  if (half === undefined) throw new Error(`--half must be one of ${HALVES.join(", ")}`);
  if (values.misses !== undefined && half !== "tune") {
    throw new Error("--misses needs --half tune: the other half must stay unseen");
  }
  return {
    companies: wholeNumber("--companies", values.companies),
    half,
    seed: wholeNumber("--seed", values.seed),
    names: wholeNumber("--names", values.names),
    check: values.check,
    registry: values.registry === undefined ? undefined : resolve(values.registry),
    misses: values.misses === undefined ? undefined : resolve(values.misses),
  };
}
