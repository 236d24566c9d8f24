import { InvalidArgumentError } from "commander";
import { type Refreshed, refresh, refreshedFacts, type Stopped } from "../kvk/refresh.ts";
import { importFacts } from "../registry/importFacts.ts";
import { registryDirectory } from "../registry/paths.ts";
import type { ImportResult } from "../registry/types.ts";
import type { AddCommand, CliContext } from "./command.ts";
import { suppressedNumbers, withLive } from "./opening.ts";
import { wholeNumber } from "./options.ts";
import { addPrinting, type Result } from "./output.ts";
import { withProgress } from "./progress.ts";
import { withSnapshot } from "./snapshot.ts";

const HOUR_MS = 3_600_000;

interface Options {
  /** In milliseconds. */
  readonly olderThan?: number;
  readonly maxCalls: number;
}

export const addRefreshCommand: AddCommand = (program, context) => {
  const command = program
    .command("refresh")
    .description(
      "renew outdated companies in the registry from KVK's API, the most requested first, then the oldest; can be stopped at any time and run again",
    )
    .option("--older-than <age>", "minimum age, such as 30d or 12h (default: REGISTRY_FRESH_FOR)", ageMsOf)
    .option(
      "--max-calls <number>",
      "maximum number of paid calls (default: the rest of KVK_DAILY_CALLS)",
      wholeNumber(0, 999_999_999),
    );
  addPrinting(command, context, (options: Options) => run(options, context));
};

async function run(options: Options, context: CliContext): Promise<Result> {
  const { DATA_DIR, REGISTRY_FRESH_FOR } = context.settings();
  const { olderThan = REGISTRY_FRESH_FOR * 1_000, maxCalls = Number.POSITIVE_INFINITY } = options;
  context.setTemporaryFolder(DATA_DIR);
  return withSnapshot(context, async (snapshot) => {
    const omit = await suppressedNumbers(context);
    const { refreshed, imported } = await withProgress(context, (progress) =>
      withLive(context, maxCalls, async (live) => {
        const refreshOptions = {
          ...{ ...live, snapshot, omit },
          beforeMs: Date.now() - olderThan,
          onProgress: (done: number) => progress.update({ stage: "companies renewed", done }),
        };
        const refreshed = await refresh(refreshOptions);
        const facts = refreshedFacts(refreshOptions);
        return {
          refreshed,
          imported: await importFacts(registryDirectory(DATA_DIR), facts, { replace: false, omit }),
        };
      }),
    );
    const { stopped } = refreshed;
    if (stopped !== undefined) context.err(`${REASONS[stopped]} Run it again to continue.`);
    const isFailed = stopped === "outage" || stopped === "configuration";
    return {
      document: { ...refreshed, ...imported },
      lines: () => reportLines(refreshed, imported),
      failure: isFailed ? "Not all companies were renewed." : undefined,
    };
  });
}

const REASONS: Readonly<Record<Stopped, string>> = {
  calls: "The limit of --max-calls is reached.",
  budget: "Today's budget (KVK_DAILY_CALLS) is used up, or too many calls went unanswered.",
  outage: "KVK does not answer at the moment.",
  configuration: "KVK rejects this service's calls: check KVK_API_KEY, KVK_API_URL and KVK_API_CA.",
};

function reportLines(
  { told: renewed, notFound, failed, paidCalls }: Refreshed,
  { snapshot, counts, wrote }: ImportResult,
): string[] {
  const shown = (count: number) => count.toLocaleString("en");
  return [
    `${shown(paidCalls)} paid calls: ${shown(renewed)} companies renewed, ${shown(notFound)} not known to KVK, ${shown(failed)} without an answer`,
    snapshot === undefined || wrote === "nothing"
      ? "no changes to the snapshot"
      : `${snapshot.file}: ${shown(counts.changed)} companies changed, ${shown(counts.unchanged)} unchanged`,
  ];
}

function ageMsOf(text: string): number {
  const [, count, unit] = /^([0-9]{1,5})([dh])$/.exec(text) ?? [];
  if (count === undefined) throw new InvalidArgumentError("It must be days or hours, such as 30d or 12h.");
  return Number(count) * HOUR_MS * (unit === "d" ? 24 : 1);
}
