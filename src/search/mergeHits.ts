import type { FoundHit } from "./ranking.ts";

/**
 * The hits of several indexes as one list, best first: by group, then by what ranks are made of (a k-way merge; Knuth, The Art of Computer
 * Programming, volume 3, 5.4.1). No company is shown by two indexes. Where the hits of one index fall back to an earlier group, they
 * keep their place behind those before them.
 */
export function* mergeHits(lists: readonly Iterable<FoundHit>[]): Generator<FoundHit> {
  const [only] = lists;
  if (only === undefined) return;
  if (lists.length === 1) {
    yield* only;
    return;
  }
  const heads = lists.map((list) => new Head(list[Symbol.iterator]()));
  try {
    for (;;) {
      let first: Head | undefined;
      for (const head of heads) {
        if (head.hit !== undefined && (first === undefined || head.isBefore(first))) first = head;
      }
      if (first?.hit === undefined) return;
      yield first.hit;
      first.advance();
    }
  } finally {
    for (const head of heads) head.end();
  }
}

/** The next hit of one index. */
class Head {
  readonly #hits: Iterator<FoundHit>;
  hit: FoundHit | undefined;
  #group = 0;
  #class = 0;
  #kvk = 0;

  constructor(hits: Iterator<FoundHit>) {
    this.#hits = hits;
    this.advance();
  }

  advance(): void {
    const { done, value } = this.#hits.next();
    this.hit = done === true ? undefined : value;
    if (this.hit === undefined) return;
    const { index, rank, group, isByNumber } = this.hit;
    this.#group = Math.max(this.#group, group);
    this.#class = isByNumber === true ? 0 : index.records.classes.classOf(rank);
    this.#kvk = index.records.kvk(rank);
  }

  isBefore(other: Head): boolean {
    if (this.#group !== other.#group) return this.#group < other.#group;
    return this.#class === other.#class ? this.#kvk < other.#kvk : this.#class < other.#class;
  }

  end(): void {
    this.#hits.return?.();
  }
}
