/**
 * Fits the weights of the evidence on the tuning half of the real names, and prints src/match/weights.ts:
 * `npm run --silent match:fit > src/match/weights.ts`
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import type { Compared } from "../../src/match/comparison.ts";
import { EVIDENCE_NAMES, type EvidenceName } from "../../src/match/evidence.ts";
import { Matcher } from "../../src/match/matcher.ts";
import { WEIGHTS } from "../../src/match/weights.ts";
import { readNames } from "../../src/registry/names/storedNames.ts";
import type { SnapshotFile } from "../../src/registry/snapshotFile.ts";
import { NameIndex } from "../../src/search/index/nameIndex.ts";
import { positiveNumber, runCommand, say } from "../options.ts";
import { openMatchRegistry, readRealCompanies } from "./data.ts";
import { trainingQueries } from "./queries.ts";

/** Candidates with less evidence hardly change the weights. */
const MAX_CANDIDATES = 10;
const ROUNDS = 300;
const STEP = 0.05;
/** Keeps weights of rare evidence small. */
const DECAY = 1e-5;

/** Evidence that can only speak for a candidate. Chance in the data must not turn it around. */
const FOR: readonly EvidenceName[] = [
  "sameName",
  "sameWords",
  "chance",
  "surplus",
  "share",
  "city",
  "cityInformation",
  "cityInName",
  "postalCode",
  "postalArea",
  "houseNumber",
  "street",
  "website",
];
/** Evidence that can speak for a candidate or against it; all other evidence can only speak against it. */
const EITHER: readonly EvidenceName[] = ["any", "noName", "placeInQuery", "placeInName", "convertedForm"];

/**
 * Evidence that made-up data cannot weigh: how often lists have ended companies, outdated addresses and websites, and
 * companies of a group that the registry lacks.
 */
const FIXED: { readonly [Name in EvidenceName]?: number } = {
  inactive: -1.5,
  groupInName: -3,
  number: -3,
  otherPostalCode: -0.7,
  street: 1,
  otherStreet: -0.5,
  otherHouseNumber: -0.5,
  website: 4,
  otherWebsite: -0.5,
};

/** A query as numbers: the evidence of each candidate, and the candidate that is meant. */
interface Sample {
  readonly candidates: readonly (readonly [kind: Uint8Array, value: Float64Array])[];
  /** -1 if no candidate is meant. */
  readonly truth: number;
}

function sampleOf(compared: readonly Compared[], truth: string | undefined): Sample | undefined {
  const kept = compared.slice(0, MAX_CANDIDATES);
  const place = kept.findIndex(({ kvkNumber }) => kvkNumber === truth);
  // A company that was not found cannot be scored.
  if (truth !== undefined && place === -1) return undefined;
  const candidates = kept.map(({ evidence }) => {
    const kinds = EVIDENCE_NAMES.flatMap((name, kind) => (evidence[name] ? [kind] : []));
    const values = kinds.map((kind) => evidence[EVIDENCE_NAMES[kind] ?? "any"] ?? 0);
    return [Uint8Array.from(kinds), Float64Array.from(values)] as const;
  });
  return { candidates, truth: place };
}

/** Adds the gradient of one sample. @returns its loss, the negative logarithm of the probability of the truth */
function addGradient({ candidates, truth }: Sample, weights: Float64Array, gradient: Float64Array): number {
  const odds = candidates.map(([kinds, values]) => {
    let sum = 0;
    for (let at = 0; at < kinds.length; at++) sum += (weights[kinds[at] ?? 0] ?? 0) * (values[at] ?? 0);
    return sum;
  });
  const highest = Math.max(0, ...odds);
  const all = odds.reduce((sum, one) => sum + Math.exp(one - highest), Math.exp(-highest));
  for (const [place, [kinds, values]] of candidates.entries()) {
    const difference = Math.exp((odds[place] ?? 0) - highest) / all - (place === truth ? 1 : 0);
    if (Math.abs(difference) < 1e-9) continue;
    for (let at = 0; at < kinds.length; at++) {
      const kind = kinds[at] ?? 0;
      gradient[kind] = (gradient[kind] ?? 0) + difference * (values[at] ?? 0);
    }
  }
  return Math.log(all) + highest - (truth === -1 ? 0 : (odds[truth] ?? 0));
}

/** Minimises the loss with Adam (Kingma and Ba, 2015). */
function minimiseLoss(samples: readonly Sample[]): Float64Array {
  const weights = Float64Array.from(EVIDENCE_NAMES, (name) => FIXED[name] ?? WEIGHTS[name]);
  const [mean, variance] = [new Float64Array(weights.length), new Float64Array(weights.length)];
  for (let round = 1; round <= ROUNDS; round++) {
    const gradient = new Float64Array(weights.length);
    let loss = 0;
    for (const sample of samples) loss += addGradient(sample, weights, gradient);
    for (const [kind, name] of EVIDENCE_NAMES.entries()) {
      if (FIXED[name] !== undefined) continue;
      const slope = (gradient[kind] ?? 0) / samples.length + DECAY * (weights[kind] ?? 0);
      mean[kind] = 0.9 * (mean[kind] ?? 0) + 0.1 * slope;
      variance[kind] = 0.999 * (variance[kind] ?? 0) + 0.001 * slope * slope;
      const step =
        (mean[kind] ?? 0) /
        (1 - 0.9 ** round) /
        (Math.sqrt((variance[kind] ?? 0) / (1 - 0.999 ** round)) + 1e-8);
      const moved = (weights[kind] ?? 0) - STEP * step;
      if (EITHER.includes(name)) weights[kind] = moved;
      else weights[kind] = FOR.includes(name) ? Math.max(0, moved) : Math.min(0, moved);
    }
    if (round % 50 === 0) say(`round ${round}: loss ${(loss / samples.length).toFixed(5)}`);
  }
  return weights;
}

const USAGE = `npm run --silent match:fit -- [options] > src/match/weights.ts

  --companies N     generated companies in the registry, in addition to the real ones (25000)
  --registry PATH   keep the registry in this folder, and use the one that is there
`;

async function run(): Promise<void> {
  const { values } = parseArgs({
    options: {
      companies: { type: "string", default: "25000" },
      registry: { type: "string" },
      help: { type: "boolean", default: false },
    },
  });
  if (values.help) return void process.stdout.write(USAGE);
  const companies = positiveNumber("--companies", values.companies);
  const folder =
    values.registry === undefined ? mkdtempSync(join(tmpdir(), "opzoek-fit-")) : resolve(values.registry);
  try {
    say("building the registry, unless the folder has it");
    const snapshot = await openMatchRegistry(folder, readRealCompanies(), companies);
    const weights = minimiseLoss(samplesOf(snapshot, companies));
    snapshot.close();
    process.stdout.write(fileOf(weights));
  } finally {
    if (values.registry === undefined) rmSync(folder, { recursive: true, force: true });
  }
}

function samplesOf(snapshot: SnapshotFile, companies: number): Sample[] {
  const indexes = snapshot.layers.map(({ place }) => new NameIndex(readNames(place)));
  const matcher = new Matcher(indexes, (kvkNumber) => snapshot.facts(kvkNumber)?.facts);
  const samples: Sample[] = [];
  let [count, lost] = [0, 0];
  const queries = trainingQueries(companies);
  for (const { query, truth } of queries) {
    const sample = sampleOf(matcher.compare(matcher.prepare(query), { limit: MAX_CANDIDATES }), truth);
    if (sample === undefined) lost++;
    else samples.push(sample);
    if (++count % 10_000 === 0) say(`${count} of ${queries.length} queries`);
  }
  say(`of ${samples.length + lost} queries, ${lost} do not have their company among the candidates`);
  return samples;
}

function fileOf(weights: Float64Array): string {
  const lines = EVIDENCE_NAMES.map((name, kind) => `  ${name}: ${Number((weights[kind] ?? 0).toFixed(3))},`);
  return `import type { EvidenceName } from "./evidence.ts";

/** The weight of each kind of evidence, fitted by \`npm run match:fit\`; see docs/matching.md. */
export const WEIGHTS: Readonly<Record<EvidenceName, number>> = {
${lines.join("\n")}
};
`;
}

await runCommand(run);
