/** What a thread that answers calls and the one that keeps the house say to each other: all of it can be cloned. */
import type { KvkNumber } from "../../contract/numbers.ts";
import type { CachedCompany } from "../../kvk/cache/companyCache.ts";
import type { Asking, CompanyHit, MissCause } from "../../kvk/cache/companyFlights.ts";
import type { SearchHit } from "../../kvk/cache/searchFlights.ts";
import type { LiveCriteria, LiveHealth } from "../../kvk/liveSource.ts";
import type { Taker } from "../../lib/places.ts";
import type { SuppressedNumbers } from "../../lookup/suppression/suppressionList.ts";
import type { VatNumber } from "../../vat/numbers/parse.ts";
import type { StateCode } from "../../vat/numbers/states.ts";
import type { Consulting, FlightResult } from "../../vat/verdicts/flights.ts";
import type { CachedAnswers } from "../../vat/verdicts/store.ts";
import type { ViesState } from "../../vat/vies/health.ts";
import type { ShownBreaker, Vies } from "../compose/vies.ts";
import type { PackedError } from "./errors.ts";
import type { Limits } from "./house.ts";

/**
 * What can be asked, with what is given and what comes of it. How long the asker waits is in milliseconds from when it is heard: no moment crosses, as
 * each thread has a clock of its own.
 */
export interface Asks {
  readonly verdict: {
    readonly given: {
      readonly number: VatNumber;
      readonly deadlineMs: number;
      readonly consulting: Consulting | undefined;
      readonly knownAtMs: number | undefined;
    };
    readonly told: FlightResult | undefined;
  };
  readonly company: { readonly given: CompanyAsk; readonly told: CompanyHit | undefined };
  readonly branches: { readonly given: CompanyAsk; readonly told: CompanyHit | undefined };
  readonly search: {
    readonly given: { readonly criteria: LiveCriteria; readonly accountId: string | undefined };
    readonly told: SearchHit | "share-over" | undefined;
  };
  readonly viesHealth: { readonly given: undefined; readonly told: ViesState };
  readonly viesDay: { readonly given: undefined; readonly told: Awaited<ReturnType<Vies["day"]>> };
  /** Whether it was given; then it is the thread's until that says `over`. */
  readonly hashingTurn: { readonly given: Taker; readonly told: boolean };
  /** Calls left out of an account's list. */
  readonly leftOut: { readonly given: string; readonly told: number };
}

export interface CompanyAsk {
  readonly kvkNumber: KvkNumber;
  readonly asking: Asking;
}

export type AskName = keyof Asks;

/** A question of one kind, or of any. */
export type Ask<Name extends AskName = AskName> = {
  readonly [One in Name]: {
    readonly kind: "ask";
    readonly id: number;
    readonly name: One;
    readonly given: Asks[One]["given"];
  };
}[Name];

/** What a thread says. */
export type Said =
  | Ask
  /** Nobody waits for the answer to this any more, or what it gave is given back. */
  | { readonly kind: "over"; readonly id: number }
  | { readonly kind: "mail" }
  | { readonly kind: "keys-ended"; readonly keyIds: readonly string[] }
  | { readonly kind: "key-changed"; readonly keyId: string }
  | { readonly kind: "left-out"; readonly counts: ReadonlyMap<string, number> };

/** How the upstreams are, as a thread may need to know it without asking. */
export interface Status {
  readonly vies: {
    readonly shown: readonly ShownBreaker[];
    /** States about which VIES would not be asked now. */
    readonly keptAway: readonly StateCode[];
  };
  readonly live: LiveStatus | undefined;
}

export interface LiveStatus {
  readonly origin: string;
  readonly awayBecause: MissCause | undefined;
  readonly health: LiveHealth;
  readonly breakers: readonly ShownBreaker[];
}

/** What a thread is told. */
export type Told =
  /** First of all. */
  | {
      readonly kind: "welcome";
      readonly limits: Limits;
      readonly hasMail: boolean;
      readonly suppressed: SuppressedNumbers;
      readonly status: Status;
    }
  | { readonly kind: "answer"; readonly id: number; readonly told: unknown }
  | { readonly kind: "failed"; readonly id: number; readonly error: PackedError }
  | { readonly kind: "status"; readonly status: Status }
  | { readonly kind: "suppressed"; readonly suppressed: SuppressedNumbers }
  | { readonly kind: "verdict"; readonly vatNumber: string; readonly answers: CachedAnswers }
  | { readonly kind: "company"; readonly kvkNumber: string; readonly company: CachedCompany }
  | { readonly kind: "keys-ended"; readonly keyIds: readonly string[] }
  | { readonly kind: "key-changed"; readonly keyId: string };
