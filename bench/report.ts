import { execFileSync } from "node:child_process";
import { statfsSync } from "node:fs";
import { cpus, totalmem } from "node:os";
import type { CaseResult, Figures } from "./measure.ts";
import type { Options } from "./options.ts";

/** What the figures hold for: without it they say nothing. */
export interface Circumstances {
  readonly date: string;
  readonly node: string;
  readonly cores: number;
  readonly processor: string;
  readonly memoryGiB: number;
  readonly fileSystem: string;
  readonly commit: string;
}

/** File systems that `statfs` numbers, as far as a run is likely to meet them. */
const FILE_SYSTEMS: Readonly<Record<number, string>> = {
  61267: "ext4",
  1481003842: "xfs",
  2435016766: "btrfs",
  16914836: "tmpfs (memory: a sync costs nothing here)",
  2035054128: "overlay",
};

export function circumstances(folder: string): Circumstances {
  const { type } = statfsSync(folder);
  return {
    date: new Date().toISOString().slice(0, 10),
    node: process.version,
    cores: cpus().length,
    processor: cpus()[0]?.model ?? "unknown",
    memoryGiB: Math.round(totalmem() / 2 ** 30),
    fileSystem: FILE_SYSTEMS[type] ?? `type ${type}`,
    commit: execFileSync("git", ["rev-parse", "--short", "HEAD"], { encoding: "utf8" }).trim(),
  };
}

const HEAD = [
  "| case | ours/s | bare/s | ratio (rounds; measured again) | least | median | p99 | bare median | bare p99 | processor, ours | bare | busy: ours, database, client, others | bare, client, others | memory |",
  "|---|--:|--:|---|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|",
];

/** The report for a person: a table in Markdown, so that it can stand in a document as it is. */
export function renderReport(
  results: readonly CaseResult[],
  around: Circumstances,
  options: Options,
): string {
  const single = results.find(({ name, setup }) => name === "lookup" && setup.name === "sqlite");
  const lines = [
    `${around.date}, commit ${around.commit}, Node ${around.node}, ${around.cores} cores (${around.processor}), ${around.memoryGiB} GiB, ${around.fileSystem}`,
    `${options.companies.toLocaleString("en")} companies, ${options.connections} connections, ${options.rounds} rounds of ${options.seconds} s, client ${options.client}, LOG_LEVEL=${options.logLevel}`,
    "",
  ];
  for (const setup of options.setups) {
    const rows = results.filter((result) => result.setup === setup).map(row);
    if (rows.length > 0) lines.push(`### ${setup.title}`, "", ...HEAD, ...rows, "");
  }
  for (const result of results) {
    if (result.itemsPerAnswer === 1 || single === undefined) continue;
    const items = result.ours.answersPerSecond * result.itemsPerAnswer;
    const times = items / single.ours.answersPerSecond;
    lines.push(
      `${result.title}: ${count(items)} companies a second, ${times.toFixed(1)} times the single lookups`,
    );
  }
  return lines.join("\n");
}

function row(result: CaseResult): string {
  const { ours, bare, ratios, disturbed, ratio, leastRatio, residentBytes } = result;
  const rounds = ratios.map((one) => one.toFixed(2)).join(" ");
  const cells = [
    result.title,
    count(ours.answersPerSecond),
    count(bare.answersPerSecond),
    `**${ratio.toFixed(2)}** (${rounds}; ${disturbed})`,
    leastRatio === undefined ? "–" : `${leastRatio.toFixed(2)}${ratio < leastRatio ? " MISSED" : ""}`,
    milliseconds(ours.medianUs),
    milliseconds(ours.p99Us),
    milliseconds(bare.medianUs),
    milliseconds(bare.p99Us),
    processor(ours),
    processor(bare),
    busy(ours, ours.databaseBusy),
    busy(bare),
    residentBytes === undefined ? "–" : `${Math.round(residentBytes / 2 ** 20)} MiB`,
  ];
  return `| ${cells.join(" | ")} |`;
}

function count(number: number): string {
  return Math.round(number).toLocaleString("en");
}

function milliseconds(us: number): string {
  return `${(us / 1_000).toFixed(2)} ms`;
}

function processor({ processorUs }: Figures): string {
  return processorUs === undefined ? "–" : `${processorUs.toFixed(1)} µs`;
}

/** Server, its database, client and everything else on the machine, each in shares of one core. */
function busy({ serverBusy, clientBusy, elsewhereBusy }: Figures, ...databaseBusy: number[]): string {
  const share = (value: number | undefined): string => (value === undefined ? "–" : value.toFixed(2));
  return [serverBusy, ...databaseBusy, clientBusy, elsewhereBusy].map(share).join(" ");
}
