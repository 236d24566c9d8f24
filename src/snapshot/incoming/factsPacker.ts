import type { SourcedFacts } from "../../company/facts.ts";
import { cleanFacts } from "../../company/merge.ts";
import type { Activity } from "../../contract/resources.ts";
import { GrowingBytes, GrowingU32 } from "../../search/index/growing.ts";
import { NameSplitter, transferableOf } from "../../search/index/nameBatch.ts";
import { encodeBranches } from "../branchCodec.ts";
import { encodeRest, flagsOf, instantOf } from "../codec.ts";
import type { FactsSpans } from "./factsSpans.ts";
import type { PackedFacts } from "./packedFacts.ts";
import { SpansPacker } from "./spansPacker.ts";

/** Packs facts as they come: what does not depend on the snapshot that they will be in is done here, on whatever thread this is. */
export class FactsPacker {
  readonly #origins = new Map<string, number>();
  readonly #kinds = new Map<string, number[]>();
  #listedKinds: Omit<Activity, "isMain">[] = [];
  readonly #asOf: number[] = [];
  /** The texts of all columns as UTF-8. */
  readonly #texts = new GrowingBytes();
  readonly #numbers = new GrowingU32();
  readonly #names: NameSplitter | undefined;
  readonly #spans = new SpansPacker({
    texts: this.#texts,
    numbers: this.#numbers,
    placeOfKind: (kind) => this.#placeOfKind(kind),
  });

  /** @param withNames whether an index of names is to be made of them */
  constructor(withNames: boolean) {
    this.#names = withNames ? new NameSplitter() : undefined;
  }

  /** @throws {RangeError} when the date of the data is no date */
  add(sourced: SourcedFacts): void {
    const facts = cleanFacts(sourced.facts);
    const { address, branches, activities } = facts;
    const numbers = this.#numbers;
    this.#asOf.push(instantOf(sourced));
    numbers.push(Number(facts.kvkNumber));
    numbers.push(flagsOf(facts, sourced));
    numbers.push(this.#placeOfOrigin(sourced.origin));
    numbers.push(branches?.length ?? 0);
    this.#addText(facts.name);
    this.#addText(address?.street);
    this.#addText(address?.houseNumber);
    this.#addText(address?.postalCode);
    this.#addText(address?.city);
    this.#addText(address?.country);
    this.#addText(facts.registrationDate);
    this.#addText(facts.legalForm);
    this.#addText(encodeRest(facts));
    this.#addText(branches === undefined ? undefined : encodeBranches(branches, facts));
    if (activities === undefined) numbers.push(0);
    else {
      numbers.push(activities.length + 1);
      for (const activity of activities)
        numbers.push(this.#placeOfKind(activity) * 2 + (activity.isMain ? 1 : 0));
    }
    this.#names?.add({ ...facts, ...address });
  }

  /** Adds facts by where they stand in a line: as {@link add} does with the same facts. */
  addSpans(facts: FactsSpans): void {
    this.#asOf.push(facts.asOfMs);
    this.#spans.add(facts, this.#placeOfOrigin(facts.origin));
    this.#names?.addSpans(this.#spans.namesOf(facts));
  }

  /** All that was added since the last time. */
  packed(): PackedFacts {
    const names = this.#names?.take();
    const packed = {
      rows: this.#asOf.length,
      origins: [...this.#origins.keys()],
      kinds: this.#listedKinds,
      asOf: Float64Array.from(this.#asOf),
      texts: Buffer.from(this.#texts.array.buffer, 0, this.#texts.length).toString(),
      numbers: this.#numbers.view().slice(),
      ...(names !== undefined && { names }),
    };
    this.#origins.clear();
    this.#kinds.clear();
    this.#listedKinds = [];
    this.#asOf.length = 0;
    this.#texts.length = 0;
    this.#numbers.length = 0;
    this.#spans.endBatch();
    return packed;
  }

  #addText(text: string | undefined): void {
    this.#numbers.push(text === undefined ? 0 : text.length + 1);
    if (text !== undefined) this.#texts.write(text);
  }

  #placeOfOrigin(origin: string): number {
    const known = this.#origins.get(origin);
    if (known !== undefined) return known;
    const place = this.#origins.size;
    this.#origins.set(origin, place);
    return place;
  }

  /** By code, of which nearly each has one description: shorter texts are found faster. */
  #placeOfKind({ sbiCode, description }: Omit<Activity, "isMain">): number {
    const places = this.#kinds.get(sbiCode) ?? [];
    const known = places.find((place) => this.#listedKinds[place]?.description === description);
    if (known !== undefined) return known;
    if (places.length === 0) this.#kinds.set(sbiCode, places);
    const place =
      this.#listedKinds.push(description === undefined ? { sbiCode } : { sbiCode, description }) - 1;
    places.push(place);
    return place;
  }
}

/** What a message may hand over instead of copying it. */
export function transferable({ asOf, numbers, names }: PackedFacts): ArrayBuffer[] {
  return [asOf.buffer, numbers.buffer, ...(names === undefined ? [] : transferableOf(names))];
}
