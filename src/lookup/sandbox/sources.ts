/** The sources of the normal lookup for test keys: a registry and VIES, made from the tables. No upstream is called. */
import { mergeFacts } from "../../company/merge.ts";
import { VIEWS, type ViewName } from "../../company/views.ts";
import type { KvkNumber } from "../../contract/numbers.ts";
import type { Peppol } from "../../contract/peppol.ts";
import { participantsOf } from "../../peppol/participants.ts";
import { Finder } from "../../search/finder.ts";
import { IndexBuilder } from "../../search/index/builder.ts";
import { NameIndex } from "../../search/index/nameIndex.ts";
import { indexInMemory } from "../../search/index/sections.ts";
import type { CheckedVatNumber } from "../../vat/numbers/parse.ts";
import { type Verdict, verdict } from "../../vat/verdicts/verdict.ts";
import { UNREACHABLE } from "../../vat/vies/codes.ts";
import type { LookupRegistry } from "../companies.ts";
import type { PeppolSource } from "../companyPeppol.ts";
import type { VerdictSource } from "../lookup.ts";
import { TEST_COMPANIES } from "./companies.ts";
import { REFUSED_REQUESTER, TEST_CONSULTATION, TEST_VAT_NUMBERS } from "./outcomes.ts";

const companies = new Map(TEST_COMPANIES.map((company) => [company.facts.kvkNumber, company]));
const vatNumbers = new Map(TEST_VAT_NUMBERS.map((row) => [row.vatNumber, row]));
const LIFETIMES = { freshForMs: 0, refusalFreshForMs: 0, staleForMs: Number.POSITIVE_INFINITY };
const DAY_MS = 86_400_000;

let registry: LookupRegistry | undefined;

/** The registry of the test companies. Indexing their names takes some 10 ms, once per process. */
export function testRegistry(): LookupRegistry {
  registry ??= makeRegistry();
  return registry;
}

function makeRegistry(): LookupRegistry {
  const builder = new IndexBuilder();
  for (const { facts } of TEST_COMPANIES) builder.add({ ...facts, ...facts.address });
  const indexes = [new NameIndex(indexInMemory(builder.sections()))];
  const finder = new Finder(indexes);
  return {
    current: {
      isFindable: true,
      indexes,
      facts: (kvkNumber) => companies.get(kvkNumber),
      basic: (kvkNumber) => view("basic", kvkNumber),
      enriched: (kvkNumber) => view("enriched", kvkNumber),
      branches: (kvkNumber) => view("branches", kvkNumber),
      completing: (q, limit) => finder.autocompleteInSteps(q, limit),
      search: (criteria) => finder.search(criteria),
    },
  };
}

function view<N extends ViewName>(need: N, kvkNumber: KvkNumber) {
  const company = companies.get(kvkNumber);
  return company && VIEWS[need].ofFacts(mergeFacts([company]));
}

/** The verdicts of the table. */
export const TEST_VERDICTS: VerdictSource = {
  fromMemory: verdictOn,
  fromStore: async (numbers) => numbers.map(verdictOn),
  fromVies: async (number) => verdictOn(number),
  ofBatchFromVies: async (numbers) => numbers.map(verdictOn),
  consult: async (number, requester) => {
    if (requester.countryCode + requester.national === REFUSED_REQUESTER) {
      return { requesterRefused: REFUSED_REQUESTER };
    }
    const verdict = verdictOn(number);
    const isProved = verdict.status === "validated";
    return { verdict, ...(isProved && { consultationNumber: TEST_CONSULTATION }) };
  },
};

function verdictOn(number: CheckedVatNumber): Verdict {
  const { answer, staleDays = 0 } = vatNumbers.get(number.vatNumber) ?? { answer: { valid: false } };
  const nowMs = Date.now();
  const last = answer && { ...answer, validatedAt: new Date(nowMs - staleDays * DAY_MS).toISOString() };
  const isCurrent = last !== undefined && staleDays === 0;
  const result = isCurrent ? ({ kind: "answer", ...last } as const) : UNREACHABLE;
  return verdict(number, result, last && { last: { ...last, receivedAtMs: nowMs } }, nowMs, LIFETIMES);
}

/** The answers of the table. */
export const TEST_PEPPOL: PeppolSource = { stored: peppolOf, fromNetwork: peppolOf };

async function peppolOf(kvkNumber: KvkNumber): Promise<Peppol> {
  const { ageDays = 0, ...answer } = companies.get(kvkNumber)?.peppol ?? {
    status: "not_registered" as const,
  };
  const asked = participantsOf(kvkNumber, undefined);
  return {
    ...answer,
    asked: [...asked],
    ...(answer.status !== "not_registered" && { participantId: asked[0], accessPoint: "smp.example.com" }),
    checkedAt: new Date(Date.now() - ageDays * DAY_MS).toISOString(),
    ...(ageDays > 0 && { ageSeconds: (ageDays * DAY_MS) / 1_000 }),
  };
}
