import type { Job } from "../../../../../../src/contract/jobs.ts";
import { asFailure } from "../../../../api/failure.ts";
import type { Call } from "../../../../api/publicApi.ts";
import type { Run, Stopped } from "../protocol.ts";
import { type Answer, countOf, outcomeOf } from "./answers.ts";
import { bodyOf, cancelPart, changeOpen, isGone, kindOf, type Part } from "./jobApi.ts";
import type { KeptList, LoadedList, RunParts } from "./outside.ts";
import { ResultReader } from "./resultReader.ts";
import { NEW_RUN, PAUSES, retryMs, stoppedBy } from "./runStates.ts";

/** How often the progress of a job is read: soon after a change, then less and less often. */
const LOOK_MS = { first: 250, longest: 4_000, longestWhenSlow: 30_000 };
/** Without a result for this long, numbers are waiting for a source that does not answer. */
const SLOW_AFTER_MS = 20_000;
/** Any plan has room for so many numbers in jobs. A list that does not fit is looked up in parts, one after the other. */
const MIN_PART = 1_000;

type Wanted = "pause" | "resume" | "discard" | "replan";

/** The lookup of a list's numbers by jobs of the service, which continue without this page. */
export class ListRun {
  readonly #parts: RunParts;
  readonly #numbers: readonly string[];
  readonly #answers: Map<string, Answer>;
  #list: KeptList;
  #run: Run;
  #reader: ResultReader | undefined;
  #charged = 0;
  #partSize = Number.POSITIVE_INFINITY;
  #wanted: Wanted | undefined;
  #isFollowing = false;
  #wake = new AbortController();

  constructor({ list, answers }: Omit<LoadedList, "bytes">, numbers: readonly string[], parts: RunParts) {
    this.#list = list;
    this.#answers = new Map(answers.map((answer) => [answer.number, answer]));
    this.#numbers = numbers;
    this.#parts = parts;
    this.#run = { ...NEW_RUN, isEverything: list.isEverything };
  }

  get answers(): ReadonlyMap<string, Answer> {
    return this.#answers;
  }

  get isEverything(): boolean {
    return this.#list.isEverything;
  }

  state(): Run {
    return { ...this.#run, ...countOf(this.#answers), spent: this.#list.spent + this.#charged };
  }

  /** Starts a new list, of a file. */
  async begin(bytes: LoadedList["bytes"]): Promise<void> {
    this.#isFollowing = true;
    this.#parts.changed();
    await this.#keep(() => this.#parts.keeper?.begin(this.#list, bytes));
    this.#follow();
  }

  /** Continues with a list that was kept. */
  open(): void {
    const { part } = this.#list;
    if (part === undefined) return void this.#stand();
    this.#run = { ...this.#run, isInParts: this.#unanswered().length > part.numbers.length };
    this.#follow();
  }

  #unanswered(): readonly string[] {
    return this.#numbers.filter((number) => !this.#answers.has(number));
  }

  /** The state of a list without a part under way: done, or stopped for a reason. */
  #stand(stopped: Stopped = "ended"): void {
    const isDone = this.#unanswered().length === 0;
    this.#change(isDone ? { phase: "done", stopped: undefined } : { phase: "stopped", stopped });
  }

  pause(): void {
    this.#want("pause", "stopping");
  }

  resume(again: boolean): void {
    if (again) {
      for (const [number, answer] of this.#answers) {
        if (outcomeOf(answer) === "noAnswer") this.#answers.delete(number);
      }
    }
    this.#want("resume", "running");
  }

  discard(keepsFile: boolean): void {
    this.#want(keepsFile ? "replan" : "discard", "stopping");
  }

  #want(wanted: Wanted, phase: Run["phase"]): void {
    this.#wanted = wanted;
    this.#change({ phase, stopped: undefined });
    if (this.#isFollowing) this.#wake.abort();
    else this.#follow();
  }

  #follow(): void {
    this.#isFollowing = true;
    this.#loop()
      .catch(() => this.#change({ phase: "stopped", stopped: "other" }))
      .finally(() => {
        this.#isFollowing = false;
        // Wanted after the last step.
        if (this.#wanted !== undefined) this.#follow();
      });
  }

  async #loop(): Promise<void> {
    let changedAtMs = this.#parts.now();
    let waitMs = LOOK_MS.first;
    let failures = 0;
    for (;;) {
      const before = this.#answers.size;
      const isNudged = this.#wake.signal.aborted;
      this.#wake = new AbortController();
      try {
        if (!(await this.#step())) return;
        if (this.#answers.size !== before || isNudged) changedAtMs = this.#parts.now();
        const isSlow = this.#parts.now() - changedAtMs > SLOW_AFTER_MS;
        this.#change({ isAway: false, isSlow: isSlow && this.#run.phase === "running" });
        const longestMs = isSlow ? LOOK_MS.longestWhenSlow : LOOK_MS.longest;
        waitMs = isNudged || failures > 0 ? LOOK_MS.first : Math.min(longestMs, 2 * waitMs);
        failures = 0;
      } catch (error) {
        const failure = asFailure(error);
        const stopped = stoppedBy(failure);
        if (stopped !== undefined) {
          this.#wanted = undefined;
          return void this.#change({ phase: "stopped", stopped, isAway: false });
        }
        this.#change({ isAway: failure.code !== "RATE_LIMIT_EXCEEDED" && failure.code !== "CONFLICT" });
        waitMs = retryMs(failure, failures);
        failures += 1;
      }
      await this.#parts.sleep(waitMs, this.#wake.signal);
    }
  }

  /** Brings the list one step further. @returns whether there is more to do @throws {Failure} */
  async #step(): Promise<boolean> {
    const { api } = this.#parts;
    if (this.#wanted === "discard" || this.#wanted === "replan") {
      await this.#remove(this.#wanted === "discard" ? "discarded" : "replanned");
      return false;
    }
    const part = this.#list.part ?? (await this.#nextPart());
    if (part === undefined) {
      this.#wanted = undefined;
      this.#change({ phase: "done", stopped: undefined });
      return false;
    }
    if (part.jobId === undefined && this.#wanted === "resume") this.#wanted = undefined;
    const job = part.jobId === undefined ? await this.#start(part) : await this.#look(part.jobId);
    if (job === "smaller") return this.#step();
    if (job === undefined) return this.#end(part, "cancelled");
    this.#charged = job.tokens.charged;
    if (job.status !== "cancelled") {
      this.#reader ??= new ResultReader(api, job.id ?? "");
      await this.#reader.read(job.counts.done, (answers) => {
        for (const answer of answers) this.#answers.set(answer.number, answer);
        this.#change({});
      });
    }
    if (job.status === "paused") {
      this.#change({ phase: "stopped", stopped: PAUSES[job.reason ?? "caller"], goesOnUntil: job.expiresAt });
    } else if (job.status === "queued" || job.status === "running") {
      this.#change({ phase: this.#wanted === undefined ? "running" : "stopping", stopped: undefined });
    } else return this.#end(part, job.status ?? "cancelled");
    return true;
  }

  /** The next numbers to look up, kept before they are sent. */
  async #nextPart(): Promise<Part | undefined> {
    const numbers = this.#unanswered().slice(0, this.#partSize);
    if (numbers.length === 0) return undefined;
    const part = { key: crypto.randomUUID(), numbers };
    await this.#update({ part });
    this.#change({ isInParts: this.#unanswered().length > numbers.length });
    return part;
  }

  async #start(part: Part): Promise<Job | "smaller"> {
    const call = await this.#parts.api.start(part.numbers, kindOf(this.isEverything), part.key);
    const size = part.numbers.length;
    if ("failure" in call.outcome && call.outcome.failure.code === "FORBIDDEN" && size > MIN_PART) {
      this.#partSize = Math.max(MIN_PART, Math.ceil(size / 2));
      await this.#update({ part: undefined });
      return "smaller";
    }
    const job = this.#bodyOf(call);
    if (job.id !== undefined) await this.#update({ part: { ...part, jobId: job.id } });
    return job;
  }

  /** Reads a job, after the change that the reader wants; undefined when the service no longer has it. */
  async #look(jobId: string): Promise<Job | undefined> {
    const { api } = this.#parts;
    const wanted = this.#wanted;
    if (wanted === "pause" || wanted === "resume") {
      await changeOpen(api, jobId, wanted);
      if (this.#wanted === wanted) this.#wanted = undefined;
    }
    const call = await api.read(jobId);
    return isGone(call) ? undefined : this.#bodyOf(call);
  }

  /** Keeps the answers of a part that has ended, then deletes its job, whose numbers take up room. */
  async #end(part: Part, status: NonNullable<Job["status"]>): Promise<boolean> {
    if (status === "completed") {
      for (const number of part.numbers) {
        if (!this.#answers.has(number)) this.#answers.set(number, { number, code: "INTERNAL_ERROR" });
      }
    }
    const answers = part.numbers.flatMap((number) => this.#answers.get(number) ?? []);
    const spent = this.#list.spent + this.#charged;
    this.#charged = 0;
    this.#reader = undefined;
    await this.#update({ part: undefined, spent }, answers);
    if (this.#run.isKept && status !== "cancelled") {
      // What is left of it is deleted after a week in any case.
      await cancelPart(this.#parts.api, part, this.isEverything).catch(() => undefined);
    }
    if (status === "completed" && this.#wanted !== "pause") return true;
    this.#wanted = undefined;
    this.#stand(status === "completed" ? "caller" : "ended");
    return false;
  }

  async #remove(event: "discarded" | "replanned"): Promise<void> {
    const { api, keeper, changed } = this.#parts;
    const { part, accountId } = this.#list;
    if (part !== undefined) await cancelPart(api, part, this.isEverything);
    await this.#keep(() => keeper?.remove(accountId));
    this.#wanted = undefined;
    changed(event);
  }

  async #update(
    more: { part?: Part | undefined; spent?: number },
    answers?: readonly Answer[],
  ): Promise<void> {
    const { part, ...rest } = { ...this.#list, ...more, keptAtMs: this.#parts.now() };
    this.#list = { ...rest, ...(part !== undefined && { part }) };
    await this.#keep(() => this.#parts.keeper?.update(this.#list, answers));
  }

  /** Keeps something in the browser; where that fails, the list goes on without and says so. */
  async #keep(keep: () => Promise<void> | undefined): Promise<void> {
    try {
      const kept = keep();
      if (kept === undefined) throw new Error("the browser keeps nothing");
      await kept;
    } catch {
      this.#change({ isKept: false });
    }
  }

  #bodyOf<T>(call: Call<T>): T {
    const body = bodyOf(call);
    this.#run = { ...this.#run, remaining: call.cost.remaining ?? this.#run.remaining };
    return body;
  }

  #change(more: Partial<Run>): void {
    this.#run = { ...this.#run, ...more };
    this.#parts.changed();
  }
}
