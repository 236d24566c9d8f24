/**
 * Fits the weights of the evidence on the tuning half of the real names, and prints src/match/weights.ts:
 * `npm run --silent match:fit > src/match/weights.ts`
 */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Compared, EVIDENCE_NAMES, type EvidenceName } from "../../src/match/evidence.ts";
import { Matcher } from "../../src/match/matcher.ts";
import type { MatchQuery } from "../../src/match/types.ts";
import { WEIGHTS } from "../../src/match/weights.ts";
import { readOrBuildNames } from "../../src/registry/names/namesFile.ts";
import { NameIndex } from "../../src/search/index/nameIndex.ts";
import { openMatchRegistry, readRealCompanies } from "./data.ts";
import { furtherQueries, trainingQueries } from "./queries.ts";

const COMPANIES = Number(process.argv[2] ?? 25_000);
/** Every nth query is used. */
const EVERY = Number(process.argv[3] ?? 1);
/** Candidates with less evidence hardly change the weights. */
const MAX_CANDIDATES = 10;
const ROUNDS = 300;
const STEP = 0.05;
/** Keeps weights of rare evidence small. */
const DECAY = 1e-5;

/** Evidence that can only speak for a candidate, or only against it. Chance in the data must not turn it around. */
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
const AGAINST: readonly EvidenceName[] = [
  "missingInQuery",
  "missingInName",
  "missingCount",
  "cutOff",
  "groupInQuery",
  "groupInName",
  "number",
  "joined",
  "variant",
  "short",
  "initials",
  "oneEdit",
  "twoEdits",
  "shortTypo",
  "order",
  "otherForm",
  "missingForm",
  "otherCity",
  "otherPostalCode",
  "otherHouseNumber",
  "otherStreet",
  "otherWebsite",
  "inactive",
  "otherName",
];

/** Evidence that made-up data cannot weigh: how often real lists have ended companies or outdated streets and websites. */
const FIXED: { readonly [Name in EvidenceName]?: number } = {
  inactive: -1.5,
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
function fit(samples: readonly Sample[]): Float64Array {
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
      weights[kind] = FOR.includes(name)
        ? Math.max(0, moved)
        : AGAINST.includes(name)
          ? Math.min(0, moved)
          : moved;
    }
    if (round % 50 === 0)
      process.stderr.write(`round ${round}: loss ${(loss / samples.length).toFixed(5)}\n`);
  }
  return weights;
}

const folder = mkdtempSync(join(tmpdir(), "opzoek-fit-"));
try {
  const real = readRealCompanies();
  const snapshot = await openMatchRegistry(folder, real, COMPANIES);
  const indexes = snapshot.layers.map(({ place }) => new NameIndex(readOrBuildNames(place)));
  const matcher = new Matcher(indexes, (kvkNumber) => snapshot.facts(kvkNumber)?.facts);
  const samples: Sample[] = [];
  const lost = new Map<string, number>();
  let count = 0;
  const add = (query: MatchQuery, truth: string | undefined, damage: string) => {
    if (count++ % EVERY !== 0) return;
    const sample = sampleOf(matcher.compare(matcher.prepare(query), { limit: 10 }), truth);
    if (sample !== undefined) samples.push(sample);
    else lost.set(damage, (lost.get(damage) ?? 0) + 1);
    if (count % 5000 === 0) process.stderr.write(`${count} queries\n`);
  };
  for (const { query, truth, damage } of trainingQueries("tune", COMPANIES)) add(query, truth, damage);
  for (const { query, truth } of furtherQueries("tune", COMPANIES)) add(query, truth, "further");
  process.stderr.write(
    `companies that were not among the candidates: ${JSON.stringify([...lost])} of ${count}\n`,
  );
  writeFileSync(
    `${tmpdir()}/samples.json`,
    JSON.stringify(
      samples.map((one) => ({
        truth: one.truth,
        candidates: one.candidates.map(([k, v]) => [[...k], [...v]]),
      })),
    ),
  );
  const weights = fit(samples);
  const lines = EVIDENCE_NAMES.map((name, kind) => `  ${name}: ${Number((weights[kind] ?? 0).toFixed(3))},`);
  console.log(`import type { EvidenceName } from "./evidence.ts";

/** The weight of each kind of evidence, fitted by \`npm run match:fit\`; see docs/matching.md. */
export const WEIGHTS: Readonly<Record<EvidenceName, number>> = {
${lines.join("\n")}
};`);
  snapshot.close();
} finally {
  rmSync(folder, { recursive: true, force: true });
}
