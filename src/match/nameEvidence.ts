import type { LegalForm } from "../contract/legalForms.ts";
import { normalise } from "../search/normalise.ts";
import { STOP_WORDS } from "../search/spellingVariants.ts";
import { type AlignableQuery, align, type Relation } from "./alignment.ts";
import type { Evidence } from "./evidence.ts";
import { groupOfForm, isShortForm, type NameParts } from "./nameParts.ts";
import type { PreparedQuery } from "./preparedQuery.ts";

/** A name in the registry, with the facts that explain its words. */
interface RegisteredName {
  readonly parts: NameParts;
  readonly legalForm: LegalForm | undefined;
  readonly city: string;
  /** The number of names in the registry. */
  readonly registryNames: number;
}

/** Words that distinguish companies of one group, which otherwise have the same name. */
const GROUP_WORDS = new Set(
  "holding holdings beheer groep group management beleggingen beleggingsmaatschappij participaties participatie administratiekantoor stak vastgoed onroerend pensioenfonds pensioen investments invest exploitatie services service trading ventures capital finance international products production operations".split(
    " ",
  ),
);
/** Words for a country or a part of one. */
const PLACE_WORDS = new Set(
  "nederland nederlandse netherlands holland dutch benelux belgie europe european europa emea international nl eu noord zuid oost west".split(
    " ",
  ),
);
/** Bounds that keep one word from deciding alone, nats. */
const MAX_MISSING = 9;
const MAX_MISSING_IN_ALL = 18;
const MAX_SURPLUS = 8;
const MIN_CHANCE = -12;
const MAX_SHORT_TYPO_LENGTH = 5;
/** Shorter words of a city's name, such as `aan` and `den`, are also words of other names. */
const MIN_CITY_WORD_LENGTH = 4;

/** The last letters of a cut name may be the beginning of a legal form: `Coöperatief U.` */
const MAX_CUT_FORM_LENGTH = 2;

/** The share of its information that a matched word keeps; for typos see {@link keptBy}. */
const KEPT: Readonly<Record<Exclude<Relation, "oneEdit" | "twoEdits">, number>> = {
  equal: 1,
  joined: 1,
  variant: 0.9,
  short: 0.7,
  initials: 0.3,
};

/** A typo in a long word leaves more of its information. */
function keptBy(relation: Relation, letters: number): number {
  if (relation === "oneEdit") return 1 - 1 / letters;
  return relation === "twoEdits" ? 1 - 2 / letters : KEPT[relation];
}

/**
 * Compares the name of a query with a registered one. Words count by their information, which is higher for rarer words (Winkler's frequency
 * weights): `Bakkerij` proves little, `Korenaar` much.
 */
export function nameEvidence(
  query: AlignableQuery,
  registered: RegisteredName,
  { informationOf, fields }: Pick<PreparedQuery, "informationOf" | "fields">,
): Evidence & { readonly share: number } {
  const name = registered.parts;
  const { matches, unmatchedQuery, unmatchedName, isInOrder } = align(query, name);
  const evidence: Evidence = {};
  // The information of the words of the registered name that were found: as matched, and in full.
  let [shared, whole] = [0, 0];
  for (const { relation, name: positions } of matches) {
    const words = positions.map((at) => name.words[at] ?? "");
    const information = sum(words.map(informationOf));
    whole += information;
    shared += keptBy(relation, words.join("").length) * information;
    addRelation(evidence, relation, words);
  }

  const cityWords = new Set(normalise(registered.city).split(" "));
  const queryCityWords = new Set(normalise(fields.city ?? "").split(" "));
  const unmatched = unmatchedQuery.map((at) => query.words[at] ?? "");
  if (unmatched.some((word) => cityWords.has(word))) evidence.cityInName = 1;
  const cutWord = query.isCut ? query.words.at(-1) : undefined;
  const onlyInQuery = unmatched.filter(
    (word) =>
      !cityWords.has(word) &&
      !isShortForm(word, name.form) &&
      !(word === cutWord && word.length <= MAX_CUT_FORM_LENGTH),
  );

  const end = query.isCut && onlyInQuery.length === 0 && isInOrder ? lastOf(matches) : name.words.length;
  const isCity = (word: string) =>
    queryCityWords.has(word) || (cityWords.has(word) && word.length >= MIN_CITY_WORD_LENGTH);
  const wordsAt = (positions: readonly number[]) => positions.map((at) => name.words[at] ?? "");
  const beforeEnd = wordsAt(unmatchedName.filter((at) => at <= end)).filter(
    (word) => !isShortForm(word, query.form),
  );
  const onlyInName = beforeEnd.filter((word) => !isCity(word));
  if (onlyInName.length < beforeEnd.length) evidence.placeInName = 1;
  const cutOff = sum(wordsAt(unmatchedName.filter((at) => at > end)).map(informationOf));
  if (cutOff > 0) evidence.cutOff = Math.min(cutOff, MAX_MISSING_IN_ALL);

  const isOther = (word: string) => !STOP_WORDS.has(word);
  const stopWords = [...onlyInQuery, ...onlyInName].filter((word) => STOP_WORDS.has(word)).length;
  if (stopWords > 0) evidence.stopWords = stopWords;
  if (onlyInQuery.some((word) => GROUP_WORDS.has(word))) evidence.groupInQuery = 1;
  if (onlyInName.some((word) => GROUP_WORDS.has(word))) evidence.groupInName = 1;
  if (onlyInQuery.some((word) => PLACE_WORDS.has(word))) evidence.placeInQuery = 1;
  if (onlyInName.some((word) => PLACE_WORDS.has(word))) evidence.placeInName = 1;
  if ([...onlyInQuery, ...onlyInName].some((word) => /[0-9]/.test(word))) evidence.number = 1;

  const missing = (words: readonly string[]) =>
    sum(words.map((word) => Math.min(informationOf(word), MAX_MISSING)));
  const [missingInName, missingInQuery] = [
    missing(onlyInQuery.filter(isOther)),
    missing(onlyInName.filter(isOther)),
  ];
  evidence.missingInName = Math.min(missingInName, MAX_MISSING_IN_ALL);
  evidence.missingCount = onlyInQuery.length + onlyInName.length - stopWords;

  const areEqual = matches.every(({ relation }) => relation === "equal");
  if (evidence.missingCount + stopWords === 0 && isInOrder && areEqual) evidence.sameWords = 1;
  if (query.normal === name.normal) evidence.sameName = 1;
  if (!isInOrder) evidence.order = 1;
  const surplus = shared - Math.log(registered.registryNames);
  evidence.chance = Math.max(MIN_CHANCE, Math.min(0, surplus));
  evidence.surplus = Math.min(MAX_SURPLUS, Math.max(0, surplus));
  const share = (2 * shared) / Math.max(1e-9, 2 * whole + missingInName + missingInQuery);
  return { ...evidence, ...formEvidence(query, registered), share };
}

function addRelation(evidence: Evidence, relation: Relation, words: readonly string[]): void {
  if (relation === "equal" || words.every((word) => STOP_WORDS.has(word))) return;
  // A list that abbreviates one word abbreviates others too.
  evidence[relation] = relation === "variant" ? 1 : (evidence[relation] ?? 0) + 1;
  const isTypo = relation === "oneEdit" || relation === "twoEdits";
  if (isTypo && (words[0]?.length ?? 0) <= MAX_SHORT_TYPO_LENGTH) {
    evidence.shortTypo = (evidence.shortTypo ?? 0) + 1;
  }
}

/** Compares the legal forms. One that the registered name does not state may be known all the same. */
function formEvidence({ form }: NameParts, { parts, legalForm }: RegisteredName): Evidence {
  const registeredForm = parts.form ?? groupOfForm(legalForm);
  if (form !== undefined && registeredForm !== undefined && form !== registeredForm) return { otherForm: 1 };
  return form === parts.form ? {} : { missingForm: 1 };
}

function lastOf(matches: readonly { readonly name: readonly number[] }[]): number {
  return Math.max(...matches.flatMap(({ name }) => name));
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}
