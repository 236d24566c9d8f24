/** The operations on monitors for callers with live keys. */

import { randomBytes } from "node:crypto";
import { type ApiError, forbidden } from "../contract/errors.ts";
import type { ChangeType } from "../contract/eventTypes.ts";
import { base62 } from "../contract/keyForm.ts";
import { maxMonitorsOf } from "../contract/monitors.ts";
import { isKvkNumber, type KvkNumber } from "../contract/numbers.ts";
import type { TierTable } from "../contract/tiers.ts";
import { companyError, type Miss, NO_REGISTRY } from "../lookup/answer.ts";
import type { Companies } from "../lookup/companies.ts";
import type { SuppressedCompanies } from "../lookup/suppression/suppressed.ts";
import { problemOfWebhook } from "../webhooks/addresses.ts";
import { newEventId } from "./changeEvent.ts";
import { firstFacts } from "./firstFacts.ts";
import type { MonitorQueries } from "./queries.ts";
import type { MonitorService } from "./sources.ts";
import type {
  EventFilter,
  EventPage,
  MonitorAccount,
  MonitorFields,
  MonitorOwner,
  MonitorPage,
  StoredEvent,
  StoredMonitor,
  WebhookStatus,
} from "./stored.ts";
import type { Baseline } from "./types.ts";

const ID_LENGTH = 22;
const EVENTS_IN_A_STEP = 500;
const LOOK_UP_FIRST = "look it up first, because adding a monitor does not call KVK";

/** The account, and whether the call has a test key. */
export type MonitorReader = Omit<MonitorOwner, "keyId">;

export interface MonitorCaller extends MonitorOwner {
  readonly tierName: string;
}

/** A monitor, or the reason why a number has none. `sent` is the number as the caller wrote it. */
export type Added =
  | {
      readonly monitor: StoredMonitor;
      /** The known end and insolvency of the company. */
      readonly facts: readonly ChangeType[];
    }
  | { readonly kvkNumber: string; readonly error: Pick<ApiError, "code" | "message"> };

export interface MonitorsParts {
  readonly store: Pick<
    MonitorQueries,
    | "addMonitors"
    | "countMonitors"
    | "monitors"
    | "monitor"
    | "changeMonitor"
    | "removeMonitor"
    | "monitorAccount"
    | "setMonitorAccount"
    | "markEventsRead"
    | "showCompanies"
    | "events"
    | "latestEvents"
    | "event"
    | "redeliver"
    | "addTestEvent"
    | "webhookStatuses"
  >;
  readonly observer: {
    observe(kvkNumbers: readonly KvkNumber[]): Promise<unknown>;
    baselinesOf(kvkNumbers: readonly KvkNumber[]): Promise<readonly Baseline[]>;
  };
  readonly tiers: TierTable;
  readonly suppressed: SuppressedCompanies;
  readonly companies: Pick<Companies, "fromStore" | "hasLiveSource" | "hasSnapshot">;
  readonly service: MonitorService;
  /** Private networks that webhooks may reach. */
  readonly webhookNetworks: readonly string[];
  /** Called when changes may wait for delivery. */
  readonly onPending?: () => void;
}

/** Methods return undefined or false for an unknown id. */
export class Monitors {
  readonly service: MonitorService;
  readonly #parts: MonitorsParts;

  constructor(parts: MonitorsParts) {
    this.service = parts.service;
    this.#parts = parts;
  }

  /** Returns the rule that a webhook's URL breaks, worded to follow its name. */
  problemOfWebhook(url: string): string | undefined {
    return problemOfWebhook(url, this.#parts.webhookNetworks);
  }

  /**
   * Adds monitors, or changes the given fields of those that exist, in the order of the numbers. No upstream is called:
   * a company that is not known here gets no monitor. New monitors report an existing end or insolvency, and otherwise
   * only later changes.
   * @returns `webhooks` or `no-secret` if the webhook is refused, see {@link MonitorQueries.addMonitors}
   */
  async add(
    { tierName, ...owner }: MonitorCaller,
    sent: readonly string[],
    fields: MonitorFields,
  ): Promise<readonly Added[] | "webhooks" | "no-secret"> {
    const { store, tiers, suppressed } = this.#parts;
    const valid = [...new Set(sent.filter(isKvkNumber))].filter((kvkNumber) => !suppressed.has(kvkNumber));
    const limit = maxMonitorsOf(tiers[tierName]);
    let places = limit - (await store.countMonitors(owner));
    // Without a place nothing is looked up, so that the errors do not show which companies are known.
    const baselines = places > 0 ? await this.#baselinesOf(valid) : [];
    const known = new Set(baselines.map(({ kvkNumber }) => kvkNumber));
    const numbers = places > 0 ? valid.filter((kvkNumber) => known.has(kvkNumber)) : valid;
    const ids = numbers.map(() => `mon_${base62(ID_LENGTH, randomBytes)}`);
    const added = await store.addMonitors(owner, numbers, ids, fields, baselines, places > 0 ? limit : 0);
    if (typeof added === "string") return added;
    const results = new Map(numbers.map((kvkNumber, index) => [String(kvkNumber), added[index]]));
    const newIds = new Set(ids);
    return sent.map((kvkNumber) => {
      const result = results.get(kvkNumber);
      if (typeof result === "object") {
        if (newIds.delete(result.id)) places -= 1;
        const facts = firstFacts(baselines.filter((one) => one.kvkNumber === kvkNumber));
        return { monitor: result, facts: facts.map(({ type }) => type) };
      }
      // Another call took the last place: from here on all numbers get the same error.
      if (result === "limit") places = 0;
      const isOver = places <= 0 && isKvkNumber(kvkNumber);
      return { kvkNumber, error: isOver ? overLimit(limit) : this.#unknown(kvkNumber) };
    });
  }

  /** The baselines of companies, after existing monitors were sent the changes that are visible now. */
  async #baselinesOf(kvkNumbers: readonly KvkNumber[]): Promise<readonly Baseline[]> {
    const { observer } = this.#parts;
    await observer.observe(kvkNumbers);
    return observer.baselinesOf(kvkNumbers);
  }

  /** @param after that of the previous page; empty for the first */
  list(owner: MonitorReader, after: string, limit: number): Promise<MonitorPage> {
    return this.#parts.store.monitors(owner, after, limit);
  }

  /** The known data about companies. In a month an account sees as many companies as it may have monitors. */
  async companies(
    { accountId, tierName, isTest }: Omit<MonitorCaller, "keyId">,
    numbers: readonly KvkNumber[],
  ) {
    const { store, tiers, companies } = this.#parts;
    const limit = maxMonitorsOf(tiers[tierName]);
    const shown = isTest ? numbers : await store.showCompanies(accountId, numbers, limit);
    const answers = await companies.fromStore("basic", shown, undefined, "outage");
    const found = answers.flatMap((answer) => (answer?.kind === "found" ? [answer.found] : []));
    return new Map(found.map((company) => [company.kvkNumber, company]));
  }

  get(owner: MonitorReader, id: string): Promise<StoredMonitor | undefined> {
    return this.#parts.store.monitor(owner, id);
  }

  change(
    owner: MonitorOwner,
    id: string,
    fields: MonitorFields,
  ): Promise<StoredMonitor | "webhooks" | "no-secret" | undefined> {
    return this.#parts.store.changeMonitor(owner, id, fields);
  }

  remove(owner: MonitorReader, id: string): Promise<boolean> {
    return this.#parts.store.removeMonitor(owner, id);
  }

  account(owner: MonitorReader): Promise<MonitorAccount> {
    return this.#parts.store.monitorAccount(owner);
  }

  async setAccount(
    accountId: string,
    settings: { readonly maxTokens?: number | null | undefined; readonly hasDigest?: boolean | undefined },
  ): Promise<void> {
    await this.#parts.store.setMonitorAccount(accountId, settings);
    if (settings.maxTokens !== undefined) this.#parts.onPending?.();
  }

  /** Notes that the account page has shown all events so far. */
  markEventsRead(accountId: string): Promise<void> {
    return this.#parts.store.markEventsRead(accountId);
  }

  /** @param after a place in the sequence of the account's events; 0 for the oldest event */
  events(
    owner: MonitorReader,
    after: number,
    limit: number,
    filter: EventFilter,
  ): Promise<EventPage | { readonly expired: number }> {
    return this.#parts.store.events(owner, after, limit, filter);
  }

  /** Events before a place in the sequence of the account's events, newest first. */
  async latestEvents(
    owner: MonitorReader,
    before: number,
    limit: number,
    filter: EventFilter,
  ): Promise<readonly StoredEvent[]> {
    const events: StoredEvent[] = [];
    let from = before;
    while (from > 0 && events.length < limit) {
      const page = await this.#parts.store.latestEvents(owner, from, limit - events.length, filter);
      events.push(...page.events);
      from = page.read;
    }
    return events;
  }

  /** All stored events, newest first. */
  async *eventsInSteps(owner: MonitorReader): AsyncGenerator<readonly StoredEvent[], void> {
    for (let before = Number.MAX_SAFE_INTEGER; before > 0; ) {
      const page = await this.#parts.store.latestEvents(owner, before, EVENTS_IN_A_STEP, {});
      yield page.events;
      before = page.read;
    }
  }

  event(owner: MonitorReader, id: string): Promise<StoredEvent | undefined> {
    return this.#parts.store.event(owner, id);
  }

  /** Sends an event to its webhook again. @returns false without an enabled webhook */
  redeliver(owner: MonitorReader, eventId: string): Promise<boolean | number> {
    return this.#parts.store.redeliver(owner, eventId);
  }

  /** Sends a test message to a monitor's webhook. @returns its id; otherwise as {@link MonitorQueries.addTestEvent} */
  async test(owner: MonitorReader, monitorId: string): Promise<string | false | number> {
    const id = newEventId();
    const sent = await this.#parts.store.addTestEvent(owner, { id, monitorId });
    return sent === true ? id : sent;
  }

  webhooks(accountId: string): Promise<readonly WebhookStatus[]> {
    return this.#parts.store.webhookStatuses(accountId);
  }

  /** The error of a lookup, with advice. */
  #unknown(sent: string): Pick<ApiError, "code" | "message"> {
    return companyError(sent, isKvkNumber(sent) ? this.#missOf(sent) : { kind: "invalid" });
  }

  #missOf(kvkNumber: KvkNumber): Miss {
    const { hasLiveSource, hasSnapshot } = this.#parts.companies;
    if (hasLiveSource) return { kind: "absent", kvkNumber, hint: LOOK_UP_FIRST };
    return hasSnapshot ? { kind: "absent", kvkNumber } : NO_REGISTRY;
  }
}

function overLimit(limit: number): ApiError {
  return forbidden(`this account may have at most ${limit} monitors: remove some, or choose a larger plan`);
}
