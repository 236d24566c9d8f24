import { resolve } from "node:path";
import { parseArgs } from "node:util";
import { CASES } from "./cases/all.ts";
import type { BenchCase } from "./cases/case.ts";
import { CLIENTS, type Job } from "./client/job.ts";
import { CURVE, SETUPS, type Setup } from "./setups.ts";
import { named, positive } from "./words.ts";

export interface Options {
  readonly companies: number;
  readonly seconds: number;
  readonly rounds: number;
  readonly connections: number;
  /** Share of a core that others, on this machine or its host, may take before a round is measured again. */
  readonly others: number;
  readonly cases: readonly BenchCase[];
  readonly setups: readonly Setup[];
  readonly client: Job["client"];
  readonly logLevel: string;
  readonly folder: string;
  /** A DATA_DIR with the registry of such a run. */
  readonly registry: string | undefined;
  readonly profile: boolean;
  readonly json: boolean;
}

export const USAGE = `node bench/main.ts [options]

  --companies N     companies in the registry (25000)
  --seconds S       length of one measurement (0.8)
  --rounds N        measurements of each case on each server, in turn (25)
  --others SHARE    a round in which others took more of a core than this is measured again (0.1)
  --connections N   connections of the client (64)
  --cases a,b       only these: ${CASES.map(({ name }) => name).join(", ")}
  --setups a,b      only these: ${SETUPS.map(({ name }) => name).join(", ")}
                    or, for a curve: ${CURVE.map(({ name }) => name).join(", ")}
  --client NAME     lean (the default) or autocannon
  --log-level NAME  LOG_LEVEL of our server (info)
  --folder PATH     where the data of the run is put (bench/out); it must not be in memory, or a sync costs nothing
  --registry PATH   a DATA_DIR whose registry holds those companies already, made by \`opzoek generate\` and \`opzoek import jsonl\`,
                    on the same disk as the folder; it is left as it is
  --profile         also show where our server's processor time goes; this makes it slower
  --json            the report as one JSON document
`;

/** @throws {Error} with a line for the person who called it */
export function parseOptions(words: readonly string[]): Options | "help" {
  const { values } = parseArgs({
    args: [...words],
    options: {
      companies: { type: "string", default: "25000" },
      seconds: { type: "string", default: "0.8" },
      rounds: { type: "string", default: "25" },
      connections: { type: "string", default: "64" },
      others: { type: "string", default: "0.1" },
      cases: { type: "string" },
      setups: { type: "string" },
      client: { type: "string", default: "lean" },
      "log-level": { type: "string", default: "info" },
      folder: { type: "string", default: new URL("out", import.meta.url).pathname },
      registry: { type: "string" },
      profile: { type: "boolean", default: false },
      json: { type: "boolean", default: false },
      help: { type: "boolean", default: false },
    },
  });
  if (values.help) return "help";
  const client = CLIENTS.find((name) => name === values.client);
  if (client === undefined) throw new Error(`--client must be one of ${CLIENTS.join(", ")}`);
  return {
    companies: positive("--companies", values.companies),
    seconds: positive("--seconds", values.seconds),
    rounds: positive("--rounds", values.rounds),
    connections: positive("--connections", values.connections),
    others: positive("--others", values.others),
    cases: values.cases === undefined ? CASES : values.cases.split(",").map(caseNamed),
    setups: values.setups === undefined ? SETUPS : values.setups.split(",").map(setupNamed),
    client,
    logLevel: values["log-level"],
    folder: resolve(values.folder),
    registry: values.registry === undefined ? undefined : resolve(values.registry),
    profile: values.profile,
    json: values.json,
  };
}

const caseNamed = (name: string): BenchCase => named("case", CASES, name);
const setupNamed = (name: string): Setup => named("setup", [...SETUPS, ...CURVE], name);
