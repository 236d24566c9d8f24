/** Calls about lists to a running service. */
import type { Agent } from "node:http";
import { setTimeout as wait } from "node:timers/promises";
import type { Job } from "../../src/contract/jobs.ts";
import { type Answer, jsonOf } from "../kit/answer.ts";
import { ask } from "../kit/client.ts";
import { until } from "../kit/until.ts";

export interface At {
  readonly port: number;
  /** The agent whose connections are used; a new connection for each call when omitted. */
  readonly agent?: Agent;
}

/** Sends numbers as JSON lines; `query` follows the kind. */
export function send(
  service: At,
  key: string,
  numbers: readonly string[],
  query = "kind=lookup",
): Promise<Answer> {
  const body = numbers.map((number) => `${JSON.stringify(number)}\n`).join("");
  const headers = { "content-type": "application/x-ndjson" };
  return ask(service, { method: "POST", path: `/v1/jobs?${query}`, key, headers, body }, service.agent);
}

/** Sends a list that must be accepted. */
export async function begun(
  service: At,
  key: string,
  numbers: readonly string[],
  query?: string,
): Promise<Listed> {
  const answer = await send(service, key, numbers, query);
  if (answer.status !== 202) throw new Error(`the list was not accepted: ${answer.text}`);
  return jsonOf(answer) as Listed;
}

/** An accepted list. */
export type Listed = Job & { readonly id: string };

export async function list(service: At, key: string, id: string): Promise<Listed> {
  const answer = await ask(service, { path: `/v1/jobs/${id}`, key }, service.agent);
  if (answer.status !== 200) throw new Error(`the list cannot be read: ${answer.text}`);
  return jsonOf(answer) as Listed;
}

export function change(service: At, key: string, id: string, how: string): Promise<Answer> {
  return ask(service, { method: "POST", path: `/v1/jobs/${id}/${how}`, key });
}

/** Far longer than a test's list takes. */
const WITHIN_MS = 120_000;
const FIRST_LOOK_MS = 25;
/** Progress calls use the rate too, so polls are rare. */
const POLL_INTERVAL_MS = 1_000;

/** Waits until a list satisfies `is`. */
export async function listWhen(
  service: At,
  key: string,
  id: string,
  is: (listed: Listed) => boolean,
): Promise<Listed> {
  const endsMs = performance.now() + WITHIN_MS;
  for (let waitMs = FIRST_LOOK_MS; ; waitMs = Math.min(POLL_INTERVAL_MS, waitMs * 1.5)) {
    const listed = await list(service, key, id);
    if (is(listed)) return listed;
    if (performance.now() >= endsMs)
      throw new Error(`the list did not reach that state: ${JSON.stringify(listed)}`);
    await wait(waitMs);
  }
}

export function completed(service: At, key: string, id: string): Promise<Listed> {
  return listWhen(service, key, id, ({ status }) => status === "completed");
}

export interface Line {
  readonly number: string;
  readonly result?: Readonly<Record<string, unknown>>;
  readonly error?: { readonly code: string };
}

export async function results(service: At, key: string, id: string): Promise<readonly Line[]> {
  return (await linesOf(service, key, id)).map((line) => JSON.parse(line) as Line);
}

/** The result of a row of a list to match. */
export interface RowLine {
  readonly row: number;
  readonly id?: string;
  readonly result?: {
    readonly decision: string;
    readonly notes?: readonly { readonly code: string }[];
    readonly candidates: readonly {
      readonly kvkNumber: string;
      readonly score: number;
      readonly name: string;
    }[];
  };
  readonly error?: { readonly code: string };
}

export async function rowResults(service: At, key: string, id: string): Promise<readonly RowLine[]> {
  return (await linesOf(service, key, id)).map((line) => JSON.parse(line) as RowLine);
}

async function linesOf(service: At, key: string, id: string): Promise<readonly string[]> {
  const { text } = await ask(service, { path: `/v1/jobs/${id}/results`, key });
  return text.split("\n").filter((line) => line !== "");
}

/** The lists of an account, the current one, and its progress at the last poll. */
export class RunningLists {
  readonly ids: string[] = [];
  readonly #key: string;
  readonly #numbers: readonly string[];
  readonly #query: string | undefined;
  #done = 0;

  constructor(key: string, numbers: readonly string[], query?: string) {
    this.#key = key;
    this.#numbers = numbers;
    this.#query = query;
  }

  /** Waits until the current list has progressed but not ended; if it ended before the first poll, sends another. */
  async waitForProgress(service: At): Promise<void> {
    await until("a list progresses", async () => {
      const id = this.ids.at(-1) ?? (await this.#begin(service));
      const { status, counts } = await list(service, this.#key, id);
      if (status === "completed") await this.#begin(service);
      else if (counts.done > this.#done) {
        this.#done = counts.done;
        return true;
      }
      return false;
    });
  }

  async #begin(service: At): Promise<string> {
    const { id } = await begun(service, this.#key, this.#numbers, this.#query);
    this.ids.push(id);
    this.#done = 0;
    return id;
  }
}
