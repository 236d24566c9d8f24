import type { Activity } from "../../contract/resources.ts";
import { lettersIn, textAt } from "../../search/index/bytes.ts";
import { ByteTable } from "../../search/index/byteTable.ts";
import { type CompanySpans, emptySpans } from "../../search/index/companySpans.ts";
import type { GrowingBytes, GrowingU32 } from "../../search/index/growing.ts";
import { FLAGS } from "../codec.ts";
import { writeBranches } from "./branchBytes.ts";
import {
  type ActivitySpans,
  type FactsSpans,
  isSameText,
  isThere,
  numberAt,
  type Span,
} from "./factsSpans.ts";

type Kind = Omit<Activity, "isMain">;

interface Target {
  readonly texts: GrowingBytes;
  readonly numbers: GrowingU32;
  readonly placeOfKind: (kind: Kind) => number;
}

/** Kinds of activities that are known by their bytes; when there are more, all are forgotten. */
const MOST_KINDS = 1 << 14;
const NO_PLACE = -1;

const literal = (text: string): Uint8Array => Buffer.from(text);
const NULL = literal("null");
const COMMA = 0x2c;
const OPEN_ARRAY = 0x5b;
const CLOSE_ARRAY = 0x5d;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;

/** The keys of the column `rest`, each as it stands before its value; see codec.ts. */
const REST = {
  tradingNames: literal('"t":'),
  statutoryName: literal('"s":'),
  sameName: literal('"s":1'),
  rsin: literal('"r":'),
  vatNumber: literal('"v":'),
  mailing: literal('"n":0'),
  nonMailing: literal('"n":1'),
  employees: literal('"e":'),
  mainBranchNumber: literal('"m":'),
  branchCount: literal('"c":'),
  websites: literal('"w":'),
  deregistrationDate: literal('"d":'),
} as const;

/** Packs facts by where they stand in a line, byte by byte, as `FactsPacker` packs them by their texts: to the same rows. */
export class SpansPacker {
  readonly #target: Target;
  readonly #kinds = new ByteTable();
  readonly #kindOf: { readonly kind: Kind; place: number }[] = [];
  readonly #names = emptySpans(new Uint8Array(0));

  constructor(target: Target) {
    this.#target = target;
  }

  /** @param origin its place in the batch */
  add(facts: FactsSpans, origin: number): void {
    const { numbers } = this.#target;
    const { address } = facts;
    numbers.push(facts.kvk);
    numbers.push(flagsOf(facts));
    numbers.push(origin);
    numbers.push(facts.branches.count);
    this.#addText(facts, facts.name);
    this.#addText(facts, address.street);
    this.#addText(facts, address.houseNumber);
    this.#addText(facts, address.postalCode);
    this.#addText(facts, address.city);
    this.#addText(facts, facts.country);
    this.#addText(facts, facts.registrationDate);
    this.#addText(facts, facts.legalForm);
    this.#addMade(facts, () => this.#writeRest(facts));
    if (facts.hasBranches) this.#addMade(facts, () => writeBranches(this.#target.texts, facts));
    else numbers.push(0);
    this.#addActivities(facts);
  }

  /** What the index of names needs of the same facts, once they were added; it holds until the next are. */
  namesOf(facts: FactsSpans): CompanySpans {
    const names = this.#names;
    const { name, statutoryName, eachTradingName, address, activities, bytes } = facts;
    names.bytes = bytes;
    names.kvk = facts.kvk;
    names.isActive = facts.isActive;
    names.names.length = 0;
    names.names.push(name.from, name.to);
    if (isThere(statutoryName)) names.names.push(statutoryName.from, statutoryName.to);
    for (let nth = 0; nth < eachTradingName.count; nth++) {
      const { from, to } = eachTradingName.at(nth);
      names.names.push(from, to);
    }
    names.cityFrom = address.city.from;
    names.cityTo = address.city.to;
    names.postalFrom = address.postalCode.from;
    names.postalTo = address.postalCode.to;
    names.form = facts.form;
    names.sbiCodes.length = 0;
    for (let nth = 0; nth < activities.count; nth++) {
      names.sbiCodes.push(this.#knownKind(bytes, activities.at(nth)).kind.sbiCode);
    }
    const people = isThere(facts.total)
      ? numberAt(bytes, facts.total)
      : numberAt(bytes, facts.fullTime) + numberAt(bytes, facts.partTime);
    names.size = Math.max(people, numberAt(bytes, facts.branchCount));
    return names;
  }

  /** The next facts are those of another batch. */
  endBatch(): void {
    for (const known of this.#kindOf) known.place = NO_PLACE;
    if (this.#kinds.count < MOST_KINDS) return;
    this.#kinds.clear();
    this.#kindOf.length = 0;
  }

  #addText({ bytes, isAscii }: FactsSpans, { from, to }: Span): void {
    const { numbers, texts } = this.#target;
    if (from === to) {
      numbers.push(0);
      return;
    }
    texts.append(bytes, from, to);
    numbers.push(1 + (isAscii ? to - from : lettersIn(bytes, from, to)));
  }

  /** Adds what `write` adds to the texts as one. */
  #addMade({ isAscii }: FactsSpans, write: () => void): void {
    const { numbers, texts } = this.#target;
    const from = texts.length;
    write();
    numbers.push(1 + (isAscii ? texts.length - from : lettersIn(texts.array, from, texts.length)));
  }

  #addActivities({ bytes, hasActivities, activities }: FactsSpans): void {
    const { numbers, placeOfKind } = this.#target;
    numbers.push(hasActivities ? activities.count + 1 : 0);
    for (let nth = 0; nth < activities.count; nth++) {
      const activity = activities.at(nth);
      const known = this.#knownKind(bytes, activity);
      if (known.place === NO_PLACE) known.place = placeOfKind(known.kind);
      numbers.push(known.place * 2 + (activity.isMain ? 1 : 0));
    }
  }

  #knownKind(
    bytes: Uint8Array,
    { kind, sbiCode, description }: ActivitySpans,
  ): { readonly kind: Kind; place: number } {
    const number = this.#kinds.numberOf(bytes, kind.from, kind.to);
    const known = this.#kindOf[number];
    if (known !== undefined) return known;
    const text = (span: Span) => textAt(bytes, span.from, span.to);
    const made = {
      kind: isThere(description)
        ? { sbiCode: text(sbiCode), description: text(description) }
        : { sbiCode: text(sbiCode) },
      place: NO_PLACE,
    };
    this.#kindOf[number] = made;
    return made;
  }

  /** What `encodeRest` makes. */
  #writeRest(facts: FactsSpans): void {
    const { texts } = this.#target;
    const { bytes, name, statutoryName, nonMailing } = facts;
    const start = texts.length;
    texts.push(OPEN_OBJECT);
    const key = (written: Uint8Array) => {
      if (texts.length > start + 1) texts.push(COMMA);
      texts.append(written, 0, written.length);
    };
    const raw = (written: Uint8Array, { from, to }: Span) => {
      if (from === to) return;
      key(written);
      texts.append(bytes, from, to);
    };
    const text = (written: Uint8Array, span: Span) => {
      if (isThere(span)) raw(written, { from: span.from - 1, to: span.to + 1 });
    };
    raw(REST.tradingNames, facts.tradingNames);
    if (isThere(statutoryName) && isSameText(bytes, name, statutoryName)) key(REST.sameName);
    else text(REST.statutoryName, statutoryName);
    text(REST.rsin, facts.rsin);
    text(REST.vatNumber, facts.vatNumber);
    if (nonMailing !== undefined) key(nonMailing ? REST.nonMailing : REST.mailing);
    this.#writeEmployees(facts, key);
    text(REST.mainBranchNumber, facts.mainBranchNumber);
    raw(REST.branchCount, facts.branchCount);
    raw(REST.websites, facts.websites);
    text(REST.deregistrationDate, facts.deregistrationDate);
    texts.push(CLOSE_OBJECT);
  }

  #writeEmployees(
    { bytes, total, fullTime, partTime }: FactsSpans,
    key: (written: Uint8Array) => void,
  ): void {
    const { texts } = this.#target;
    const hasParts = isThere(fullTime) || isThere(partTime);
    if (!hasParts && !isThere(total)) return;
    key(REST.employees);
    if (!hasParts) {
      texts.append(bytes, total.from, total.to);
      return;
    }
    texts.push(OPEN_ARRAY);
    for (const part of [total, fullTime, partTime]) {
      if (part !== total) texts.push(COMMA);
      if (isThere(part)) texts.append(bytes, part.from, part.to);
      else texts.append(NULL, 0, NULL.length);
    }
    texts.push(CLOSE_ARRAY);
  }
}

function flagsOf({ isActive, address, isCorrespondence }: FactsSpans): number {
  return (
    (isActive ? FLAGS.active : 0) |
    (address.isKnown ? FLAGS.hasAddress : 0) |
    (address.isShielded ? FLAGS.shielded : 0) |
    (isCorrespondence ? FLAGS.correspondence : 0)
  );
}
