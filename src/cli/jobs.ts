import { type Command, Option } from "commander";
import { type JobKind, Jobs, type SubmittedJob } from "../../client/src/jobs/index.ts";
import { JOB_KINDS } from "../contract/jobs.ts";
import { type AddCommand, type CliContext, CommandFailure, UsageError } from "./command.ts";
import { failureOf } from "./failures.ts";
import { JSON_OPTION, type JsonOption, localPathArgument, wholeNumber } from "./options.ts";
import { addPrinting, columnsText, print, writeLines } from "./output.ts";
import { withProgress } from "./progress.ts";
import { LIST_FORMATS, type ListFileFormat, readList } from "./sources/listInput.ts";
import { saveResults } from "./sources/saveResults.ts";
import { addServiceOptions, clientOf, type SourceOptions } from "./sources/server.ts";
import { recordLines, tableLines } from "./sources/show.ts";

/** Longer than any list takes: a caller who wants to wait less stops the command. */
const MAX_WAIT_MS = 35 * 86_400_000;
const RESULT_FORMATS = ["jsonl", "csv"] as const;
const readCap = wholeNumber(1, 1_000_000_000);

interface SubmitOptions extends SourceOptions, JsonOption {
  readonly kind: JobKind;
  readonly format?: ListFileFormat;
  readonly dryRun?: boolean;
  readonly cap?: number;
  readonly webhook?: string;
  readonly wait?: boolean;
}

interface ResultsOptions extends SourceOptions {
  readonly format: (typeof RESULT_FORMATS)[number];
  readonly out?: string;
}

export const addJobsCommand: AddCommand = (program, context) => {
  const jobs = program.command("jobs").description("process lists of up to 100,000 numbers in a service");
  addSubmit(jobs, context);
  const list = jobs.command("list").description("list the account's lists, newest first");
  addPrinting(addServiceOptions(list), context, async (options: SourceOptions) => {
    const all = await clientFor(context, options).list();
    return { document: { jobs: all }, lines: () => tableLines(all.map(jobRow), context.screen) };
  });
  const onOne = (
    name: string,
    description: string,
    call: (service: Jobs, id: string, options: { readonly cap?: number }) => Promise<SubmittedJob>,
  ): Command => {
    const command = jobs.command(name).description(description).argument("<id>", "id of the list");
    return addPrinting(
      addServiceOptions(command),
      context,
      async (id: string, options: SourceOptions & { readonly cap?: number }) => {
        const job = await call(clientFor(context, options), id, options);
        return { document: job, lines: () => recordLines(job, context.screen) };
      },
    );
  };
  onOne("show", "show the progress and the cost of a list", (service, id) => service.get(id));
  onOne("pause", "pause a list", (service, id) => service.pause(id));
  onOne("resume", "resume a paused list, with this key", (service, id, { cap }) =>
    service.resume(id, { maxTokens: cap }),
  ).option("--cap <tokens>", "new cap", readCap);
  onOne(
    "cancel",
    "cancel a list and delete its numbers and results; charges are not refunded",
    (service, id) => service.cancel(id),
  );
  const results = jobs
    .command("results")
    .description("download the results of a list so far")
    .argument("<id>", "id of the list")
    .addOption(new Option("--format <format>", "jsonl or csv").choices(RESULT_FORMATS).default("jsonl"))
    .option("--out <file>", "write to this file; resumes an interrupted download", localPathArgument);
  addServiceOptions(results).action((id: string, options: ResultsOptions) =>
    fetchResults(id, options, context),
  );
};

function addSubmit(jobs: Command, context: CliContext): void {
  const submit = jobs
    .command("submit")
    .description("submit a list (numbers, CSV or JSON lines; `-` reads stdin) and print its id")
    .argument("<file>", "numbers, CSV or JSON lines; - reads stdin")
    .addOption(
      new Option(
        "--kind <kind>",
        "operation for each number: lookup, lookup.enriched, vat or monitor; match for rows",
      )
        .choices(JOB_KINDS)
        .default("lookup"),
    )
    .addOption(
      new Option(
        "--format <format>",
        "text, csv or jsonl (default: by the file's name or first line)",
      ).choices(LIST_FORMATS),
    )
    .option("--dry-run", "show the maximum price without submitting the list")
    .option("--cap <tokens>", "pause the list before it costs more", readCap)
    .option("--webhook <address>", "notify this address when the list ends")
    .addOption(
      new Option("--wait", "wait until the list has ended, with progress on stderr").conflicts("dryRun"),
    )
    .option(...JSON_OPTION);
  addServiceOptions(submit).action((file: string, options: SubmitOptions) =>
    submitList(file, options, context),
  );
}

/** @throws {UsageError} without a service: a snapshot cannot process lists */
function clientFor(context: CliContext, options: SourceOptions): Jobs {
  const service = clientOf(context, options, (client) => new Jobs(client));
  if (service !== undefined) return service;
  throw new UsageError(
    'Lists need a service: set OPZOEK_URL or use --url. Without a service, use "opzoek batch".',
  );
}

async function submitList(file: string, options: SubmitOptions, context: CliContext): Promise<void> {
  const { kind, json, webhook } = options;
  const service = clientFor(context, options);
  const { numbers, ...format } = await readList(file, kind, options.format, context.input);
  const terms = { kind, maxTokens: options.cap, webhook, ...format };
  if (options.dryRun) {
    const priced = await service.submit(numbers, { ...terms, dryRun: true });
    return print(context, options, priced, () => recordLines(priced, context.screen));
  }
  const job = await service.submit(numbers, terms).catch((error: unknown) => {
    throw perhapsAccepted(error);
  });
  if (!json) context.out(job.id);
  if (!json && job.columns !== undefined) context.err(columnsText(job.columns));
  if (!options.wait) {
    if (json) context.out(JSON.stringify(job));
    else context.err(`${count(job.counts.numbers)} numbers, ${count(job.tokens.estimated)} tokens maximum.`);
    return;
  }
  const ended = await withProgress(context, (progress) =>
    service.wait(job, {
      timeoutMs: MAX_WAIT_MS,
      onProgress: ({ counts: { done, numbers: total } }) =>
        progress.update({ stage: "numbers", done, total }),
    }),
  );
  if (json) context.out(JSON.stringify(ended));
  const failure = failureIn(ended);
  if (failure !== undefined) throw new CommandFailure(failure);
  context.err(`${count(ended.counts.found)} found, ${count(ended.tokens.charged)} tokens.`);
}

/** Returns the reason why a list that has ended or is paused is incomplete; undefined if it is complete. */
function failureIn({ id, status, reason, counts }: SubmittedJob): string | undefined {
  if (status === "paused") return `The list ${id} is paused. ${PAUSES[reason ?? "caller"]}`;
  if (status !== "completed") return `The list ${id} was ${status}.`;
  if (counts.failed === 0) return undefined;
  return `${count(counts.failed)} of ${count(counts.numbers)} were not found or are malformed: "opzoek jobs results ${id}" has the reasons.`;
}

const PAUSES: Readonly<Record<NonNullable<SubmittedJob["reason"]>, string>> = {
  allowance: "The month's tokens are used up: it resumes automatically when there are more.",
  cap: 'It reached its cap: continue it with "opzoek jobs resume" and a higher --cap.',
  caller: 'A caller paused it: continue it with "opzoek jobs resume".',
  key: 'Its key was revoked or has expired: continue it with another key and "opzoek jobs resume".',
  account: "The account is suspended: contact the operator.",
};

/** Adds that a failed submission may have been accepted, unless the service said that it was not. */
function perhapsAccepted(error: unknown): unknown {
  const failure = failureOf(error);
  const code = error instanceof Error && "code" in error ? String(error.code) : "";
  const isRejected = /^(RATE_LIMIT_EXCEEDED|UNAUTHORIZED|FORBIDDEN|PAYLOAD_TOO_LARGE)$/.test(code);
  if (!(failure instanceof CommandFailure) || isRejected) return error;
  return new CommandFailure(
    `${failure.message} Before you submit the list again, check with "opzoek jobs list" that it was not accepted: it would be charged twice.`,
  );
}

async function fetchResults(id: string, options: ResultsOptions, context: CliContext): Promise<void> {
  const { out, format } = options;
  const service = clientFor(context, options);
  const { status, counts } = await service.get(id);
  if (status !== "completed")
    context.err(`The list is ${status}: ${count(counts.done)} of ${count(counts.numbers)} results so far.`);
  if (out === undefined) return writeLines(resultText(service, id, format), undefined, () => {});
  const bytes = await withProgress(context, (progress) =>
    saveResults(service, { id, format, out }, (done) =>
      progress.update({ stage: "results", unit: "bytes", done }),
    ),
  );
  context.err(`${count(counts.done)} results, ${count(bytes)} bytes, written to ${out}`);
}

/** Writes the results to stdout, where nothing can be undone. */
async function* resultText(service: Jobs, id: string, format: "jsonl" | "csv"): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  let received = 0;
  for await (const { bytes, at } of service.download(id, { format })) {
    if (at !== received)
      throw new CommandFailure("The results changed during the download: try again, or use --out.");
    received += bytes.length;
    yield decoder.decode(bytes, { stream: true });
  }
}

function jobRow(job: SubmittedJob): string[] {
  const { id, kind, status, reason, counts, tokens, createdAt } = job;
  const done = `${count(counts.done)} of ${count(counts.numbers)}`;
  const state = reason === undefined ? status : `${status} (${reason})`;
  return [id, kind, state, done, `${count(tokens.charged)} tokens`, createdAt];
}

function count(number: number): string {
  return number.toLocaleString("en");
}
