import type { SourcedFacts } from "../../company/facts.ts";
import { cleanFacts } from "../../company/merge.ts";
import type { Activity } from "../../contract/resources.ts";
import { GrowingU32 } from "../../search/index/growing.ts";
import { NameSplitter } from "../../search/index/nameBatch.ts";
import { encodeBranches } from "../branchCodec.ts";
import { encodeRest, flagsOf, instantOf } from "../codec.ts";
import type { PackedFacts } from "./packedFacts.ts";

/** Packs facts as they come: what does not depend on the snapshot that they will be in is done here, on whatever thread this is. */
export class FactsPacker {
  readonly #origins = new Map<string, number>();
  readonly #kinds = new Map<string, number[]>();
  readonly #listedKinds: Omit<Activity, "isMain">[] = [];
  readonly #asOf: number[] = [];
  readonly #texts: string[] = [];
  readonly #numbers = new GrowingU32();
  readonly #names: NameSplitter | undefined;

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

  /** All that was added. The packer is of no use any more. */
  packed(): PackedFacts {
    const names = this.#names?.take();
    return {
      rows: this.#asOf.length,
      origins: [...this.#origins.keys()],
      kinds: this.#listedKinds,
      asOf: Float64Array.from(this.#asOf),
      texts: this.#texts.join(""),
      numbers: this.#numbers.view().slice(),
      ...(names !== undefined && { names }),
    };
  }

  #addText(text: string | undefined): void {
    this.#numbers.push(text === undefined ? 0 : text.length + 1);
    if (text !== undefined) this.#texts.push(text);
  }

  #placeOfOrigin(origin: string): number {
    const known = this.#origins.get(origin);
    if (known !== undefined) return known;
    const place = this.#origins.size;
    this.#origins.set(origin, place);
    return place;
  }

  /** By code, of which nearly each has one description: shorter texts are found faster. */
  #placeOfKind({ sbiCode, description }: Activity): number {
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
  return [asOf.buffer, numbers.buffer, ...(names === undefined ? [] : [names.numbers.buffer])];
}
