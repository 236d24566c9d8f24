import type { JobsAnswer, ResumeQuery, SubmitQuery, WebhookSecretAnswer } from "../api/calls.ts";
import type { Balance } from "../state.ts";
import { type CallOptions, type ClientOptions, segment, Transport } from "../transport.ts";
import { type DownloadOptions, downloaded, type ResultsPart } from "./download.ts";
import { linesIn } from "./lines.ts";
import { type SubmitOptions, submitted } from "./submit.ts";
import type { JobKind, JobRef, PricedJob, ResultLine, SubmittedJob } from "./types.ts";
import { type WaitOptions, waited } from "./wait.ts";

/** Options of calls about a list. All are free and count as a call of the minute. */
export type JobOptions = Omit<CallOptions, "idempotencyKey">;
/** Options of `resume()`. */
export type ResumeOptions = JobOptions & ResumeQuery;
/** Options of `results()`. */
export type ResultsOptions = Omit<DownloadOptions, "format" | "from">;

/**
 * Lists of up to 100,000 numbers that the service works off by and by.
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

  /** @throws {TypeError} for an address or a key that cannot be one */
  constructor(options: ClientOptions) {
    this.#transport = new Transport(options);
  }

  /** The remaining rate of the key and tokens of the account, from the latest response. */
  get state(): Balance {
    return this.#transport.balance;
  }

  /**
   * Sends a list: numbers, or JSON lines or CSV as they are. With `dryRun` it is only priced. A program that may be restarted gives an
   * `idempotencyKey` of its own, under which the same list is taken once while it is kept.
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
    return submitted(this.#transport, numbers, options);
  }

  /** The lists of the account, the newest first: those that have not ended, and those whose results are still kept. */
  async list(options?: JobOptions): Promise<readonly SubmittedJob[]> {
    const asked = { operation: "jobs", field: "jobs", path: "/v1/jobs", isSafeToRepeat: true };
    // The cast: what has no id was only priced, and is kept nowhere.
    return (await this.#transport.call<JobsAnswer>(asked, options)).jobs as readonly SubmittedJob[];
  }

  /** Returns a list with its progress. */
  get<Kind extends JobKind>(job: JobRef<Kind>, options?: JobOptions): Promise<SubmittedJob<Kind>> {
    return this.#about(job, "", undefined, undefined, options);
  }

  /** The list when it has ended, or is paused: look at `status`. It is looked at ever less often, and within the key's rate. */
  wait<Kind extends JobKind>(job: JobRef<Kind>, options: WaitOptions = {}): Promise<SubmittedJob<Kind>> {
    return waited(this.#transport, (call) => this.get(job, call), options);
  }

  /** Has nothing more of a list worked until it is resumed. */
  pause<Kind extends JobKind>(job: JobRef<Kind>, options?: JobOptions): Promise<SubmittedJob<Kind>> {
    return this.#about(job, "/pause", "POST", undefined, options);
  }

  /** Lets a paused list go on, under this key; one that reached its cap with a higher `maxTokens`. */
  resume<Kind extends JobKind>(
    job: JobRef<Kind>,
    { maxTokens, ...options }: ResumeOptions = {},
  ): Promise<SubmittedJob<Kind>> {
    return this.#about(job, "/resume", "POST", { maxTokens }, options);
  }

  /** Ends a list, and deletes what was sent and what it brought; what was charged stays charged. */
  cancel<Kind extends JobKind>(job: JobRef<Kind>, options?: JobOptions): Promise<SubmittedJob<Kind>> {
    return this.#about(job, "/cancel", "POST", undefined, options);
  }

  /** Yields the results so far, one line per number, in order of processing. It resumes after a broken connection. */
  results<Kind extends JobKind>(
    job: JobRef<Kind>,
    options: ResultsOptions = {},
  ): AsyncGenerator<ResultLine<Kind>, void, undefined> {
    return linesIn<Kind>(this.download(job, { ...options, format: "jsonl" }));
  }

  /** The same as bytes, for a file: JSON lines, or CSV. It goes on after a connection that broke, and with `from` after a program that ended. */
  download(job: JobRef, options: DownloadOptions = {}): AsyncGenerator<ResultsPart, void, undefined> {
    return downloaded(this.#transport, idOf(job), options);
  }

  /** Creates a webhook secret, which is returned only here. The previous one keeps signing as well for a day. */
  async newWebhookSecret(options?: JobOptions): Promise<string> {
    const path = "/v1/webhook-secret";
    const asked = { operation: "jobs", field: "secret", path, method: "POST", isSafeToRepeat: true } as const;
    return (await this.#transport.call<WebhookSecretAnswer>(asked, options)).secret;
  }

  #about<T>(
    job: JobRef,
    change: string,
    method: "POST" | undefined,
    query: object | undefined,
    options: JobOptions | undefined,
  ): Promise<T> {
    const path = `/v1/jobs/${segment(idOf(job))}${change}`;
    // Whatever is asked of a list twice is as if it were asked once.
    return this.#transport.call(
      { operation: "jobs", field: "kind", path, method, query, isSafeToRepeat: true },
      options,
    );
  }
}

function idOf(job: JobRef): string {
  return typeof job === "string" ? job : job.id;
}
