import { type Job, priceOfItem } from "../../../../../../src/contract/jobs.ts";
import { known } from "../../../../../../src/lib/values.ts";
import { asFailure, type Failure } from "../../../../api/failure.ts";
import { bodyOf } from "../../../../api/publicApi.ts";
import { type Added, kindOf } from "./added.ts";
import { type Answer, countOf, isNumberKey, outcomeOf } from "./answers.ts";
import {
  cancelJob,
  changeOpen,
  isGone,
  keptMs,
  type ListStorage,
  PAUSES,
  type RunParts,
  retryMs,
  type SentJob,
  type Stopped,
  type StoredList,
  stoppedBy,
} from "./jobApi.ts";
import { ResultReader } from "./resultReader.ts";

interface Progress {
  /** `stopping`: the customer has paused or removed it, and the service has not confirmed that yet. */
  readonly phase: "running" | "stopping" | "stopped" | "done";
  readonly stopped?: Stopped | undefined;
  /** Whether there was no new result for a while. */
  readonly isSlow?: boolean;
  /** Until when a list waits for new tokens, ISO 8601. */
  readonly waitsUntil?: string | undefined;
  /** Whether it survives a reload. */
  readonly isKept: boolean;
}

/** A started list. Its counts are of keys; `spent` is in tokens; `isLast`: no other job follows the running one. */
export type Run = Progress &
  ReturnType<typeof countOf> & { readonly spent: number; readonly isLast: boolean };

/** Pauses between reads of a job: short after a change, then longer. */
const POLL_MS = { first: 250, longest: 4_000, longestWhenSlow: 30_000 };
const SLOW_AFTER_MS = 20_000;

type Command = "pause" | "resume" | "discarded" | "replanned";

/** Processes a list with a job of the service, which continues without this page. */
export class ListRun {
  readonly #parts: RunParts;
  readonly #keys: readonly string[];
  readonly #answers: Map<string, Answer>;
  #list: StoredList;
  #progress: Progress = { phase: "running", isKept: true };
  #reader: ResultReader | undefined;
  #charged = 0;
  #command: Command | undefined;
  #isFollowing = false;
  #isEnded = false;
  #wake = new AbortController();

  /** @param answers the results of ended jobs */
  constructor(list: StoredList, keys: readonly string[], answers: readonly Answer[], parts: RunParts) {
    this.#list = list;
    this.#answers = new Map(answers.map((answer) => [answer.key, answer]));
    this.#keys = keys;
    this.#parts = parts;
  }

  get answers(): ReadonlyMap<string, Answer> {
    return this.#answers;
  }

  get adds(): Added {
    return this.#list.adds;
  }

  state(): Run {
    const { sent, spent } = this.#list;
    const isOfNumbers = isNumberKey(sent?.keys[0] ?? "");
    const isLast = sent?.jobId !== undefined && isOfNumbers === isNumberKey(this.#keys.at(-1) ?? "");
    return { ...this.#progress, ...countOf(this.#answers), isLast, spent: spent + this.#charged };
  }

  /** Continues with a stored list. */
  open(): void {
    if (this.#list.sent === undefined) this.#stand();
    else this.#follow();
  }

  pause(): void {
    this.#request("pause", "stopping");
  }

  /** Starts or continues the list. @param again also retries what has no answer */
  resume(again = false): void {
    for (const [key, answer] of again ? this.#answers : []) {
      if (outcomeOf(answer) === "noAnswer") this.#answers.delete(key);
    }
    if (this.#progress.stopped === "cap") this.#list = { ...this.#list, maxTokens: undefined };
    this.#request("resume", "running");
  }

  /** Deletes the list with its results; `keepsFile` keeps the file, to choose another sheet of it. */
  discard(keepsFile: boolean): void {
    this.#request(keepsFile ? "replanned" : "discarded", "stopping");
  }

  /** Stops following the list, which continues at the service. */
  end(): void {
    this.#isEnded = true;
    this.#wake.abort();
  }

  #unanswered(): readonly string[] {
    return this.#keys.filter((key) => !this.#answers.has(key));
  }

  /** Shows a list that has no running job. */
  #stand(): false {
    if (this.#command === "pause" || this.#command === "resume") this.#command = undefined;
    if (this.#unanswered().length === 0) this.#change({ phase: "done", stopped: undefined });
    else this.#change({ phase: "stopped", stopped: this.#nextJob() === undefined ? "cap" : "ended" });
    return false;
  }

  #request(command: Command, phase: Progress["phase"]): void {
    this.#command = command;
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
        // Requested after the last step.
        if (this.#command !== undefined && !this.#isEnded) this.#follow();
      });
  }

  async #loop(): Promise<void> {
    let changedAtMs = this.#parts.now();
    let waitMs = POLL_MS.first;
    let failures = 0;
    while (!this.#isEnded) {
      const before = this.#answers.size;
      const isNudged = this.#wake.signal.aborted;
      this.#wake = new AbortController();
      let failure: Failure | undefined;
      try {
        if (!(await this.#step())) return;
      } catch (error) {
        failure = asFailure(error);
        const stopped = stoppedBy(failure);
        if (stopped !== undefined) {
          this.#command = undefined;
          return this.#change({ phase: "stopped", stopped });
        }
      }
      if (this.#answers.size !== before || isNudged) changedAtMs = this.#parts.now();
      const isSlow = this.#parts.now() - changedAtMs > SLOW_AFTER_MS;
      this.#change({ isSlow: isSlow && this.#progress.phase === "running" });
      const longestMs = isSlow ? POLL_MS.longestWhenSlow : POLL_MS.longest;
      if (failure !== undefined) waitMs = retryMs(failure, failures);
      else waitMs = isNudged || failures > 0 ? POLL_MS.first : Math.min(longestMs, 2 * waitMs);
      failures = failure === undefined ? 0 : failures + 1;
      await this.#parts.sleep(waitMs, this.#wake.signal);
    }
  }

  /** Does the next step of the list. @returns whether there is more to do @throws {Failure} */
  async #step(): Promise<boolean> {
    if (this.#command === "discarded" || this.#command === "replanned") return this.#remove(this.#command);
    await this.#keepPreview();
    const sent = this.#list.sent ?? this.#nextJob();
    if (sent === undefined) return this.#stand();
    // Stored before it is sent.
    if (sent !== this.#list.sent) await this.#update({ sent });
    const job = sent.jobId === undefined ? await this.#start(sent) : await this.#look(sent, sent.jobId);
    if (job === undefined) return this.#end(sent, "cancelled");
    this.#charged = job.tokens.charged;
    if (job.status !== "cancelled") {
      this.#reader ??= new ResultReader(this.#parts, job.id ?? "", sent.keys);
      await this.#reader.read(job.counts.done, (answers) => {
        for (const answer of answers) this.#answers.set(answer.key, answer);
        this.#change({});
      });
    }
    if (job.status === "paused") {
      this.#change({ phase: "stopped", stopped: PAUSES[job.reason ?? "caller"], waitsUntil: job.expiresAt });
    } else if (job.status === "queued" || job.status === "running") {
      this.#change({ phase: this.#command === undefined ? "running" : "stopping", stopped: undefined });
    } else return this.#end(sent, job.status ?? "cancelled");
    return true;
  }

  /** Returns a job for the unanswered keys of one kind; undefined without any, or if no token may be spent. */
  #nextJob(spent = this.#list.spent): SentJob | undefined {
    const [unanswered, { maxTokens }] = [this.#unanswered(), this.#list];
    const left = maxTokens === undefined ? undefined : maxTokens - spent;
    const numbers = unanswered.filter(isNumberKey);
    const keys = numbers.length > 0 ? numbers : unanswered;
    if (keys.length === 0 || (left ?? 1) < 1) return undefined;
    return { idempotencyKey: crypto.randomUUID(), keys, ...known("maxTokens", left) };
  }

  /** Stores the results of a preview. */
  async #keepPreview(): Promise<void> {
    const { accountId, answered, sent } = this.#list;
    const answers = [...this.#answers.values()];
    if (sent !== undefined || answers.length <= answered) return;
    await this.#stored((keeper) => keeper.putAnswers(accountId, answers));
    await this.#update({ sent, answered: answers.length });
  }

  async #start(sent: SentJob): Promise<Job | undefined> {
    if (this.#command === "resume") this.#command = undefined;
    const job = bodyOf(await this.#parts.api.start(this.#list, sent));
    if (job.id === undefined) return job;
    // Paused while it was being sent: pauses it now, because the service is fast.
    const latest = this.#command === "pause" ? await this.#look(sent, job.id) : job;
    await this.#update({ sent: { ...sent, jobId: job.id } });
    return latest;
  }

  /** Pauses or resumes a job if requested, and reads it; undefined when the service no longer has it. */
  async #look({ keys, maxTokens }: SentJob, jobId: string): Promise<Job | undefined> {
    const { api } = this.#parts;
    const command = this.#command;
    if (command === "pause" || command === "resume") {
      const isLifted = command === "resume" && maxTokens !== undefined && this.#list.maxTokens === undefined;
      const whole = keys.length * priceOfItem(kindOf(this.#list.adds, keys));
      await changeOpen(api, jobId, command, isLifted ? whole : undefined);
      if (this.#command === command) this.#command = undefined;
    }
    const call = await api.read(jobId);
    return isGone(call) ? undefined : bodyOf(call);
  }

  /** Stores the results of an ended job, then deletes it, because its keys count towards a limit. */
  async #end(sent: SentJob, status: NonNullable<Job["status"]>): Promise<boolean> {
    for (const key of status === "completed" ? sent.keys : []) {
      if (!this.#answers.has(key)) this.#answers.set(key, { key, error: { code: "INTERNAL_ERROR" } });
    }
    const spent = this.#list.spent + this.#charged;
    this.#charged = 0;
    this.#reader = undefined;
    const answers = [...this.#answers.values()];
    await this.#stored((keeper) => keeper.putAnswers(this.#list.accountId, answers));
    // The rows to match follow the numbers.
    const next = status === "completed" ? this.#nextJob(spent) : undefined;
    await this.#update({ sent: next, spent, answered: answers.length });
    if (this.#progress.isKept && status !== "cancelled") {
      // The service deletes its results after a week in any case.
      await cancelJob(this.#parts.api, this.#list, sent).catch(() => undefined);
    }
    return next !== undefined || this.#stand();
  }

  async #remove(event: "discarded" | "replanned"): Promise<false> {
    const { api, keeper, changed } = this.#parts;
    const { sent, accountId } = this.#list;
    if (sent !== undefined) await cancelJob(api, this.#list, sent);
    await keeper?.remove(accountId).catch(() => undefined);
    this.#command = undefined;
    changed(event);
    return false;
  }

  /** Changes the list and stores it. If the browser cannot store it, the list continues in memory. */
  async #update(
    change: Partial<Omit<StoredList, "sent">> & { readonly sent: SentJob | undefined },
  ): Promise<void> {
    const { sent, ...rest } = { ...this.#list, ...change };
    this.#list = {
      ...rest,
      expiresAtMs: this.#parts.now() + keptMs(sent),
      ...(sent !== undefined && { sent }),
    };
    await this.#stored((keeper) => keeper.put(this.#list));
  }

  /** Stores something, and reports if the browser cannot. */
  async #stored(put: (keeper: ListStorage) => Promise<void>): Promise<void> {
    const { keeper } = this.#parts;
    const isKept =
      keeper !== undefined &&
      (await put(keeper).then(
        () => true,
        () => false,
      ));
    if (!isKept) this.#change({ isKept: false });
  }

  #change(more: Partial<Progress>): void {
    this.#progress = { ...this.#progress, ...more };
    this.#parts.changed();
  }
}
