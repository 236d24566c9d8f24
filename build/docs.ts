/**
 * Generates the parts of documents that come from the code: settings, commands, endpoints, tools, log messages,
 * metrics, shared pools, test keys.
 */
import { readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import type { Command, Option } from "commander";
import { FIRST_SETTINGS, SETTINGS } from "../src/app/settings/settings.ts";
import { cliContext } from "../src/cli/context.ts";
import { buildProgram } from "../src/cli/program.ts";
import { POOLS, type Pool } from "../src/contract/pools.ts";
import { ENDPOINT_COLUMNS, endpointRows, TOOL_COLUMNS, toolRows } from "./endpoints.ts";
import { LOG_ADVICE } from "./logAdvice.ts";
import { LEVELS, type LogMessage, logMessagesIn, sourcesIn } from "./logMessages.ts";
import { METRICS } from "./metrics.ts";
import { TEST_KEY_TABLES } from "./testKeys.ts";

const ROOT = fileURLToPath(new URL("../", import.meta.url));
const HINT = "written by `npm run docs`";
/** Options of many commands: the page explains them once, and the table leaves them out. */
const SHARED_OPTIONS = ["--json", "--url", "--key-file", "--local"];

/** The generated parts by document and name. */
export async function generatedParts(): Promise<Readonly<Record<string, Readonly<Record<string, string>>>>> {
  const program = await buildProgram(cliContext({}));
  const isFirst = (name: string) => FIRST_SETTINGS.some((first) => first === name);
  const others = Object.keys(SETTINGS).filter((name) => !isFirst(name));
  return {
    "docs/settings.md": { first: settingsTable(FIRST_SETTINGS), advanced: settingsTable(others) },
    "docs/commands.md": { commands: table(["command", "does", "options"], commandRows(program)) },
    "docs/api.md": { endpoints: table(ENDPOINT_COLUMNS, endpointRows()) },
    "docs/mcp.md": { tools: table(TOOL_COLUMNS, toolRows()) },
    "docs/logs.md": Object.fromEntries(
      logTables(logMessagesIn(sourcesIn(`${ROOT}src`)), LOG_ADVICE).map(([level, text]) => [level, text]),
    ),
    "docs/metrics.md": { metrics: metricsTable() },
    "docs/limits.md": { pools: poolsTable(POOLS) },
    "docs/test-keys.md": Object.fromEntries(
      Object.entries(TEST_KEY_TABLES).map(([name, { head, rows }]) => [name, table(head, rows)]),
    ),
  };
}

/** Inserts the generated parts into a page. @throws {Error} when the markers of a part are missing */
export function withParts(page: string, parts: Readonly<Record<string, string>>): string {
  return Object.entries(parts).reduce((text, [name, part]) => {
    const [begin, end] = [`<!-- ${name}: ${HINT} -->\n`, `<!-- end of ${name} -->`];
    const [from, to] = [text.indexOf(begin), text.indexOf(end)];
    if (from === -1 || to < from) throw new Error(`the page needs the lines ${begin.trim()} and ${end}`);
    return `${text.slice(0, from)}${begin}\n${part}\n\n${text.slice(to)}`;
  }, page);
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) =>
    `| ${cells.map((cell) => cell.replaceAll("|", "\\|")).join(" | ")} |`;
  return [line(head), `|${head.map(() => "---|").join("")}`, ...rows.map(line)].join("\n");
}

function settingsTable(names: readonly string[]): string {
  const rows = Object.entries(SETTINGS)
    .filter(([name]) => names.includes(name))
    .map(([name, { shownDefault, meaning }]) => [
      `\`${name}\``,
      shownDefault === "–" ? "–" : `\`${shownDefault}\``,
      meaning,
    ]);
  return table(["variable", "default", "meaning"], rows);
}

/** One row for each command that can be run. */
function commandRows(command: Command, before = "opzoek"): string[][] {
  return command.commands.flatMap((child) => {
    const words = `${before} ${child.name()}`;
    const below = commandRows(child, words);
    if (below.length > 0 && child.options.length === 0) return below;
    const given = child
      .usage()
      .replace(/^\[options\] ?/, "")
      .replace(/^\[command\] ?/, "");
    return [
      [
        `\`${`${words} ${given}`.trim()}\``,
        child.description(),
        child.options.filter(isOwn).map(optionText).join("; "),
      ],
      ...below,
    ];
  });
}

function isOwn({ long }: Option): boolean {
  return !SHARED_OPTIONS.some((shared) => shared === long);
}

function optionText({ flags, description, mandatory, defaultValue }: Option): string {
  const notes = [
    ...(mandatory ? ["required"] : []),
    ...(["string", "number"].includes(typeof defaultValue) ? [`default: ${defaultValue}`] : []),
  ];
  return `\`${flags}\`: ${description}${notes.length === 0 ? "" : ` (${notes.join(", ")})`}`;
}

/**
 * One table for each log level.
 * @throws {Error} for a warning or an error without advice, and for advice on a message that is not logged
 */
export function logTables(
  messages: readonly LogMessage[],
  advice: Readonly<Record<string, string>>,
): [level: string, table: string][] {
  const lacking = messages.filter(({ level, message }) => level !== "info" && advice[message] === undefined);
  const logged = new Set(messages.map(({ message }) => message));
  const stale = Object.keys(advice).filter((message) => !logged.has(message));
  if (lacking.length + stale.length > 0) {
    const lines = [
      ...lacking.map(({ message }) => `needs advice: ${message}`),
      ...stale.map((message) => `is not logged: ${message}`),
    ];
    throw new Error(`build/logAdvice.ts does not match the log messages in src:\n${lines.join("\n")}`);
  }
  return LEVELS.map((level) => {
    const rows = messages
      .filter((one) => one.level === level)
      .map(({ message, fields }) => [
        message,
        fields.map((field) => `\`${field}\``).join(", "),
        advice[message] ?? "",
      ]);
    return [level, table(["message", "fields", level === "info" ? "note" : "what to do"], rows)];
  });
}

function metricsTable(): string {
  const rows = METRICS.map(({ name, type, labels, meaning }) => [
    `\`${name}\``,
    type,
    labels.length === 0 ? "–" : labels.map((label) => `\`${label}\``).join(", "),
    meaning,
  ]);
  return table(["metric", "type", "labels", "meaning"], rows);
}

function poolsTable(pools: Readonly<Record<string, Pool>>): string {
  const shown = (bound: number | undefined) => (bound === undefined ? "–" : bound.toLocaleString("en"));
  const rows = Object.entries(pools).map(
    ([name, { holds, scope, slots, perAccount, perAddress, freeTiers }]) => [
      name,
      holds,
      scope,
      ...[slots, perAccount, perAddress, freeTiers].map(shown),
    ],
  );
  const head = ["pool", "unit", "per", "limit", "per account", "per address", "all free plans"];
  return table(head, rows);
}

if (import.meta.main) {
  for (const [path, parts] of Object.entries(await generatedParts())) {
    writeFileSync(ROOT + path, withParts(readFileSync(ROOT + path, "utf8"), parts));
  }
}
