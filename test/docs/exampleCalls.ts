/** The calls that the docs page offers, made to the demo: their values, and their responses as the page shows them. */
import { setTimeout as wait } from "node:timers/promises";
import { firstValues, type Values } from "../../dashboard/src/docs/document/examples.ts";
import type { ApiDocument, Operation } from "../../dashboard/src/docs/document/openapi.ts";
import { type Answer, jsonOf } from "../kit/answer.ts";
import { ask } from "../kit/client.ts";
import type { Service } from "../kit/service.ts";
import { until } from "../kit/until.ts";

export class ExampleCalls {
  readonly #demo: Service;
  readonly #document: ApiDocument;
  /** The current list of each caller, until it is resumed or cancelled. */
  readonly #lists = new Map<string, Promise<string>>();

  constructor(demo: Service, document: ApiDocument) {
    this.#demo = demo;
    this.#document = document;
  }

  /** The initial values of a call; for calls about a list, a monitor or an event, those of an existing one. */
  async valuesOf(operation: Operation, caller: string): Promise<Values> {
    const values = firstValues(this.#document, operation);
    const { path } = values;
    const within = (ids: Values["path"]): Values => ({ ...values, path: { ...path, ...ids } });
    if (path["monitorId"] !== undefined) return within({ monitorId: await this.#newMonitor(caller) });
    if (path["eventId"] !== undefined) return within({ eventId: await this.#newEvent(caller) });
    if (path["jobId"] === undefined) return values;
    const list = this.#lists.get(caller) ?? this.#pausedList(caller);
    this.#lists.set(caller, list);
    // A resumed list changes its state, so the next call needs another.
    if (/\/(?:resume|cancel)$/.test(operation.path)) this.#lists.delete(caller);
    return within({ jobId: await list });
  }

  /** Whether there is a list that has ended. */
  async hasEndedList(caller: string): Promise<boolean> {
    return (await this.#look("/v1/jobs", caller)).includes('"status":"completed"');
  }

  /** A list that stopped at its cap after the first of its two numbers. @returns its id */
  async #pausedList(caller: string): Promise<string> {
    const sent = await ask(this.#demo, {
      method: "POST",
      path: "/v1/jobs?kind=lookup&maxTokens=1",
      key: caller,
      body: '"51234567"\n"09876543"\n',
      headers: { "content-type": "application/x-ndjson" },
    });
    const { id } = jsonOf(sent) as { id: string };
    await until("the list is paused", async () =>
      (await this.#look(`/v1/jobs/${id}`, caller)).includes('"status":"paused"'),
    );
    return id;
  }

  /** A monitor with a webhook. @returns its id */
  async #newMonitor(caller: string, kvkNumber = "51234567"): Promise<string> {
    await this.#post("/v1/webhook-secret", caller);
    const body = {
      kvkNumbers: [kvkNumber],
      metadata: { debtor: "1042" },
      webhook: "https://example.com/hooks/opzoek",
    };
    const added = await this.#post("/v1/monitors", caller, body);
    const [monitor] = (jsonOf(added) as { results: { id: string }[] }).results;
    return monitor?.id ?? "";
  }

  /** A change of a test company with a webhook. @param testKey companies of the demo do not change @returns its id */
  async #newEvent(testKey: string): Promise<string> {
    await this.#newMonitor(testKey, "99990301");
    const { events } = JSON.parse(await this.#look("/v1/changes", testKey)) as { events: { id: string }[] };
    return events.at(-1)?.id ?? "";
  }

  #post(path: string, key: string, body?: unknown): Promise<Answer> {
    return ask(this.#demo, { method: "POST", path, key, body });
  }

  /** Each poll takes a slot of the key's rate. */
  async #look(path: string, key: string): Promise<string> {
    await wait(1_000);
    return (await ask(this.#demo, { path, key })).text;
  }
}

/** Values that change over time; the page shows those of one day. */
const OF_ITS_TIME: Readonly<Record<string, unknown>> = {
  validatedAt: "2026-11-21T12:00:00.000Z",
  timestamp: "2026-11-21T12:00:00.000Z",
  start: "2026-11-01T00:00:00.000Z",
  end: "2026-12-01T00:00:00.000Z",
  rateLimit: { limit: 60, remaining: 53, reset: 1_795_262_460 },
  id: "job_0123456789abcdefABCDEF",
  createdAt: "2026-11-21T12:00:00.000Z",
  checkedAt: "2026-11-21T12:00:00.000Z",
  startedAt: "2026-11-21T12:00:00.200Z",
  endedAt: "2026-11-21T12:00:00.400Z",
  resultsUntil: "2026-11-28T12:00:00.400Z",
  observedAt: "2026-11-21T12:00:00.000Z",
  lastDataAt: "2026-11-21T12:00:00.000Z",
  cachedAt: "2026-01-01T00:00:00.000Z",
  eventId: "evt_0123456789abcdefABCDEF",
  next: "AAAAAAAAABnsMWgv3lYZFw",
  token: "opz_tok_…",
  expiresAt: "2026-11-21T12:15:00.000Z",
  secret: "whsec_…",
};

/** A token's expiry has the same name. */
const LIST_EXPIRES_AT = "2026-12-26T12:00:00.000Z";

/** The id that the page shows: that of a query is as it was sent. */
function shownId(id: string): string {
  return id.replace(/^(job|mon|evt)_.*/, "$1_0123456789abcdefABCDEF");
}

/** Monitors that were added together are listed in any order. */
function byNumber(one: { readonly kvkNumber: string }, other: { readonly kvkNumber: string }): number {
  return one.kvkNumber.localeCompare(other.kvkNumber);
}

/** Calls that poll for an event vary. */
function withoutPolls(used: { readonly operation: string }): object {
  return used.operation === "monitors" ? { ...used, requests: 20 } : used;
}

/** The value that the page shows for a field. */
export function shown(operationId: string, name: string, value: unknown): unknown {
  if (name === "expiresAt" && operationId.includes("jobs")) return LIST_EXPIRES_AT;
  if (name === "id") return shownId(String(value));
  if (name === "monitors" && Array.isArray(value)) return value.toSorted(byNumber);
  if (name === "operations" && Array.isArray(value)) return value.map(withoutPolls);
  return Object.hasOwn(OF_ITS_TIME, name) ? OF_ITS_TIME[name] : value;
}
