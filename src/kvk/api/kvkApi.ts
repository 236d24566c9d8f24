import type { CompanyFacts } from "../../company/facts.ts";
import type { Deviation, Rejection } from "../../company/rejection.ts";
import type { KvkNumber } from "../../contract/numbers.ts";
import { type JsonObject, known } from "../../lib/values.ts";
import type { ShownBreaker } from "../../upstream/breakers.ts";
import { addBranches, branchesWithoutAddress, withProfiles } from "../addBranches.ts";
import type {
  EarlierFacts,
  Found,
  LiveCriteria,
  LiveHealth,
  LivePage,
  LiveSource,
  NoLiveAnswer,
  PaidBy,
  SourceResult,
} from "../liveSource.ts";
import { KVK_API_ORIGIN } from "../liveSource.ts";
import { mapBasisprofiel } from "../map.ts";
import type { SignalPage } from "../mutations/readSignals.ts";
import type { SignalQuery } from "../mutations/signalPulls.ts";
import { kvkHealth } from "./breakers.ts";
import { KvkClient, type KvkClientOptions } from "./client.ts";
import { UNREADABLE } from "./codes.ts";
import { searchZoeken } from "./search.ts";
import { askForSignals } from "./signals.ts";

export interface KvkApiOptions extends KvkClientOptions {
  /** Called once for each field that changed its form. */
  readonly onDeviation?: (deviation: Deviation) => void;
}

/**
 * Paid branch profiles fetched for one company whose list of branches lacks addresses; further branches have no
 * address.
 */
const MAX_BRANCH_PROFILES = 20;
/** Adds places to the addresses of a profile at no cost. */
const GEO_DATA = "geoData=true";
/** Far more than there are fields. */
const MAX_DEVIATIONS = 1_000;

/**
 * KVK's Zoeken v2, Basisprofiel v1 and Vestigingsprofiel v1 as a live source. A company costs one paid call, basic or
 * enriched. Its branches cost one more, unless the profile shows that there are none.
 */
export class KvkApi implements LiveSource {
  readonly origin = KVK_API_ORIGIN;
  readonly close: () => Promise<void>;
  readonly #client: KvkClient;
  /** Deviations that were reported, by path and kind. */
  readonly #deviations = new Set<string>();
  readonly #onDeviation: (deviation: Deviation) => void;

  constructor({ onDeviation = () => {}, ...client }: KvkApiOptions) {
    this.#client = new KvkClient(client);
    this.#onDeviation = onDeviation;
    this.close = () => client.upstream.close();
  }

  get permitsCalls(): boolean {
    return this.#client.breakers.permits("basisprofiel");
  }

  get health(): LiveHealth {
    return kvkHealth(this.#client.breakers);
  }

  /** The breakers: `key`, `kvk`, products. */
  get breakers(): readonly ShownBreaker[] {
    return this.#client.breakers.shown;
  }

  async company(
    kvkNumber: KvkNumber,
    deadline: AbortSignal,
    payer: PaidBy = "other",
  ): Promise<SourceResult<CompanyFacts>> {
    const path = `/v1/basisprofielen/${kvkNumber}?${GEO_DATA}`;
    const result = await this.#client.ask("basisprofiel", path, deadline, payer);
    if (result.kind !== "found") return result;
    const mapped = mapBasisprofiel(result.value);
    if ("reason" in mapped) {
      this.#noteDeviations([mapped]);
      return UNREADABLE;
    }
    this.#noteDeviations(mapped.leftOut);
    return mapped.facts.kvkNumber === kvkNumber ? { ...result, value: mapped.facts } : UNREADABLE;
  }

  async branches(
    { facts, asOf }: EarlierFacts,
    deadline: AbortSignal,
    payer: PaidBy = "other",
  ): Promise<Found<CompanyFacts> | NoLiveAnswer> {
    if (facts.branches !== undefined) return { kind: "found", value: facts, asOf };
    const path = `/v1/basisprofielen/${facts.kvkNumber}/vestigingen`;
    const result = await this.#client.ask("vestigingen", path, deadline, payer);
    if (result.kind === "no-answer") return result;
    // Without a list there is only the main branch of the profile, or none.
    const list = result.kind === "found" ? result.value : { vestigingen: [] };
    const { complete, isPartial } = await this.#completed(facts, list, deadline, payer);
    const { facts: value, leftOut } = addBranches(facts, complete);
    this.#noteDeviations(leftOut);
    if (value.branches === undefined) return UNREADABLE;
    return { kind: "found", value, asOf, ...known("isPartial", isPartial || undefined) };
  }

  search(criteria: LiveCriteria, deadline: AbortSignal): Promise<Found<LivePage> | NoLiveAnswer> {
    const ask = (path: string) => this.#client.ask("zoeken", path, deadline, "other");
    return searchZoeken(criteria, ask, (leftOut) => this.#noteDeviations(leftOut));
  }

  /** A page of the signals of a subscription to the Mutatieservice, which is free. */
  signals(
    subscription: string,
    query: SignalQuery,
    deadline: AbortSignal,
  ): Promise<Found<SignalPage> | NoLiveAnswer> {
    const ask = (path: string) => this.#client.ask("abonnementen", path, deadline, "other");
    return askForSignals(subscription, query, ask, (leftOut) => this.#noteDeviations(leftOut));
  }

  /**
   * Completes the list with the profiles of branches that have no address in it; partial when one of these calls
   * failed.
   */
  async #completed(
    facts: CompanyFacts,
    list: JsonObject,
    deadline: AbortSignal,
    payer: PaidBy,
  ): Promise<{ complete: JsonObject; isPartial: boolean }> {
    const numbers = branchesWithoutAddress(facts, list).slice(0, MAX_BRANCH_PROFILES);
    if (numbers.length === 0) return { complete: list, isPartial: false };
    const results = await Promise.all(
      numbers.map(async (number) => {
        const path = `/v1/vestigingsprofielen/${number}?${GEO_DATA}`;
        return [number, await this.#client.ask("vestigingsprofiel", path, deadline, payer)] as const;
      }),
    );
    const profiles = new Map(
      results.flatMap(([number, result]) =>
        result.kind === "found" && isOf(result.value, number, facts.kvkNumber)
          ? [[number, result.value]]
          : [],
      ),
    );
    const isPartial = results.some(([, result]) => result.kind === "no-answer");
    return { complete: withProfiles(list, profiles), isPartial };
  }

  /** Reports each field with an unexpected form the first time. */
  #noteDeviations(leftOut: readonly Rejection[]): void {
    for (const { deviation } of leftOut) {
      const key = `${deviation?.path} ${deviation?.kind}`;
      if (deviation === undefined || this.#deviations.has(key)) continue;
      if (this.#deviations.size >= MAX_DEVIATIONS) return;
      this.#deviations.add(key);
      this.#onDeviation(deviation);
    }
  }
}

function isOf(profile: JsonObject, branchNumber: string, kvkNumber: KvkNumber): boolean {
  const { vestigingsnummer, kvkNummer } = profile;
  return vestigingsnummer === branchNumber && (kvkNummer === undefined || kvkNummer === kvkNumber);
}
