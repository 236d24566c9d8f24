import {
  type Refreshed,
  type RefreshOptions,
  refresh,
  refreshedFacts,
  type Stopped,
} from "../kvk/refresh.ts";
import { importFacts } from "../registry/importFacts.ts";
import { openCurrentSnapshot } from "../registry/openSnapshot.ts";
import { registryDirectory } from "../registry/places.ts";
import type { ImportResult } from "../registry/types.ts";
import { type AddCommand, CommandFailure, type ServiceContext, WrongUse } from "./command.ts";
import { showProgress } from "./progress.ts";
import { asFailure, failing, noRegistry } from "./withSnapshot.ts";

const HOUR_MS = 3_600_000;
const UNITS = { h: HOUR_MS, d: 24 * HOUR_MS };

interface Options {
  readonly olderThan?: string;
  readonly maxCalls?: string;
  readonly json?: boolean;
}

/** `opzoek refresh`: the old companies of the snapshot anew, through KVK's API. */
export const addRefreshCommand: AddCommand<ServiceContext> = (program, context) => {
  program
    .command("refresh")
    .description(
      "renew old companies of the registry through KVK's API, the most requested first, then the oldest; can be stopped at any moment and run again",
    )
    .option("--older-than <age>", "minimum age, such as 30d or 12h (default: REGISTRY_FRESH_FOR)")
    .option("--max-calls <number>", "paid calls at most (default: what is left of KVK_DAILY_CALLS)")
    .option("--json", "print the report as JSON")
    .action((options: Options) => run(options, context));
};

async function run({ olderThan, maxCalls, json }: Options, context: ServiceContext): Promise<void> {
  const { DATA_DIR, REGISTRY_FRESH_FOR } = context.settings();
  const ageMs = olderThan === undefined ? REGISTRY_FRESH_FOR * 1_000 : ageOf(olderThan);
  const mostCalls = maxCalls === undefined ? Number.POSITIVE_INFINITY : callsOf(maxCalls);
  const directory = registryDirectory(DATA_DIR);
  context.keepTemporaryFiles(DATA_DIR);
  const snapshot = failing(() => openCurrentSnapshot(directory));
  if (snapshot === undefined) throw new CommandFailure(noRegistry(directory));
  const omit = await context.suppressed();
  const progress = showProgress(context, "companies renewed");
  try {
    const { refreshed, imported } = await context.withLive(mostCalls, async ({ source, store, calls }) => {
      const options: RefreshOptions = {
        ...{ snapshot, source, store, omit, calls },
        beforeMs: Date.now() - ageMs,
        onProgress: progress.update,
      };
      const refreshed = await refresh(options);
      progress.end();
      const facts = refreshedFacts(options);
      const imported = await importFacts(directory, facts, { replace: false, omit }).catch(
        (error: unknown) => {
          throw asFailure(error);
        },
      );
      return { refreshed, imported };
    });
    if (json) context.out(JSON.stringify({ ...refreshed, ...imported }));
    else for (const line of report(refreshed, imported)) context.out(line);
    if (refreshed.stopped !== undefined) context.err(`${WHY[refreshed.stopped]} Run it again to go on.`);
    if (refreshed.stopped === "outage" || refreshed.stopped === "configuration") {
      throw new CommandFailure("Not all companies were renewed.");
    }
  } finally {
    progress.end();
    snapshot.close();
  }
}

const WHY: Readonly<Record<Stopped, string>> = {
  calls: "The calls of --max-calls are made.",
  budget: "Today's calls of KVK_DAILY_CALLS are spent, or too many went unanswered.",
  outage: "KVK has no answer at the moment.",
  configuration: "KVK does not accept how it is asked: check KVK_API_KEY, KVK_API_URL and KVK_API_CA.",
};

function report(
  { told, notFound, failed, paidCalls }: Refreshed,
  { snapshot, counts, wrote }: ImportResult,
): string[] {
  const shown = (count: number) => count.toLocaleString("en");
  return [
    `${shown(paidCalls)} paid calls: ${shown(told)} companies told, ${shown(notFound)} not known to KVK, ${shown(failed)} without an answer`,
    snapshot === undefined || wrote === "nothing"
      ? "nothing new for the snapshot"
      : `${snapshot.file}: ${shown(counts.changed)} companies changed, ${shown(counts.unchanged)} as before`,
  ];
}

function ageOf(text: string): number {
  const [, count, unit] = /^([0-9]{1,5})([dh])$/.exec(text) ?? [];
  if (unit !== "d" && unit !== "h")
    throw new WrongUse("--older-than takes days or hours, such as 30d or 12h.");
  return Number(count) * UNITS[unit];
}

function callsOf(text: string): number {
  if (!/^[0-9]{1,9}$/.test(text)) throw new WrongUse("--max-calls takes a whole number.");
  return Number(text);
}
