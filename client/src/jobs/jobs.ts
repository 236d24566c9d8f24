import type { JobsAnswer, ResumeQuery, SubmitQuery, WebhookSecretAnswer } from "../api/calls.ts";
import type { Balance } from "../state.ts";
import { type CallOptions, type ClientOptions, segment, Transport } from "../transport.ts";
import { type DownloadOptions, downloadResults, type ResultsPart } from "./download.ts";
import { linesIn } from "./lines.ts";
import { type SubmitOptions, submitList } from "./submit.ts";
import type { JobKind, JobRef, PricedJob, ResultLine, SubmittedJob } from "./types.ts";
import { type WaitOptions, waitForEnd } from "./wait.ts";

/** Options of calls about a list. All are free and count as a call of the minute. */
export type JobOptions = Omit<CallOptions, "idempotencyKey">;
/** Options of `resume()`. */
export type ResumeOptions = JobOptions & ResumeQuery;
/** Options of `results()`. */
export type ResultsOptions = Omit<DownloadOptions, "format" | "from">;

/**
 * Lists of up to 100,000 numbers that the service processes in the background.
 * Every method rejects with an {@link OpzoekError}.
 *
 * @example
 * ```ts
 * const jobs = new Jobs({ baseUrl: "https://opzoek.example", key });
 * const job = await jobs.submit(["51234567", "09876543"], { kind: "lookup" });
 * await jobs.wait(job);
 * for await (const { number, result, error } of jobs.results(job)) console.log(number, result?.name ?? error?.code);
 * ```
 */
export class Jobs {
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
   * Sends a list: numbers, or JSON lines or CSV. With `dryRun` only its price is returned. A program that may restart
   * passes its own `idempotencyKey`: while the list is stored, the same key returns that list.
   */
  submit<Kind extends JobKind>(
    numbers: string | Blob | Iterable<string>,
    options: SubmitOptions<Kind> & { readonly dryRun: true },
  ): Promise<PricedJob<Kind>>;
  submit<Kind extends JobKind>(
    numbers: string | Blob | Iterable<string>,
    options: SubmitOptions<Kind> & { readonly dryRun?: false },
  ): Promise<SubmittedJob<Kind>>;
  submit<Kind extends JobKind>(
    numbers: string | Blob | Iterable<string>,
    options: SubmitOptions<Kind>,
  ): Promise<SubmittedJob<Kind> | PricedJob<Kind>>;
  submit(numbers: string | Blob | Iterable<string>, options: SubmitOptions & SubmitQuery): Promise<unknown> {
    return submitList(this.#transport, numbers, options);
  }

  /** Returns the lists of the account, the newest first: unfinished ones and those with stored results. */
  async list(options?: JobOptions): Promise<readonly SubmittedJob[]> {
    const request = { operation: "jobs", field: "jobs", path: "/v1/jobs", isSafeToRepeat: true };
    // Safe: only dry runs have no id, and they are not stored.
    return (await this.#transport.call<JobsAnswer>(request, options)).jobs as readonly SubmittedJob[];
  }

  /** Returns a list with its progress. */
  get<Kind extends JobKind>(job: JobRef<Kind>, options?: JobOptions): Promise<SubmittedJob<Kind>> {
    return this.#callFor(job, "", undefined, undefined, options);
  }

  /** Waits until the list ends or is paused: check `status`. Polls more and more slowly, within the key's rate. */
  wait<Kind extends JobKind>(job: JobRef<Kind>, options: WaitOptions = {}): Promise<SubmittedJob<Kind>> {
    return waitForEnd(this.#transport, (call) => this.get(job, call), options);
  }

  /** Pauses a list until it is resumed. */
  pause<Kind extends JobKind>(job: JobRef<Kind>, options?: JobOptions): Promise<SubmittedJob<Kind>> {
    return this.#callFor(job, "/pause", "POST", undefined, options);
  }

  /** Resumes a paused list with this key. A list that reached its cap needs a higher `maxTokens`. */
  resume<Kind extends JobKind>(
    job: JobRef<Kind>,
    { maxTokens, ...options }: ResumeOptions = {},
  ): Promise<SubmittedJob<Kind>> {
    return this.#callFor(job, "/resume", "POST", { maxTokens }, options);
  }

  /** Cancels a list and deletes its numbers and results. Charges are not refunded. */
  cancel<Kind extends JobKind>(job: JobRef<Kind>, options?: JobOptions): Promise<SubmittedJob<Kind>> {
    return this.#callFor(job, "/cancel", "POST", undefined, options);
  }

  /** Yields the results so far, one line per number, in order of processing. It resumes after a broken connection. */
  results<Kind extends JobKind>(
    job: JobRef<Kind>,
    options: ResultsOptions = {},
  ): AsyncGenerator<ResultLine<Kind>, void, undefined> {
    return linesIn<Kind>(this.download(job, { ...options, format: "jsonl" }));
  }

  /**
   * Yields the results as bytes of JSON lines or CSV. Resumes after a broken connection and, with `from`, after a
   * restart.
   */
  download(job: JobRef, options: DownloadOptions = {}): AsyncGenerator<ResultsPart, void, undefined> {
    return downloadResults(this.#transport, idOf(job), options);
  }

  /** Creates a webhook secret, which is returned only here. The previous one keeps signing as well for a day. */
  async newWebhookSecret(options?: JobOptions): Promise<string> {
    const path = "/v1/webhook-secret";
    const request = {
      operation: "jobs",
      field: "secret",
      path,
      method: "POST",
      isSafeToRepeat: true,
    } as const;
    return (await this.#transport.call<WebhookSecretAnswer>(request, options)).secret;
  }

  #callFor<T>(
    job: JobRef,
    change: string,
    method: "POST" | undefined,
    query: object | undefined,
    options: JobOptions | undefined,
  ): Promise<T> {
    const path = `/v1/jobs/${segment(idOf(job))}${change}`;
    // All calls about a list are idempotent.
    return this.#transport.call(
      { operation: "jobs", field: "kind", path, method, query, isSafeToRepeat: true },
      options,
    );
  }
}

function idOf(job: JobRef): string {
  return typeof job === "string" ? job : job.id;
}
