import type { CompanyFacts } from "../../company/facts.ts";
import type { KvkNumber } from "../../contract/numbers.ts";
import type { Branch } from "../../contract/resources.ts";
import { LeastRecentlyUsed } from "../../lib/leastRecentlyUsed.ts";
import { known } from "../../lib/values.ts";
import type { HeldCompany, LiveStore } from "../store.ts";
import { readFacts, writeFacts } from "./factsKept.ts";

/** What is held of a company that a live source was asked for. */
export interface Held {
  /** Absent: the source knows no such company. */
  readonly facts?: CompanyFacts;
  /** When the source said so, Unix milliseconds. */
  readonly toldAtMs: number;
  /** The same, ISO 8601 UTC. */
  readonly toldAt: string;
  /** Absent: they were not asked for. */
  readonly branches?: readonly Branch[];
  readonly branchesAtMs?: number;
}

/** What is told again and again should cost no question to the store. */
const MOST_IN_MEMORY = 20_000;

type Store = Pick<LiveStore, "heldCompanies" | "keepCompany" | "keepBranches">;

/** What a live source told, in the store and, what was used lately, in memory. */
export class HeldCompanies {
  readonly #store: Store;
  readonly #inMemory = new LeastRecentlyUsed<Held>(MOST_IN_MEMORY);

  constructor(store: Store) {
    this.#store = store;
  }

  /** What this process knows to be held; another process may know better. */
  get(kvkNumber: KvkNumber): Held | undefined {
    return this.#inMemory.get(kvkNumber);
  }

  /** Reads what the store holds; `get` tells it afterwards. */
  async read(kvkNumbers: readonly KvkNumber[]): Promise<void> {
    const found = await this.#store.heldCompanies(kvkNumbers);
    for (const [index, kvkNumber] of kvkNumbers.entries()) {
      const kept = found[index] ?? null;
      if (kept !== null) this.#note(kvkNumber, heldOf(kept));
    }
  }

  /** Keeps a company as it was just told, durable when the promise is fulfilled; undefined: there is none. */
  async keep(kvkNumber: KvkNumber, told: CompanyFacts | undefined, toldAtMs: number): Promise<Held> {
    await this.#store.keepCompany(
      kvkNumber,
      told === undefined ? null : writeFacts(withoutBranches(told)),
      toldAtMs,
    );
    const before = told === undefined ? undefined : this.#inMemory.peek(kvkNumber);
    const held: Held = {
      ...known("facts", told === undefined ? undefined : withoutBranches(told)),
      toldAtMs,
      toldAt: new Date(toldAtMs).toISOString(),
      ...known("branches", before?.branches),
      ...known("branchesAtMs", before?.branchesAtMs),
    };
    this.#note(kvkNumber, held);
    return told?.branches === undefined ? held : this.keepBranches(held, told, told.branches, toldAtMs);
  }

  /** Keeps a company's branches, and its facts as they are with them. */
  async keepBranches(
    held: Held,
    told: CompanyFacts,
    branches: readonly Branch[],
    branchesAtMs: number,
  ): Promise<Held> {
    const facts = withoutBranches(told);
    await this.#store.keepBranches(told.kvkNumber, held.toldAtMs, {
      facts: writeFacts(facts),
      branches: JSON.stringify(branches),
      branchesAtMs,
    });
    const next = { ...held, facts, branches, branchesAtMs };
    this.#note(told.kvkNumber, next);
    return next;
  }

  /** A slow reading of the store may end after something newer was kept. */
  #note(kvkNumber: KvkNumber, held: Held): void {
    const before = this.#inMemory.peek(kvkNumber);
    const isOlder =
      before !== undefined &&
      (before.toldAtMs > held.toldAtMs ||
        (before.toldAtMs === held.toldAtMs && (before.branchesAtMs ?? 0) > (held.branchesAtMs ?? 0)));
    if (!isOlder) this.#inMemory.set(kvkNumber, held);
  }
}

function withoutBranches({ branches: _branches, ...facts }: CompanyFacts): CompanyFacts {
  return facts;
}

/** What this program wrote itself, read again. */
export function heldOf({ facts, toldAtMs, branches, branchesAtMs }: HeldCompany): Held {
  return {
    ...(facts !== null && { facts: readFacts(facts) }),
    toldAtMs,
    toldAt: new Date(toldAtMs).toISOString(),
    ...(branches !== null && { branches: JSON.parse(branches) as readonly Branch[] }),
    ...(branchesAtMs !== null && { branchesAtMs }),
  };
}
