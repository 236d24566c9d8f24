import { LEGAL_FORM_CODES } from "../../contract/legalForms.ts";
import { postalCodeWord } from "../facets.ts";
import { exactKeys } from "../legalWords.ts";
import {
  hashOfKey,
  indexedNames,
  knownCityWord,
  knownFormWord,
  knownSbiWord,
  scoreOfName,
  sizeBonus,
} from "../names.ts";
import { larger, textAt } from "./bytes.ts";
import { type CompanySpans, type IndexedCompany, SpansOfTexts, textsAt } from "./companySpans.ts";
import { codeWord } from "./dictionary.ts";
import { GrowingBytes, GrowingU32 } from "./growing.ts";
import { NameParts } from "./nameParts.ts";
import { NamesInBytes } from "./namesInBytes.ts";
import { BESIDE } from "./nameWords.ts";
import { writePostalCodeWord } from "./postalCodeBytes.ts";
import { rankClass } from "./rankClasses.ts";
import { NAME_FLAGS } from "./records.ts";
import { NO_TEXT } from "./sharedTexts.ts";
import { buffersOf, type TextList, TextListBuilder, TextsWithWord } from "./textList.ts";

/** The names of some companies, split into words: all that an index needs of them, in a form that threads can hand on. */
export interface NameBatch {
  readonly companies: number;
  /** Each word of this batch, coded. */
  readonly words: TextList;
  /** Texts that stand for many names each once, in the order in which they came, and of each the place of the word that stands for it, from 1; 0 for none. */
  readonly cities: TextList;
  readonly cityWords: Uint32Array<ArrayBuffer>;
  readonly postalCodes: TextList;
  readonly postalWords: Uint32Array<ArrayBuffer>;
  /** The names as they are shown, one behind the other, in UTF-8. */
  readonly texts: Uint8Array<ArrayBuffer>;
  /**
   * Of each company: how many numbers follow, how long its texts are together, KVK number, city and postal code (places in their lists
   * from 1; {@link NO_TEXT} for none), legal form, how many facets and their words, how many names; and of each of these the length of
   * its text, rank class, flags, how many words and these (those beside with {@link BESIDE}), how many keys and their hashes.
   */
  readonly numbers: Uint32Array<ArrayBuffer>;
}

/** What a message may hand over instead of copying it. */
export function transferableOf(batch: NameBatch): ArrayBuffer[] {
  const { words, cities, cityWords, postalCodes, postalWords, texts, numbers } = batch;
  const alone = [cityWords, postalWords, texts, numbers].map(({ buffer }) => buffer);
  return [...[words, cities, postalCodes].flatMap(buffersOf), ...alone];
}

const NO_PLACE = 0xffffffff;

/** Splits the names of companies into words: most of the work of indexing, which threads can share. */
export class NameSplitter {
  companies = 0;
  readonly #parts = new NameParts();
  readonly #names = new NamesInBytes(this.#parts);
  /** The place in the batch of each word that `#parts` has a number for; {@link NO_PLACE} for one that was not used in it. */
  #places = new Uint32Array(1 << 12).fill(NO_PLACE);
  readonly #words = new TextListBuilder();
  /** The places in the batch of words that stand for what is asked beside names. */
  readonly #facets = new Map<string, number>();
  readonly #cities = new TextsWithWord();
  readonly #postalCodes = new TextsWithWord();
  readonly #texts = new GrowingBytes();
  readonly #numbers = new GrowingU32();
  readonly #spans = new SpansOfTexts();
  readonly #scratch = Buffer.alloc(1 << 10);

  add(company: IndexedCompany): void {
    this.addSpans(this.#spans.of(company));
  }

  addSpans(company: CompanySpans): void {
    const numbers = this.#numbers;
    const start = numbers.length;
    numbers.push(0);
    numbers.push(0);
    numbers.push(company.kvk);
    const city = this.#placeOfCity(company);
    const postalCode = this.#placeOfPostalCode(company);
    numbers.push(city);
    numbers.push(postalCode);
    numbers.push(company.form);
    this.#addFacets(company, this.#cities.wordOf(city), this.#postalCodes.wordOf(postalCode));
    const textsBefore = this.#texts.length;
    if (this.#names.find(company.bytes, company.names)) this.#addFound(company);
    else this.#addRead(company);
    numbers.set(start + 1, this.#texts.length - textsBefore);
    numbers.set(start, numbers.length - start - 1);
    this.companies++;
  }

  /** What was added since the last time. */
  take(): NameBatch {
    const cities = this.#cities.take();
    const postalCodes = this.#postalCodes.take();
    const batch = {
      companies: this.companies,
      words: this.#words.take(),
      cities: cities.texts,
      cityWords: cities.words,
      postalCodes: postalCodes.texts,
      postalWords: postalCodes.words,
      texts: this.#texts.view().slice(),
      numbers: this.#numbers.view().slice(),
    };
    this.companies = 0;
    this.#texts.length = 0;
    this.#numbers.length = 0;
    this.#facets.clear();
    this.#places.fill(NO_PLACE);
    this.#parts.forgetIfMany();
    return batch;
  }

  /** @param city and `postalCode`: one more than the place of the word that stands for it; 0 for none */
  #addFacets({ form, sbiCodes }: CompanySpans, city: number, postalCode: number): void {
    const numbers = this.#numbers;
    const countAt = numbers.length;
    numbers.push(0);
    if (city !== 0) numbers.push(city - 1);
    if (postalCode !== 0) numbers.push(postalCode - 1);
    const code = LEGAL_FORM_CODES[form - 1];
    if (code !== undefined) numbers.push(this.#placeOfFacet(knownFormWord(code)));
    for (const sbiCode of sbiCodes) {
      const word = knownSbiWord(sbiCode);
      if (word !== undefined) numbers.push(this.#placeOfFacet(word));
    }
    numbers.set(countAt, numbers.length - countAt - 1);
  }

  #addFound({ bytes, isActive, size }: CompanySpans): void {
    const numbers = this.#numbers;
    const names = this.#names;
    const bonus = sizeBonus(size);
    numbers.push(names.count);
    for (let nth = 0; nth < names.count; nth++) {
      const { from, to, wordsFrom, wordsTo, keyLength, hashes, beside } = names.at(nth);
      this.#texts.append(bytes, from, to);
      numbers.push(to - from);
      numbers.push(rankClass(isActive, scoreOfName(keyLength, bonus), nth === 0));
      numbers.push((nth === 0 ? NAME_FLAGS.own : 0) | (names.count === 1 ? NAME_FLAGS.only : 0));
      numbers.push(wordsTo - wordsFrom + beside.length);
      const { words } = names.read;
      for (let at = wordsFrom; at < wordsTo; at++) numbers.push(this.#placeOf(words[at] ?? 0));
      for (const word of beside) numbers.push((this.#placeOf(word) | BESIDE) >>> 0);
      numbers.push(hashes.length);
      for (const hash of hashes) numbers.push(hash);
    }
  }

  /** Adds names as they are read letter by letter: those that bytes alone do not tell. */
  #addRead({ bytes, names: places, isActive, size }: CompanySpans): void {
    const numbers = this.#numbers;
    const [name = "", ...others] = textsAt(bytes, places);
    const names = indexedNames({ name, tradingNames: others, employees: { total: size } });
    numbers.push(names.length);
    for (const { text, normal, words, key, beside, score } of names) {
      const isOwn = text === undefined;
      numbers.push(this.#texts.write(text ?? name));
      numbers.push(rankClass(isActive, score, isOwn));
      numbers.push((isOwn ? NAME_FLAGS.own : 0) | (names.length === 1 ? NAME_FLAGS.only : 0));
      numbers.push(words.length + beside.size);
      for (const word of words) numbers.push(this.#placeOf(this.#parts.numberOf(word)));
      for (const word of beside) numbers.push((this.#placeOf(this.#parts.numberOf(word)) | BESIDE) >>> 0);
      const keys = exactKeys(normal, key);
      numbers.push(keys.length);
      for (const one of keys) numbers.push(hashOfKey(one));
    }
  }

  #placeOf(word: number): number {
    const known = this.#places[word] ?? NO_PLACE;
    if (known !== NO_PLACE) return known;
    const { bytes, starts, hashes } = this.#parts.words;
    const place = this.#words.push(bytes, starts[word] ?? 0, starts[word + 1] ?? 0, hashes[word]);
    if (word >= this.#places.length) {
      const before = this.#places.length;
      this.#places = larger(this.#places, 2 * this.#parts.words.count);
      this.#places.fill(NO_PLACE, before);
    }
    this.#places[word] = place;
    return place;
  }

  #placeOfFacet(word: string): number {
    const known = this.#facets.get(word);
    if (known !== undefined) return known;
    const coded = Buffer.from(codeWord(word));
    const place = this.#words.push(coded, 0, coded.length);
    this.#facets.set(word, place);
    return place;
  }

  #placeOfCity({ bytes, cityFrom, cityTo }: CompanySpans): number {
    if (cityFrom === cityTo) return NO_TEXT;
    const cities = this.#cities;
    const place = cities.placeOf(bytes, cityFrom, cityTo);
    if (place < cities.worded) return place + 1;
    const word = knownCityWord(textAt(bytes, cityFrom, cityTo));
    cities.addWord(word === undefined ? 0 : this.#placeOfFacet(word) + 1);
    return place + 1;
  }

  #placeOfPostalCode({ bytes, postalFrom, postalTo }: CompanySpans): number {
    if (postalFrom === postalTo) return NO_TEXT;
    const postalCodes = this.#postalCodes;
    const place = postalCodes.placeOf(bytes, postalFrom, postalTo);
    if (place < postalCodes.worded) return place + 1;
    const length = writePostalCodeWord(bytes, postalFrom, postalTo, this.#scratch);
    if (length > 0) postalCodes.addWord(this.#words.push(this.#scratch, 0, length) + 1);
    else {
      const word = postalCodeWord(textAt(bytes, postalFrom, postalTo));
      postalCodes.addWord(word === undefined ? 0 : this.#placeOfFacet(word) + 1);
    }
    return place + 1;
  }
}
