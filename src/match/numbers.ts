import type { CompanyFacts } from "../company/facts.ts";
import { type KvkNumber, kvkNumberOf } from "../contract/numbers.ts";
import type { NameIndex } from "../search/index/nameIndex.ts";
import type { NameCandidate } from "./candidates.ts";
import type { Compared } from "./comparison.ts";
import type { PreparedQuery } from "./preparedQuery.ts";

/** Returns the companies with a number of the query, one name each. */
export function companiesByNumber(
  indexes: readonly NameIndex[],
  { fields: { kvkNumber, rsin, vatNumber } }: PreparedQuery,
  factsOf: (kvkNumber: KvkNumber) => CompanyFacts | undefined,
): NameCandidate[] {
  const found = new Map<number, NameCandidate>();
  const rsins = [rsin, vatNumber === undefined ? undefined : rsinOfVatNumber(vatNumber)];
  for (const index of indexes) {
    const rank = kvkNumber === undefined ? undefined : index.numbers.rankOf(Number(kvkNumber));
    if (kvkNumber !== undefined && rank !== undefined && index.isShown(rank))
      found.set(Number(kvkNumber), mainName(index, rank));
    for (const one of rsins) {
      if (one === undefined) continue;
      for (const same of index.withRsin(one)) {
        const kvk = index.records.kvk(same);
        if (factsOf(kvkNumberOf(kvk))?.rsin === one) found.set(kvk, mainName(index, same));
      }
    }
  }
  return [...found.values()];
}

const mainName = (index: NameIndex, rank: number) => ({ index, rank, text: index.records.text(rank) });

/** The RSIN in the VAT number of a legal person. */
function rsinOfVatNumber(vatNumber: string): string | undefined {
  return /^NL([0-9]{9})B[0-9]{2}$/.exec(vatNumber)?.[1];
}

/** The share of the names below which a company with the right number has another name. */
const MIN_NAME_SHARE = 0.3;

export function contradictsName({ name }: PreparedQuery, { nameShare, evidence }: Compared): boolean {
  return (
    name !== undefined &&
    nameShare !== undefined &&
    nameShare < MIN_NAME_SHARE &&
    evidence.initials === undefined
  );
}
