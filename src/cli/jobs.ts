import { Argument, type Command, Option } from "commander";
import { type JobKind, Jobs, type SubmittedJob } from "../../client/src/jobs/index.ts";
import { JOB_KINDS } from "../contract/jobs.ts";
import { asFailure, asking } from "./asking/failures.ts";
import { LIST_FORMATS, type ListFileFormat, readList } from "./asking/listInput.ts";
import { saveResults } from "./asking/saveResults.ts";
import { type AskingOptions, addServiceOptions, askedBy } from "./asking/server.ts";
import { tableLines } from "./asking/show.ts";
import { count, jobLines, jobRow, priceLines } from "./asking/showJob.ts";
import { type AddCommand, type AskingContext, CommandFailure, WrongUse } from "./command.ts";
import { localPath } from "./localPath.ts";
import { writeLines } from "./output.ts";
import { showProgress } from "./progress.ts";
import { wholeNumber } from "./wholeNumber.ts";

const MOST_TOKENS = 1_000_000_000;
/** A list may take weeks: who waits here ends it when it is too long. */
const WAIT_AT_MOST_MS = 35 * 86_400_000;
const RESULT_FORMATS = ["jsonl", "csv"] as const;

interface JsonOption extends AskingOptions {
  readonly json?: boolean;
}

interface SubmitOptions extends JsonOption {
  readonly kind: JobKind;
  readonly format?: ListFileFormat;
  readonly dryRun?: boolean;
  readonly cap?: string;
  readonly webhook?: string;
  readonly wait?: boolean;
}

interface ResultsOptions extends AskingOptions {
  readonly format: (typeof RESULT_FORMATS)[number];
  readonly out?: string;
}

/** `opzoek jobs`: lists of many numbers that a service works off by and by. */
export const addJobsCommand: AddCommand<AskingContext> = (program, context) => {
  const jobs = program
    .command("jobs")
    .description("send lists of up to 100,000 numbers to a service and fetch the results");
  const submit = jobs
    .command("submit")
    .description("send a list (numbers, CSV or JSON lines; `-` reads stdin) and print its id")
    .argument("<file>", "numbers, CSV or JSON lines; - reads stdin")
    .addOption(
      new Option("--kind <kind>", "operation for each number: lookup, lookup.enriched or vat")
        .choices(JOB_KINDS)
        .default("lookup"),
    )
    .addOption(
      new Option(
        "--format <format>",
        "text, csv or jsonl (default: by the file's name or first line)",
      ).choices(LIST_FORMATS),
    )
    .option("--dry-run", "show the maximum price and send nothing")
    .option("--cap <tokens>", "pause before it costs more")
    .option("--webhook <address>", "send a message there when it ends")
    .option("--wait", "wait until it has ended, with progress on stderr")
    .option("--json", "print one JSON document");
  addServiceOptions(submit).action((file: string, options: SubmitOptions) =>
    submitList(file, options, context),
  );
  asksFor(jobs, "list", "show the lists of the account, the newest first").action(
    async (options: JsonOption) => {
      const lists = await asking(() => listsOf(context, options).list());
      if (options.json) context.out(JSON.stringify({ jobs: lists }));
      else for (const line of tableLines(lists.map(jobRow), context.screen)) context.out(line);
    },
  );
  onOne(jobs, context, "show", "show the progress and the cost of a list", (service, id) => service.get(id));
  onOne(jobs, context, "pause", "pause a list", (service, id) => service.pause(id));
  addResume(jobs, context);
  onOne(
    jobs,
    context,
    "cancel",
    "cancel a list and delete its numbers and results; charges stay",
    (service, id) => service.cancel(id),
  );
  addResults(jobs, context);
};

function addResume(jobs: Command, context: AskingContext): void {
  withId(jobs, "resume", "resume a paused list with this key")
    .option("--cap <tokens>", "new cap")
    .action((id: string, options: JsonOption & { readonly cap?: string }) => {
      const maxTokens = capOf(options.cap);
      return tellOne(context, options, (service) => service.resume(id, { maxTokens }));
    });
}

function addResults(jobs: Command, context: AskingContext): void {
  const results = jobs
    .command("results")
    .description("fetch the results of a list so far")
    .addArgument(new Argument("<id>", "of the list"))
    .addOption(new Option("--format <format>", "jsonl or csv").choices(RESULT_FORMATS).default("jsonl"))
    .option("--out <file>", "write to this file; an interrupted download is resumed", localPath);
  addServiceOptions(results).action((id: string, options: ResultsOptions) =>
    fetchResults(id, options, context),
  );
}

function asksFor(jobs: Command, name: string, description: string): Command {
  return addServiceOptions(
    jobs.command(name).description(description).option("--json", "print one JSON document"),
  );
}

function withId(jobs: Command, name: string, description: string): Command {
  return asksFor(jobs, name, description).addArgument(new Argument("<id>", "of the list"));
}

type AskOne = (service: Jobs, id: string) => Promise<SubmittedJob>;

function onOne(jobs: Command, context: AskingContext, name: string, description: string, ask: AskOne): void {
  withId(jobs, name, description).action((id: string, options: JsonOption) =>
    tellOne(context, options, (service) => ask(service, id)),
  );
}

async function tellOne(
  context: AskingContext,
  options: JsonOption,
  ask: (service: Jobs) => Promise<SubmittedJob>,
): Promise<void> {
  const job = await asking(() => ask(listsOf(context, options)));
  if (options.json) context.out(JSON.stringify(job));
  else for (const line of jobLines(job, context.screen)) context.out(line);
}

/** @throws {WrongUse} where no service is named: a snapshot works off no lists */
function listsOf(context: AskingContext, options: AskingOptions): Jobs {
  const service = askedBy(context, options, (client) => new Jobs(client));
  if (service !== undefined) return service;
  throw new WrongUse(
    'Lists are worked off by a service: set OPZOEK_URL, or name one with --url. "opzoek batch" asks a snapshot.',
  );
}

function capOf(cap: string | undefined): number | undefined {
  return cap === undefined ? undefined : wholeNumber("--cap", cap, MOST_TOKENS);
}

async function submitList(file: string, options: SubmitOptions, context: AskingContext): Promise<void> {
  const { kind, dryRun, wait, json, webhook } = options;
  if (dryRun && wait) throw new WrongUse("--dry-run sends nothing to --wait for; leave one out.");
  const terms = { kind, maxTokens: capOf(options.cap), webhook };
  const service = listsOf(context, options);
  const { numbers, ...format } = await readList(file, kind, options.format, context.input);
  if (dryRun) {
    const priced = await asking(() => service.submit(numbers, { ...terms, ...format, dryRun }));
    if (json) context.out(JSON.stringify(priced));
    else for (const line of priceLines(priced, context.screen)) context.out(line);
    return;
  }
  const job = await service.submit(numbers, { ...terms, ...format }).catch((error: unknown) => {
    throw maybeTaken(error);
  });
  if (!json) context.out(job.id);
  if (!wait) {
    if (json) context.out(JSON.stringify(job));
    else context.err(`${count(job.counts.numbers)} numbers, ${count(job.tokens.estimated)} tokens at most.`);
    return;
  }
  const ended = await waitFor(service, job, context);
  if (json) context.out(JSON.stringify(ended));
  const failure = failureOf(ended);
  if (failure !== undefined) throw new CommandFailure(failure);
  context.err(`${count(ended.counts.found)} found, ${count(ended.tokens.charged)} tokens.`);
}

async function waitFor(service: Jobs, job: SubmittedJob, context: AskingContext): Promise<SubmittedJob> {
  const progress = showProgress(context, "numbers", job.counts.numbers);
  try {
    return await asking(() =>
      service.wait(job, {
        timeoutMs: WAIT_AT_MOST_MS,
        onProgress: ({ counts }) => progress.update(counts.done),
      }),
    );
  } finally {
    progress.end();
  }
}

/** Why a list that is waited for no more is not as it should be; undefined when it is. */
function failureOf({ id, status, reason, counts }: SubmittedJob): string | undefined {
  if (status === "paused") return `The list ${id} is paused. ${GOES_ON[reason ?? "caller"]}`;
  if (status !== "completed") return `The list ${id} was ${status}.`;
  if (counts.failed === 0) return undefined;
  return `${count(counts.failed)} of ${count(counts.numbers)} were not found or are no such numbers: "opzoek jobs results ${id}" says why of each.`;
}

const GOES_ON: Readonly<Record<NonNullable<SubmittedJob["reason"]>, string>> = {
  allowance: "The month's tokens are used up: it goes on by itself when there are more.",
  cap: 'Its cap is reached: "opzoek jobs resume" with a higher --cap lets it go on.',
  caller: 'Somebody paused it: "opzoek jobs resume" lets it go on.',
  key: 'Its key was revoked or has expired: "opzoek jobs resume" lets it go on under another.',
  account: "The account is suspended: ask the operator.",
};

/** What went wrong with a list that may have been taken all the same. */
function maybeTaken(error: unknown): unknown {
  const failure = asFailure(error);
  const code = error instanceof Error && "code" in error ? String(error.code) : "";
  const isKnown = /^(RATE_LIMIT_EXCEEDED|UNAUTHORIZED|FORBIDDEN|PAYLOAD_TOO_LARGE)$/.test(code);
  if (!(failure instanceof CommandFailure) || isKnown) return failure;
  return new CommandFailure(
    `${failure.message} Look whether the list was taken, with "opzoek jobs list", before you send it again: it would be paid twice.`,
  );
}

async function fetchResults(
  id: string,
  { out, format, ...options }: ResultsOptions,
  context: AskingContext,
): Promise<void> {
  const service = listsOf(context, options);
  const { status, counts } = await asking(() => service.get(id));
  if (status !== "completed")
    context.err(`The list is ${status}: these are ${count(counts.done)} of ${count(counts.numbers)}.`);
  if (out === undefined) {
    await asking(() => writeLines(textOf(service, id, format), undefined, () => {}));
    return;
  }
  const progress = showProgress(context, "bytes");
  const bytes = await saveResults(service, { id, format, out }, progress.update).finally(progress.end);
  context.err(`${count(counts.done)} results, ${count(bytes)} bytes, written to ${out}`);
}

/** What goes to stdout, which takes nothing back. */
async function* textOf(service: Jobs, id: string, format: "jsonl" | "csv"): AsyncGenerator<string> {
  if (format === "jsonl") {
    for await (const line of service.results(id)) yield `${JSON.stringify(line)}\n`;
    return;
  }
  const decoder = new TextDecoder();
  let received = 0;
  for await (const { bytes, at } of service.download(id, { format })) {
    if (at !== received)
      throw new CommandFailure(
        "The results changed while they were fetched: fetch them again, or use --out.",
      );
    received += bytes.length;
    yield decoder.decode(bytes, { stream: true });
  }
}
