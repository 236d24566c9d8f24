import type { LegalForm } from "../contract/legalForms.ts";
import { LEGAL_FORM_WORDS } from "../search/legalFormWords.ts";
import { normalise } from "../search/normalise.ts";
import { STOP_WORDS } from "../search/spellingVariants.ts";
import { type AlignableQuery, align, type Relation, type WordMatch } from "./alignment.ts";
import type { Evidence } from "./evidence.ts";
import {
  isBusinessWord,
  isCountryWord,
  isGroupWord,
  isNumberingLetter,
  isNumeral,
  isPartOfCountry,
} from "./familyWords.ts";
import { groupOfForm, isConversion, isShortForm, type NameParts } from "./nameParts.ts";
import type { PreparedQuery } from "./preparedQuery.ts";

/** A name in the registry, with the facts that explain its words. */
interface RegisteredName {
  readonly parts: NameParts;
  readonly legalForm: LegalForm | undefined;
  readonly city: string;
  /** The number of names in the registry. */
  readonly registryNames: number;
}

/** Evidence that a name is that of another member of a family. */
const SETS_APART = ["groupInQuery", "placeInQuery", "number", "otherForm"] as const;
/** Bounds that keep one word from deciding alone, nats. */
const MAX_MISSING = 9;
const MAX_MISSING_IN_ALL = 18;
const MAX_SURPLUS = 8;
const MIN_CHANCE = -12;
const MAX_SHORT_TYPO_LENGTH = 5;
/** A word that no name has is more informative than others by more than this, nats. */
const KNOWN = 0.5;
/** A word that one name has, and a word that stands for a more common one: nats. */
const SINGLE = Math.log(2) + 1e-9;
const MUCH_RARER = Math.log(10);
/** In a name of so many letters a typo may also be a word that other names have. */
const MIN_LONG_NAME = 12;
const MIN_TYPO_NAME = 5;
/** Shorter words of a city's name, such as `aan` and `den`, are also words of other names. */
const MIN_CITY_WORD_LENGTH = 4;

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
 * How a registered name fits the query's. `whole`: they are equal, legal form included, or the query states none.
 * `near`: what differs may be a spelling. `longer`: it has more words. `around`: the query has more words before the
 * name or behind its legal form. `apart`: words, numbers, letters, places or legal forms tell them apart, as the
 * members of a family.
 */
export type NameFit = "whole" | "near" | "longer" | "around" | "apart";

export interface NameComparison {
  /** 0 to 1: how much of both names is shared, typos included. */
  readonly share: number;
  readonly fit: NameFit;
  /** Whether the name has all words of the query, and more behind them. */
  readonly isExtended: boolean;
  /** Whether the names are equal but for the company's city in the query. */
  readonly lacksCity: boolean;
  /**
   * Whether an abbreviation without a dot, or a typo in so short a name or one that is a word of other names, may be
   * another name.
   */
  readonly isUnsureWord: boolean;
}

/**
 * Compares the name of a query with a registered one. Words count by their information, which is higher for rarer words
 * (Winkler's frequency weights): `Bakkerij` proves little, `Korenaar` much.
 */
export function nameEvidence(
  query: AlignableQuery,
  registered: RegisteredName,
  { informationOf, isPlace, fields }: Pick<PreparedQuery, "informationOf" | "isPlace" | "fields">,
): { readonly evidence: Evidence; readonly compared: NameComparison } {
  const name = registered.parts;
  const { matches, unmatchedQuery, unmatchedName, isInOrder } = align(query, name, (short, long) => {
    const information = informationOf(short);
    return information >= informationOf("") - SINGLE || information - informationOf(long) >= MUCH_RARER;
  });
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
  const queryWord = (at: number) => query.words[at] ?? "";
  // Before the legal form a city is a part of the name: `Jansen Breda B.V.`.
  const mayAddCity = !query.endsWithForm;
  const isAddedCity = (at: number) => mayAddCity && cityWords.has(queryWord(at));
  if (unmatchedQuery.some(isAddedCity)) evidence.cityInName = 1;
  const cutWord = query.isCut ? query.words.at(-1) : undefined;
  // The last letters of a cut name may be the beginning of a legal form: `Coöperatief U.`
  const formWord = name.normal.slice(name.normal.lastIndexOf(" ") + 1);
  const positionsInQuery = unmatchedQuery.filter((at) => {
    const word = queryWord(at);
    const isCutForm = word === cutWord && name.endsWithForm && formWord.startsWith(word);
    return !isAddedCity(at) && !isShortForm(word, name.form) && !isCutForm;
  });
  const onlyInQuery = positionsInQuery.map(queryWord);

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
  const isTown = (word: string) => isPartOfCountry(word) || isPlace(word);
  const isAnyPlace = (word: string) => isCountryWord(word) || isTown(word);
  const cutOffWords = wordsAt(unmatchedName.filter((at) => at > end));
  const isAnyGroupWord = (word: string) => isGroupWord(word) || isBusinessWord(word);
  const lacking = query.isFieldWidth ? onlyInName : [...onlyInName, ...cutOffWords];
  if (onlyInQuery.some(isAnyGroupWord)) evidence.groupInQuery = 1;
  if (lacking.some(isAnyGroupWord)) evidence.groupInName = 1;
  if (onlyInQuery.some(isAnyPlace)) evidence.placeInQuery = 1;
  if (onlyInName.some(isAnyPlace)) evidence.placeInName = 1;
  const isNumberAt = (words: readonly string[]) => (at: number) =>
    isNumeral(words[at] ?? "") || isNumberingLetter(words, at);
  if (positionsInQuery.some(isNumberAt(query.words)) || unmatchedName.some(isNumberAt(name.words)))
    evidence.number = 1;

  const missing = (words: readonly string[]) =>
    sum(words.map((word) => Math.min(informationOf(word), MAX_MISSING)));
  const [missingInName, missingInQuery] = [
    missing(onlyInQuery.filter(isOther)),
    missing(onlyInName.filter(isOther)),
  ];
  evidence.missingInName = Math.min(missingInName, MAX_MISSING_IN_ALL);
  evidence.missingCount = onlyInQuery.length + onlyInName.length - stopWords;

  const areEqual = isInOrder && matches.every(({ relation }) => relation === "equal");
  if (evidence.missingCount + stopWords === 0 && areEqual) evidence.sameWords = 1;
  if (query.normal === name.normal) evidence.sameName = 1;
  if (!isInOrder) evidence.order = 1;
  const surplus = shared - Math.log(registered.registryNames);
  evidence.chance = Math.max(MIN_CHANCE, Math.min(0, surplus));
  evidence.surplus = Math.min(MAX_SURPLUS, Math.max(0, surplus));
  evidence.share = (2 * shared) / Math.max(1e-9, 2 * whole + missingInName + missingInQuery);
  Object.assign(evidence, formEvidence(query, registered));

  const extra = positionsInQuery.filter(
    (at) => isOther(queryWord(at)) && !LEGAL_FORM_WORDS.has(queryWord(at)),
  );
  const isExtended =
    extra.length === 0 &&
    isInOrder &&
    beforeEnd.some(isOther) &&
    unmatchedName.every((at) => at > lastOf(matches) || STOP_WORDS.has(name.words[at] ?? ""));
  const lacksCity =
    areEqual && unmatchedName.length === 0 && unmatchedQuery.every((at) => cityWords.has(queryWord(at)));
  const letters = name.words.join("").length;
  const isTypo = ({ relation }: WordMatch) => relation === "oneEdit" || relation === "twoEdits";
  const isKnown = ({ query: [at = 0] }: WordMatch) =>
    informationOf(queryWord(at)) < Math.log(registered.registryNames) - KNOWN;
  const isUnsureWord = matches.some(
    (one) =>
      one.isVague === true || (isTypo(one) && letters < (isKnown(one) ? MIN_LONG_NAME : MIN_TYPO_NAME)),
  );
  const isOtherTown = (one: WordMatch) =>
    isTypo(one) && isKnown(one) && (one.query.map(queryWord).some(isTown) || wordsAt(one.name).some(isTown));
  const isLetterOrNumber = ({ relation, query: [at = 0], name: [to = 0] }: WordMatch) =>
    (relation === "initials" && (isNumberingLetter(query.words, at) || isNumberingLetter(name.words, to))) ||
    (relation === "variant" && isNumeral(queryWord(at)));
  const nameFit = (): NameFit => {
    const isOtherForm = evidence.otherForm ?? evidence.convertedForm ?? evidence.missingForm;
    const areWhole = areEqual && unmatchedQuery.length + unmatchedName.length === 0;
    if (evidence.sameName || (areWhole && (query.form === undefined || isOtherForm === undefined)))
      return "whole";
    if (
      SETS_APART.some((one) => evidence[one] !== undefined) ||
      matches.some((one) => isLetterOrNumber(one) || isOtherTown(one))
    )
      return "apart";
    if (lacking.some(isGroupWord) || onlyInName.some(isTown) || onlyInName.length < beforeEnd.length)
      return "apart";
    if (extra.length === 0) return onlyInName.some(isOther) ? "longer" : "near";
    const first = Math.min(...matches.flatMap(({ query: positions }) => positions));
    const form = query.words.findIndex((word, at) => at > first && LEGAL_FORM_WORDS.has(word));
    const isAround = extra.every((at) => at < first || (form !== -1 && at > form));
    return isAround && !onlyInName.some(isOther) ? "around" : "apart";
  };
  return {
    evidence,
    compared: { share: evidence.share, fit: nameFit(), isExtended, lacksCity, isUnsureWord },
  };
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
function formEvidence({ form, normal }: NameParts, { parts, legalForm }: RegisteredName): Evidence {
  const initialOfForm = (name: string) => name[name.lastIndexOf(" ") + 1];
  if (form === "foreign" && parts.form === form && initialOfForm(normal) !== initialOfForm(parts.normal))
    return { otherForm: 1 };
  const registered = [parts.form, groupOfForm(legalForm)].filter((one) => one !== undefined);
  if (form !== undefined && registered.length > 0 && !registered.includes(form))
    return registered.some((one) => isConversion(form, one)) ? { convertedForm: 1 } : { otherForm: 1 };
  return form === parts.form ? {} : { missingForm: 1 };
}

function lastOf(matches: readonly { readonly name: readonly number[] }[]): number {
  return Math.max(...matches.flatMap(({ name }) => name));
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}
