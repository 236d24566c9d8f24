import { Option } from "commander";
import { CursorExpiredError } from "../../client/src/index.ts";
import {
  type ChangeEvent,
  type ChangeType,
  type Monitor,
  type MonitorFields,
  Monitors,
} from "../../client/src/monitors/index.ts";
import { CHANGE_TYPES, EVENT_TYPES, type EventType } from "../contract/eventTypes.ts";
import { JOB_BOUNDS } from "../contract/jobs.ts";
import { kvkDigitsOf } from "../contract/kvkNumberText.ts";
import { MONITOR_BOUNDS } from "../contract/monitors.ts";
import { quoted } from "../contract/quoting.ts";
import { type AddCommand, type CliContext, CommandFailure, UsageError } from "./command.ts";
import { kvkNumber, wholeNumber } from "./options.ts";
import { addPrinting, counted, type Result } from "./output.ts";
import { withProgress } from "./progress.ts";
import { readBytes } from "./sources/listInput.ts";
import { addServiceOptions, clientOf, type SourceOptions } from "./sources/server.ts";
import { tableLines } from "./sources/show.ts";

const STDIN = "-";
const MONITOR_ID = /^mon_/;
const DEFAULT_POLL_SECONDS = 30;

interface AddOptions extends SourceOptions {
  readonly events?: readonly ChangeType[];
  readonly metadata?: Readonly<Record<string, string>>;
  readonly webhook?: string;
}

export const addMonitorCommand: AddCommand = (program, context) => {
  const monitor = program.command("monitor").description("monitor companies in a service for changes");
  const add = monitor
    .command("add")
    .description("monitor companies, or change the monitors that exist")
    .argument("<numbers...>", "KVK numbers, or a file with a list; - reads stdin")
    .option("--events <types>", "report these changes only, separated by commas", changeTypes)
    .option("--metadata <name=value>", "your own data, returned with each event; repeatable", entry)
    .option("--webhook <address>", "send events to this address too");
  addPrinting(addServiceOptions(add), context, async (words: readonly string[], options: AddOptions) =>
    addAll(await numbersOf(words, context), options, context),
  );
  const list = monitor.command("list").description("list monitors, oldest first");
  addPrinting(addServiceOptions(list), context, async (options: SourceOptions) => {
    const monitors = await Array.fromAsync(clientFor(context, options).list());
    return { document: { monitors }, lines: () => tableLines(monitors.map(monitorRow), context.screen) };
  });
  const remove = monitor
    .command("remove")
    .description("remove monitors; their events can still be read")
    .argument("<monitors...>", "KVK numbers, or ids of monitors");
  addPrinting(addServiceOptions(remove), context, (words: readonly string[], options: SourceOptions) =>
    removeAll(words, clientFor(context, options)),
  );
};

interface ChangesOptions extends SourceOptions {
  readonly after?: string;
  readonly follow?: boolean;
  readonly every: number;
  readonly kvkNumber?: string;
  readonly type?: EventType;
  readonly json?: boolean;
}

export const addChangesCommand: AddCommand = (program, context) => {
  const command = program
    .command("changes")
    .description("print the changes of monitored companies, oldest first")
    .option("--after <cursor>", "continue after this cursor of an earlier run")
    .option("--follow", "keep waiting for further changes")
    .option(
      "--every <seconds>",
      "with --follow: seconds between looks",
      wholeNumber(1, 86_400),
      DEFAULT_POLL_SECONDS,
    )
    .option("--kvk-number <number>", "only changes of this company", kvkNumber)
    .addOption(new Option("--type <type>", "only events of this type").choices(EVENT_TYPES))
    .option("--json", "print a JSON line for each event, with the cursor to continue after it");
  addServiceOptions(command).action((options: ChangesOptions) => printChanges(options, context));
};

/** @throws {UsageError} without a service */
function clientFor(context: CliContext, options: SourceOptions): Monitors {
  const service = clientOf(context, options, (client) => new Monitors(client));
  if (service !== undefined) return service;
  throw new UsageError("Monitors need a service: set OPZOEK_URL or use --url.");
}

async function addAll(numbers: readonly string[], options: AddOptions, context: CliContext): Promise<Result> {
  const { events, metadata, webhook } = options;
  const fields: MonitorFields = { events, metadata, webhook };
  const service = clientFor(context, options);
  const results: Monitor[] = [];
  const failed: { readonly kvkNumber: string; readonly error: { readonly code: string } }[] = [];
  await withProgress(context, async (progress) => {
    for (let from = 0; from < numbers.length; from += MONITOR_BOUNDS.maxNumbers) {
      const some = numbers.slice(from, from + MONITOR_BOUNDS.maxNumbers);
      const answer = await service.add(some, fields);
      results.push(...answer.results);
      failed.push(...answer.failed);
      progress.update({ stage: "monitors", done: from + some.length, total: numbers.length });
    }
  });
  const failures = failed.map((item) => [item.kvkNumber, `(${item.error.code})`]);
  return {
    document: { results, failed },
    lines: () => tableLines([...results.map(monitorRow), ...failures], context.screen),
    failure:
      failed.length === 0
        ? undefined
        : `${counted(failed.length, "number has", "numbers have")} no monitor; the output says why.`,
  };
}

async function removeAll(words: readonly string[], service: Monitors): Promise<Result> {
  const numbers = new Set(words.filter((word) => !MONITOR_ID.test(word)).map(kvkNumber));
  const ids = new Set(words.filter((word) => MONITOR_ID.test(word)));
  if (numbers.size > 0) {
    for await (const monitor of service.list()) {
      const number = [...numbers].find((one) => one === monitor.kvkNumber);
      if (number === undefined) continue;
      ids.add(monitor.id);
      numbers.delete(number);
      if (numbers.size === 0) break;
    }
  }
  for (const id of ids) await service.remove(id);
  return {
    document: { removed: [...ids], unknown: [...numbers] },
    lines: () => [`${counted(ids.size, "monitor", "monitors")} removed`],
    failure: numbers.size === 0 ? undefined : `These companies have no monitor: ${[...numbers].join(", ")}.`,
  };
}

async function printChanges(options: ChangesOptions, context: CliContext): Promise<void> {
  const { after, follow, every, kvkNumber: number, type, json } = options;
  const pollEveryMs = follow === true ? every * 1_000 : undefined;
  const changes = clientFor(context, options).changes({ after, kvkNumber: number, type, pollEveryMs });
  let last = after;
  try {
    for await (const { event, cursor } of changes) {
      last = cursor;
      if (json === true) context.out(JSON.stringify({ ...event, cursor }));
      else for (const line of tableLines([eventRow(event)], context.screen)) context.out(line);
    }
  } catch (error) {
    if (!(error instanceof CursorExpiredError) || error.oldestCursor === undefined) throw error;
    throw new CommandFailure(
      `The events after this cursor are no longer kept. The oldest ones: --after ${error.oldestCursor}`,
    );
  }
  if (json !== true && last !== undefined) context.err(`Continue with --after ${last}`);
}

/** Reads the numbers on the command line, or in the one file that it names. */
async function numbersOf(words: readonly string[], { input }: CliContext): Promise<readonly string[]> {
  const [file = ""] = words;
  const isFile = words.length === 1 && (file === STDIN || !/^[\d\s.]+$/.test(kvkDigitsOf(file)));
  const parts = isFile
    ? (await readBytes(file, input, JOB_BOUNDS.maxBytes)).toString("utf8").split(/[\s,;]+/)
    : words;
  const numbers = [...new Set(parts.filter((part) => part !== "").map(kvkDigitsOf))];
  if (numbers.length === 0) throw new UsageError("The list contains no KVK numbers.");
  return numbers;
}

function changeTypes(text: string): readonly ChangeType[] {
  return text.split(",").map((word) => {
    const type = CHANGE_TYPES.find((known) => known === word.trim());
    if (type !== undefined) return type;
    throw new UsageError(`--events: unknown type ${quoted(word)}; known: ${CHANGE_TYPES.join(", ")}.`);
  });
}

function entry(text: string, earlier: Readonly<Record<string, string>> = {}): Record<string, string> {
  const [, name, value] = /^([^=]+)=(.*)$/s.exec(text) ?? [];
  if (name === undefined || value === undefined) throw new UsageError("--metadata must be name=value.");
  return { ...earlier, [name]: value };
}

function monitorRow({ id, kvkNumber: number, status, reason, webhook, metadata = {} }: Monitor): string[] {
  const state = reason === undefined ? status : `${status} (${reason})`;
  const disabled = webhook?.disabledAt === undefined ? "" : " (disabled)";
  const data = Object.entries(metadata).map(([name, value]) => `${name}=${value}`);
  return [number, id, state, webhook === undefined ? "" : `${webhook.url}${disabled}`, data.join(", ")];
}

/** An event on one line: the fields with their values before and now. */
function eventRow({ observedAt, type, kvkNumber: number = "", changes }: ChangeEvent): string[] {
  const fields = Object.entries(changes).map(
    ([name, { previous, current }]) => `${name}: ${shown(previous)} → ${shown(current)}`,
  );
  return [number, observedAt, type, fields.join("; ")];
}

function shown(value: unknown): string {
  if (value === undefined) return "none";
  return typeof value === "string" ? value : JSON.stringify(value);
}
