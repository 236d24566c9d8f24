import type { CompanyFacts } from "../../company/facts.ts";
import type { Deviation } from "../../company/rejection.ts";
import type { KvkNumber } from "../../contract/numbers.ts";
import { type JsonObject, known } from "../../lib/values.ts";
import { addBranches, branchesWithoutAddress, withProfiles } from "../addBranches.ts";
import type {
  Found,
  HeldFacts,
  LiveCriteria,
  LiveHealth,
  LivePage,
  LiveSource,
  NoAnswer,
  Payer,
  SourceResult,
} from "../liveSource.ts";
import { mapBasisprofiel } from "../map.ts";
import { type BreakerOptions, Breakers } from "./breakers.ts";
import { KvkClient, type KvkClientOptions, type Tally } from "./client.ts";
import { UNREADABLE } from "./codes.ts";
import { Deviations } from "./deviations.ts";
import type { Body, KvkResult, Product } from "./results.ts";
import { searchZoeken } from "./search.ts";

export interface KvkApiOptions extends Omit<KvkClientOptions, "breakers"> {
  readonly breakers?: BreakerOptions;
  /** Told of each field that changed its form, once. */
  readonly onDeviation?: (deviation: Deviation) => void;
}

export const KVK_API_ORIGIN = "kvk-api";

/**
 * A list of branches tells their addresses; where it lacks them, each Vestigingsprofiel is paid for. So many at most for one
 * company: the other branches are told without an address.
 */
const MOST_BRANCH_PROFILES = 20;

/**
 * KVK's Zoeken v2, Basisprofiel v1 and Vestigingsprofiel v1 as a live source. A company takes one paid call, for basic and
 * enriched alike; its branches take one more, and none where the profile says that there are none.
 */
export class KvkApi implements LiveSource {
  readonly origin = KVK_API_ORIGIN;
  readonly #client: KvkClient;
  readonly #breakers: Breakers;
  readonly #deviations: Deviations;
  readonly #close: () => Promise<void>;

  constructor({ breakers = {}, onDeviation = () => {}, ...client }: KvkApiOptions) {
    this.#breakers = new Breakers(breakers);
    this.#client = new KvkClient({ ...client, breakers: this.#breakers });
    this.#deviations = new Deviations(onDeviation);
    this.#close = () => client.upstream.close();
  }

  get permitsCalls(): boolean {
    return this.#breakers.permits("basisprofiel");
  }

  get health(): LiveHealth {
    return this.#breakers.health;
  }

  /** What is left alone after failures: `key`, `kvk`, products. */
  get breakers(): Breakers["shown"] {
    return this.#breakers.shown;
  }

  /** How often each field came in a form that nobody knows, by `path kind`. */
  get deviations(): ReadonlyMap<string, number> {
    return this.#deviations.counts;
  }

  company(
    kvkNumber: KvkNumber,
    deadline: AbortSignal,
    payer: Payer = "other",
  ): Promise<SourceResult<CompanyFacts>> {
    return this.#company(kvkNumber, deadline, { paidCalls: 0, payer });
  }

  async branches(
    kvkNumber: KvkNumber,
    deadline: AbortSignal,
    held?: HeldFacts,
    payer: Payer = "other",
  ): Promise<SourceResult<CompanyFacts>> {
    const tally: Tally = { paidCalls: 0, payer };
    const own: SourceResult<CompanyFacts> =
      held === undefined
        ? await this.#company(kvkNumber, deadline, tally)
        : { kind: "found", value: held.facts, asOf: held.asOf, paidCalls: 0 };
    if (own.kind !== "found" || own.value.branches !== undefined) return own;
    const facts = own.value;
    const path = `/v1/basisprofielen/${facts.kvkNumber}/vestigingen`;
    const result = await this.#client.ask("vestigingen", path, deadline, tally);
    if (result.kind === "no-answer") return noAnswer(result, tally);
    // No list is a list of none: then there is the main branch of the profile, or nothing.
    const list = result.kind === "body" ? result.json : { vestigingen: [] };
    const { complete, isPartial } = await this.#completed(facts, list, deadline, tally);
    const { facts: value, leftOut } = addBranches(facts, complete);
    this.#deviations.note(leftOut);
    if (value.branches === undefined) return noAnswer(UNREADABLE, tally);
    return {
      kind: "found",
      value,
      asOf: own.asOf,
      paidCalls: tally.paidCalls,
      ...known("isPartial", isPartial || undefined),
    };
  }

  async search(criteria: LiveCriteria, deadline: AbortSignal): Promise<SourceResult<LivePage>> {
    const tally: Tally = { paidCalls: 0, payer: "other" };
    const ask = (path: string) => this.#client.ask("zoeken", path, deadline, tally);
    const found = await searchZoeken(criteria, ask, (leftOut) => this.#deviations.note(leftOut));
    if (found.kind === "no-answer") return noAnswer(found, tally);
    return { ...found, paidCalls: tally.paidCalls };
  }

  close(): Promise<void> {
    return this.#close();
  }

  async #company(
    kvkNumber: KvkNumber,
    deadline: AbortSignal,
    tally: Tally,
  ): Promise<SourceResult<CompanyFacts>> {
    const path = `/v1/basisprofielen/${kvkNumber}`;
    const result = await this.#client.ask("basisprofiel", path, deadline, tally);
    if (result.kind !== "body") return notBody(result, tally);
    const mapped = mapBasisprofiel(result.json);
    if ("reason" in mapped) {
      this.#deviations.note([mapped]);
      return noAnswer(UNREADABLE, tally);
    }
    this.#deviations.note(mapped.leftOut);
    if (mapped.facts.kvkNumber !== kvkNumber) return noAnswer(UNREADABLE, tally);
    return found(mapped.facts, result, tally);
  }

  /** The list with the profiles of those branches whose address it lacks; partial when one of them could not be had. */
  async #completed(
    facts: CompanyFacts,
    list: JsonObject,
    deadline: AbortSignal,
    tally: Tally,
  ): Promise<{ complete: JsonObject; isPartial: boolean }> {
    const numbers = branchesWithoutAddress(facts, list).slice(0, MOST_BRANCH_PROFILES);
    if (numbers.length === 0) return { complete: list, isPartial: false };
    const product: Product = "vestigingsprofiel";
    const words = await Promise.all(
      numbers.map(async (number) => {
        const path = `/v1/vestigingsprofielen/${number}`;
        return [number, await this.#client.ask(product, path, deadline, tally)] as const;
      }),
    );
    const profiles = new Map(
      words.flatMap(([number, result]) =>
        result.kind === "body" && isOf(result.json, number, facts.kvkNumber) ? [[number, result.json]] : [],
      ),
    );
    const isPartial = words.some(([, result]) => result.kind === "no-answer");
    return { complete: withProfiles(list, profiles), isPartial };
  }
}

function isOf(profile: JsonObject, branchNumber: string, kvkNumber: KvkNumber): boolean {
  const { vestigingsnummer, kvkNummer } = profile;
  return vestigingsnummer === branchNumber && (kvkNummer === undefined || kvkNummer === kvkNumber);
}

function found<T>(value: T, { receivedAt }: Body, { paidCalls }: Tally): Found<T> {
  return { kind: "found", value, asOf: receivedAt, paidCalls };
}

function notBody(result: Exclude<KvkResult, Body>, tally: Tally): Exclude<SourceResult<never>, Found<never>> {
  if (result.kind === "no-answer") return noAnswer(result, tally);
  const { reason, receivedAt } = result;
  return { kind: "not-found", reason, asOf: receivedAt, paidCalls: tally.paidCalls };
}

function noAnswer(
  { cause, reason, retryAfterSeconds }: Omit<NoAnswer, "paidCalls">,
  { paidCalls }: Tally,
): NoAnswer {
  return { kind: "no-answer", cause, reason, paidCalls, ...known("retryAfterSeconds", retryAfterSeconds) };
}
