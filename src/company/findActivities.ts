/** Finds SBI codes by words of their descriptions, or by their first digits. */
import { SBI_VERSIONS, type SbiVersion } from "../contract/activities.ts";
import { inSteps, type Steps } from "../lib/steps.ts";
import { sbiCodes } from "./sbi.ts";

export interface FoundActivity {
  readonly sbiCode: string;
  readonly sbiVersion: SbiVersion;
  readonly description: string;
}

/** A code in one version. The words of a text are surrounded by spaces. */
interface Listed extends FoundActivity {
  readonly text: string;
  /** With the texts of the groups that it belongs to. */
  readonly groupText: string;
  /** It has codes below it, so no company has it. */
  readonly isGroup: boolean;
}

const IN_A_STEP = 200;
/** The shortest code of a group whose words also find the codes in it. */
const MIN_GROUP_DIGITS = 3;

let listed: Promise<readonly Listed[]> | undefined;

/** The best matches: every word in the description, the last one possibly a beginning; then by words of groups. */
export async function findActivities(
  q: string,
  { sbiVersion, limit }: { readonly sbiVersion: SbiVersion | undefined; readonly limit: number },
): Promise<FoundActivity[]> {
  listed ??= inSteps(listAll());
  const all = (await listed).filter((one) => sbiVersion === undefined || one.sbiVersion === sbiVersion);
  const digits = /^[\d.\s]+$/.test(q) ? q.replace(/\D/g, "") : "";
  const words = [...new Set(wordsOf(q))];
  const tierOf = (one: Listed) =>
    digits === "" ? wordTier(one, words) : one.sbiCode.startsWith(digits) ? 0 : undefined;
  return all
    .flatMap((one) => {
      const tier = tierOf(one);
      return tier === undefined ? [] : [{ one, rank: tier * 2 + Number(one.isGroup) }];
    })
    .sort((a, b) => a.rank - b.rank)
    .slice(0, limit)
    .map(({ one: { sbiCode, sbiVersion, description } }) => ({ sbiCode, sbiVersion, description }));
}

/** 0 for the words themselves, 1 if the last word begins one, 2 with the words of groups; otherwise undefined. */
function wordTier({ text, groupText }: Listed, words: readonly string[]): number | undefined {
  const last = words.at(-1);
  if (last === undefined) return undefined;
  const hasWords = (where: string) => words.slice(0, -1).every((word) => where.includes(` ${word} `));
  if (hasWords(text) && text.includes(` ${last}`)) return text.includes(` ${last} `) ? 0 : 1;
  return hasWords(groupText) && groupText.includes(` ${last}`) ? 2 : undefined;
}

function wordsOf(text: string): string[] {
  const folded = text.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase();
  return folded.match(/[\p{L}\p{N}]+/gu) ?? [];
}

/** All codes in all versions: the newest version first, then by code. */
function* listAll(): Steps<Listed[]> {
  const found: Listed[] = [];
  let done = 0;
  for (const sbiVersion of SBI_VERSIONS.toReversed()) {
    const texts = new Map<string, string>();
    for (const { sbiCode, texts: own, english } of sbiCodes().values()) {
      const description = own[sbiVersion];
      if (description === undefined) continue;
      const words = wordsOf(sbiVersion === "2025" ? `${description} ${english ?? ""}` : description);
      const text = ` ${words.join(" ")} `;
      texts.set(sbiCode, text);
      const groups = Array.from({ length: sbiCode.length }, (_, digits) => sbiCode.slice(0, digits));
      const above = groups.slice(MIN_GROUP_DIGITS).map((group) => texts.get(group) ?? "");
      found.push({
        ...{ sbiCode, sbiVersion, description, text, isGroup: false },
        groupText: [...above, text].join(""),
      });
      if (++done % IN_A_STEP === 0) yield;
    }
  }
  return found.map((one, at) => ({
    ...one,
    isGroup: found[at + 1]?.sbiCode.startsWith(one.sbiCode) === true,
  }));
}
