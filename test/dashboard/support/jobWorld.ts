/** An in-memory browser and service for lists on the page: each read of a job processes a part of it. */
import { setImmediate as nextTurn } from "node:timers/promises";
import { Failure, type FailureCode } from "../../../dashboard/src/api/failure.ts";
import type { Call } from "../../../dashboard/src/api/publicApi.ts";
import { kindOf } from "../../../dashboard/src/pages/try/list/job/added.ts";
import { type Answer, isNumberKey } from "../../../dashboard/src/pages/try/list/job/answers.ts";
import type { JobApi, RunParts, StoredList } from "../../../dashboard/src/pages/try/list/job/jobApi.ts";
import { ListRun } from "../../../dashboard/src/pages/try/list/job/listRun.ts";
import type { Job } from "../../../src/contract/jobs.ts";

/** A number without a company. */
const NO_COMPANY = "50000002";

interface FakeJob {
  readonly id: string;
  readonly numbers: readonly string[];
  lines: string;
  done: number;
  status: NonNullable<Job["status"]>;
  reason?: NonNullable<Job["reason"]>;
  charged: number;
  maxTokens: number;
}

/** Reasons after which a stopped list is still followed. */
const WAITING: readonly string[] = ["allowance", "caller", "cap"];

const OUTAGES: readonly FailureCode[] = ["UNREACHABLE", "SERVICE_UNAVAILABLE", "INTERNAL_ERROR"];
export type Refusal = FailureCode | "lost";

/** A service that processes `perLook` numbers each time a job is read, and a browser that stores one list. */
export class JobWorld {
  readonly jobs = new Map<string, FakeJob>();
  readonly refusals: Refusal[] = [];
  readonly waitsMs: number[] = [];
  perLook = 700;
  room = Number.POSITIVE_INFINITY;
  /** The maximum that a new list may cost. */
  maxTokens: number | undefined;
  tokens = Number.POSITIVE_INFINITY;
  charged = 0;
  stored: StoredList | undefined;
  answers: readonly Answer[] = [];
  run: ListRun | undefined;
  /** Called before each wait of the page. */
  beforeWait: () => void = () => {};
  #nowMs = 0;
  #isClosed = false;
  #isStill = false;
  #release = Promise.withResolvers<void>();

  /** Opens the stored list like a new page, and follows it until it is done or stopped. */
  async open(numbers: readonly string[]): Promise<ListRun> {
    const list = this.stored ?? {
      ...{ accountId: "acc_1", name: "a.csv", sheet: 0, bytes: new Uint8Array() },
      ...{ adds: "basic" as const, spent: 0, answered: 0, expiresAtMs: 0, maxTokens: this.maxTokens },
      reading: { kind: "list" as const, columns: { kvkNumber: 0, name: 1 }, headRow: 0, completes: true },
    };
    const isNew = this.stored === undefined;
    const run = new ListRun(list, numbers, this.answers, this.#parts());
    this.run = run;
    this.#isClosed = false;
    if (isNew) run.resume();
    else run.open();
    await this.settled(run);
    return run;
  }

  /** Waits until a list is done or stopped. */
  async settled(run: ListRun): Promise<void> {
    await this.until(() => {
      const { phase, stopped } = run.state();
      return (
        this.run !== run ||
        phase === "done" ||
        (phase === "stopped" && (this.#isStill || this.jobs.size === 0 || !WAITING.includes(stopped ?? "")))
      );
    });
  }

  async until(isReached: () => boolean): Promise<void> {
    for (let turn = 0; turn < 5_000; turn += 1) {
      if (isReached()) return;
      await nextTurn();
    }
    throw new Error(`the list stays at ${JSON.stringify(this.run?.state())}`);
  }

  /** Closes the page at its next wait. */
  close(): void {
    this.#isClosed = true;
  }

  /** Ends the wait of a list that is paused. */
  goOn(): void {
    this.#release.resolve();
    this.#release = Promise.withResolvers();
  }

  #parts(): RunParts {
    return {
      api: this.#api(),
      keeper: {
        put: async (list) => {
          this.stored = list;
        },
        putAnswers: async (_accountId, answers) => {
          this.answers = answers;
        },
        remove: async () => {
          this.stored = undefined;
          this.answers = [];
        },
      },
      now: () => this.#nowMs,
      sleep: async (ms, signal) => {
        this.waitsMs.push(ms);
        this.#nowMs += ms;
        this.beforeWait();
        if (this.#isClosed) return new Promise<void>(() => {});
        const isPaused = [...this.jobs.values()].some(({ status }) => status === "paused");
        if (!isPaused || signal.aborted) return;
        this.#isStill = true;
        const woken = new Promise<void>((resolve) => signal.addEventListener("abort", () => resolve()));
        await Promise.race([woken, this.#release.promise]);
        this.#isStill = false;
      },
      nextTask: () => nextTurn(),
      changed: () => {},
    };
  }

  #api(): JobApi {
    return {
      start: async (list, { keys: numbers, idempotencyKey: key, maxTokens }) => {
        if (this.refusals[0] === "lost") {
          this.refusals.shift();
          this.#take(numbers, key, maxTokens);
          throw new Failure("UNREACHABLE", 0, "no answer");
        }
        this.#refuse();
        const total = [...this.jobs.values()].reduce((sum, job) => sum + job.numbers.length, 0);
        if (!this.jobs.has(key) && total + numbers.length > this.room) {
          return callOf<Job>({ failure: new Failure("FORBIDDEN", 403, "no room") });
        }
        return callOf({ body: shown(this.#take(numbers, key, maxTokens), kindOf(list.adds, numbers)) });
      },
      read: async (id) => {
        this.#refuse();
        const job = this.#find(id);
        if (job === undefined) return callOf<Job>({ failure: new Failure("NOT_FOUND", 404, "gone") });
        this.#work(job);
        return callOf({ body: shown(job) });
      },
      change: async (id, change, maxTokens) => {
        this.#refuse();
        const job = this.#find(id);
        if (job === undefined) return callOf<Job>({ failure: new Failure("NOT_FOUND", 404, "gone") });
        if (change === "cancel") {
          for (const [key, one] of this.jobs) if (one === job) this.jobs.delete(key);
          return callOf({ body: shown({ ...job, status: "cancelled" }) });
        }
        job.maxTokens = maxTokens ?? job.maxTokens;
        job.status = change === "pause" ? "paused" : "running";
        job.reason = "caller";
        return callOf({ body: shown(job) });
      },
      results: async (id, from, to) => {
        this.#refuse();
        const bytes = Buffer.from(this.#find(id)?.lines ?? "");
        if (from >= bytes.length) {
          return callOf<string>({ failure: new Failure("RANGE_NOT_SATISFIABLE", 416, "beyond") });
        }
        return callOf({ body: bytes.subarray(from, to + 1).toString() });
      },
    };
  }

  #find(id: string): FakeJob | undefined {
    return [...this.jobs.values()].find((job) => job.id === id);
  }

  #take(numbers: readonly string[], key: string, maxTokens = Number.POSITIVE_INFINITY): FakeJob {
    const job = this.jobs.get(key) ?? {
      id: `job_${key}`,
      numbers,
      lines: "",
      done: 0,
      status: "queued" as const,
      charged: 0,
      maxTokens,
    };
    this.jobs.set(key, job);
    return job;
  }

  #work(job: FakeJob): void {
    if (job.status === "paused" && job.reason === "allowance" && this.tokens > 0) job.status = "running";
    if (job.status !== "queued" && job.status !== "running") return;
    job.status = "running";
    for (const number of job.numbers.slice(job.done, job.done + this.perLook)) {
      if (this.tokens === 0 || job.charged === job.maxTokens) {
        job.status = "paused";
        job.reason = this.tokens === 0 ? "allowance" : "cap";
        return;
      }
      const address = { city: "'s-Gravenhage é" };
      const row = job.numbers.indexOf(number) + 1;
      const line = !isNumberKey(number)
        ? { row, result: { decision: "matched", candidates: [] } }
        : number === NO_COMPANY
          ? { number, error: { code: "NOT_FOUND", message: "" } }
          : { number, result: { kvkNumber: number, name: "Veer", isActive: true, address } };
      job.lines += `${JSON.stringify(line)}\n`;
      job.done += 1;
      if (number === NO_COMPANY) continue;
      this.tokens -= 1;
      this.charged += 1;
      job.charged += 1;
    }
    if (job.done === job.numbers.length) job.status = "completed";
  }

  #refuse(): void {
    const code = this.refusals.shift();
    if (code !== undefined && code !== "lost")
      throw new Failure(code, OUTAGES.includes(code) ? 503 : 400, code);
  }
}

function shown({ id, numbers, done, charged, status, reason }: FakeJob, kind: Job["kind"] = "lookup"): Job {
  const sent = numbers.length;
  const counts = { sent, duplicates: 0, numbers: sent, done, found: done, failed: 0 };
  return {
    ...{ id, kind, status, counts, tokens: { estimated: sent, charged } },
    ...(status === "paused" && reason !== undefined && { reason }),
  };
}

function callOf<T>(outcome: Call<T>["outcome"]): Call<T> {
  const request = { method: "GET", path: "/v1/jobs", body: undefined } as const;
  const cost = { charged: 0, remaining: undefined };
  return { outcome, cost, request, raw: { status: 200, headers: {}, durationMs: 1 } };
}
