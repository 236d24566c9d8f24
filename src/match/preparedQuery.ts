import { parsePostalCode } from "../company/address.ts";
import { cityWord } from "../search/facets.ts";
import type { NameIndex } from "../search/index/nameIndex.ts";
import { type AlignableQuery, alignableQuery } from "./alignment.ts";
import { cleanName } from "./cleanName.ts";
import type { NameKnowledge } from "./name/knowledge.ts";
import type { NameReading } from "./name/reading.ts";
import { nameParts } from "./nameParts.ts";
import type { MatchQuery } from "./types.ts";

/** A query with everything that is computed once for all candidates. */
export interface PreparedQuery {
  readonly fields: MatchQuery;
  readonly name: AlignableQuery | undefined;
  /** How the name is read: as it stands, cleaned, or in another way. */
  readonly reading: Pick<NameReading, "whole" | "text"> & Partial<NameReading>;
  /** See facets.ts; undefined without a city. */
  readonly cityWord: string | undefined;
  /** `1234 AB` */
  readonly postalCode: string | undefined;
  /** As sent. */
  readonly houseNumber: string | undefined;
  /** The information of a word of a name in nats: -ln of its share of the names in the registry. */
  readonly informationOf: (word: string) => number;
  /** Whether a word is the name of a city of the registry. */
  readonly isPlace: (word: string) => boolean;
}

/** Knowledge about words from the registry. */
export type WordKnowledge = Pick<PreparedQuery, "informationOf" | "isPlace">;

export function prepareQuery(
  fields: MatchQuery,
  { isName }: Pick<NameKnowledge, "isName">,
  words: WordKnowledge,
): PreparedQuery {
  const { name = "" } = fields;
  const text = isName(name) ? name : cleanName(name);
  const parts = nameParts(text);
  return {
    fields,
    reading: { whole: fields.name ?? "", text },
    name: parts.words.length === 0 ? undefined : alignableQuery(parts, text),
    cityWord: fields.city === undefined ? undefined : cityWord(fields.city),
    postalCode: fields.postalCode === undefined ? undefined : parsePostalCode(fields.postalCode),
    houseNumber: fields.houseNumber,
    ...words,
  };
}

/** Returns whether a word is a city of some indexes. */
export function isCityOf(indexes: readonly NameIndex[]): (word: string) => boolean {
  return (word) => {
    const facet = cityWord(word);
    return facet !== undefined && indexes.some((index) => index.hasCity(facet));
  };
}

/** Returns the same query with its name read in another way. */
export function withReading(query: PreparedQuery, reading: PreparedQuery["reading"]): PreparedQuery {
  return { ...query, name: alignableQuery(nameParts(reading.text), reading.text), reading };
}

/** Returns the information of a word in some indexes; see {@link PreparedQuery}. */
export function wordInformation(indexes: readonly NameIndex[]): (word: string) => number {
  const names = indexes.reduce((sum, index) => sum + index.names, 0);
  return (word) => {
    const count = indexes.reduce((sum, index) => sum + index.wordTerm(index.exactWord(word)).maxNames, 0);
    return Math.log((names + 1) / (count + 1));
  };
}
