import type {
  AddMonitorsAnswer,
  ChangesAnswer,
  ChangesQuery,
  EventTypesAnswer,
  ListMonitorsAnswer,
  ListMonitorsQuery,
} from "../api/calls.ts";
import type { ChangeEvent, Monitor, MonitorSettings } from "../api/resources.ts";
import { withinRate } from "../pacing.ts";
import type { Balance } from "../state.ts";
import { type ApiRequest, type CallOptions, type ClientOptions, segment, Transport } from "../transport.ts";
import { type ChangesOptions, followChanges, type ReadChange } from "./changes.ts";

/** Options of calls about monitors. All are free and count as a call of the minute. */
export type MonitorOptions = Omit<CallOptions, "idempotencyKey">;

/** The type of a change that a monitor can report. */
export type ChangeType = NonNullable<Monitor["events"]>[number];

/** The fields of a monitor that you can set. */
export interface MonitorFields {
  /** The changes to report; all by default. */
  readonly events?: readonly ChangeType[] | undefined;
  /** Your own data about the company, returned with each event. */
  readonly metadata?: Readonly<Record<string, string>> | undefined;
  /** A URL that gets a signed POST for each event. */
  readonly webhook?: string | undefined;
}

/** The fields to change: `null` removes one. */
export type MonitorChange = { readonly [Field in keyof MonitorFields]: MonitorFields[Field] | null };

/** The settings of the account: `null` removes one. */
export interface SettingsChange {
  /** The maximum cost of changes in a month, in tokens. */
  readonly maxTokens?: number | null | undefined;
  readonly weeklyDigest?: boolean | undefined;
}

/** A monitor, or its id. */
export type MonitorRef = string | Pick<Monitor, "id">;

/** Numbers in one call. */
const MAX_NUMBERS = 100;

/**
 * Monitors of companies, and the events that report their changes.
 * Every method rejects with an {@link OpzoekError}.
 *
 * @example
 * ```ts
 * const monitors = new Monitors({ baseUrl: "https://opzoek.example", key });
 * await monitors.add(["51234567"]);
 * const changes = monitors.changes({ after: saved, pollEveryMs: 60_000 });
 * for await (const { event, cursor } of changes) await handle(event, cursor);
 * ```
 */
export class Monitors {
  readonly #transport: Transport;

  /** @throws {TypeError} for an invalid address or key */
  constructor(options: ClientOptions) {
    this.#transport = new Transport(options);
  }

  /** The remaining rate of the key and tokens of the account, from the latest response. */
  get state(): Balance {
    return this.#transport.balance;
  }

  /**
   * Monitors any number of companies, in calls of a hundred within the key's rate. If a company has a monitor, its
   * given fields are changed.
   */
  async add(
    kvkNumbers: Iterable<string>,
    { events, metadata, webhook, ...options }: MonitorFields & MonitorOptions = {},
  ): Promise<AddMonitorsAnswer> {
    const numbers = [...new Set(kvkNumbers)];
    const results: AddMonitorsAnswer["results"][number][] = [];
    const failed: AddMonitorsAnswer["failed"][number][] = [];
    let [alreadyEnded, alreadyInsolvent] = [0, 0];
    let notReported: AddMonitorsAnswer["notReported"] = [];
    for (let from = 0; from < numbers.length; from += MAX_NUMBERS) {
      const body = { kvkNumbers: numbers.slice(from, from + MAX_NUMBERS), events, metadata, webhook };
      const request = { field: "results", path: "/v1/monitors", body };
      const answer = await this.#call<AddMonitorsAnswer>(request, options);
      results.push(...answer.results);
      failed.push(...answer.failed);
      alreadyEnded += answer.alreadyEnded;
      alreadyInsolvent += answer.alreadyInsolvent;
      ({ notReported } = answer);
    }
    return { results, failed, notReported, alreadyEnded, alreadyInsolvent };
  }

  /** Returns one page of monitors, and the `next` that continues it. */
  listPage({
    after,
    limit,
    ...options
  }: ListMonitorsQuery & MonitorOptions = {}): Promise<ListMonitorsAnswer> {
    return this.#call({ field: "monitors", path: "/v1/monitors", query: { after, limit } }, options);
  }

  /** Yields the monitors of the account, oldest first. */
  async *list(options: MonitorOptions = {}): AsyncGenerator<Monitor, void, undefined> {
    let after: string | undefined;
    do {
      const page = await this.listPage({ ...options, after });
      yield* page.monitors;
      after = page.next;
    } while (after !== undefined);
  }

  get(monitor: MonitorRef, options?: MonitorOptions): Promise<Monitor> {
    return this.#call({ field: "id", path: pathOf(monitor) }, options);
  }

  /** Changes the given fields. Setting `webhook` also enables a disabled webhook. */
  change(
    monitor: MonitorRef,
    { events, metadata, webhook, ...options }: MonitorChange & MonitorOptions,
  ): Promise<Monitor> {
    const body = { events, metadata, webhook };
    return this.#call({ field: "id", path: pathOf(monitor), method: "PATCH", body }, options);
  }

  /** Removes a monitor. Its events can still be read. */
  async remove(monitor: MonitorRef, options?: MonitorOptions): Promise<void> {
    await this.#call({ field: "id", path: pathOf(monitor), method: "DELETE" }, options);
  }

  /** Sends a test event to the monitor's webhook. @returns the id of the event */
  async test(monitor: MonitorRef, options?: MonitorOptions): Promise<string> {
    const request = { field: "eventId", path: `${pathOf(monitor)}/test`, method: "POST" } as const;
    return (await this.#call<{ readonly eventId: string }>(request, options)).eventId;
  }

  /** Returns one page of events, and the `next` that continues it. */
  changesPage({
    after,
    limit,
    kvkNumber,
    type,
    ...options
  }: ChangesQuery & MonitorOptions = {}): Promise<ChangesAnswer> {
    const query = { after, limit, kvkNumber, type };
    return this.#call({ field: "events", path: "/v1/changes", query }, options);
  }

  /**
   * Yields events, oldest first, and ends after the newest unless `pollEveryMs` is set. Save `cursor` when you have
   * handled the event, and pass it as `after` to continue after a restart: events of an unfinished page are then
   * returned again.
   * @throws {CursorExpiredError} (rejects) if the events after `after` are no longer kept; see its `oldestCursor`
   */
  changes(options: ChangesOptions = {}): AsyncGenerator<ReadChange, void, undefined> {
    return followChanges((query) => this.changesPage(query), options);
  }

  /** Returns the types of events, each with an example. */
  async eventTypes(options?: MonitorOptions): Promise<EventTypesAnswer["eventTypes"]> {
    const request = { field: "eventTypes", path: "/v1/event-types" };
    return (await this.#call<EventTypesAnswer>(request, options)).eventTypes;
  }

  /** Sends an event to the webhook of its monitor again. */
  redeliver(event: string | Pick<ChangeEvent, "id">, options?: MonitorOptions): Promise<ChangeEvent> {
    const id = typeof event === "string" ? event : event.id;
    const path = `/v1/events/${segment(id)}/redeliver`;
    return this.#call({ field: "id", path, method: "POST" }, options);
  }

  /** Returns the settings of the account, its limit and its figures. */
  settings(options?: MonitorOptions): Promise<MonitorSettings> {
    return this.#call({ field: "monitors", path: "/v1/monitor-settings" }, options);
  }

  changeSettings({
    maxTokens,
    weeklyDigest,
    ...options
  }: SettingsChange & MonitorOptions): Promise<MonitorSettings> {
    const body = { maxTokens, weeklyDigest };
    return this.#call({ field: "monitors", path: "/v1/monitor-settings", method: "PATCH", body }, options);
  }

  /** Makes a call within the key's rate. All can be repeated safely. */
  #call<T>(request: Omit<ApiRequest, "operation">, options: MonitorOptions = {}): Promise<T> {
    const whole = { ...request, operation: "monitors", isSafeToRepeat: true };
    return withinRate(this.#transport, options.signal, () => this.#transport.call<T>(whole, options));
  }
}

function pathOf(monitor: MonitorRef): string {
  return `/v1/monitors/${segment(typeof monitor === "string" ? monitor : monitor.id)}`;
}
