/** `npm run bench:start`: how soon a service answers after it was started, and what memory it has at rest; see README.md. */
import { closeSync, openSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { parseArgs } from "node:util";
import { lookup } from "./cases/lookup.ts";
import { freePort } from "./ours.ts";
import { startInto } from "./processes.ts";
import { OPZOEK } from "./program.ts";
import { wholeNumber } from "./words.ts";
import { buildWorld, prepareCase, type World } from "./world.ts";

const USAGE = `node bench/start.ts [options]

  --companies N     generated companies in the registry (25000)
  --registry PATH   a DATA_DIR that holds them already, made by \`opzoek generate\` and \`opzoek import jsonl\`; it is left as it is
  --folder PATH     where the data of the run is put (bench/out)
  --starts N        how often it is started (8)`;

const { values } = parseArgs({
  options: {
    companies: { type: "string", default: "25000" },
    registry: { type: "string" },
    folder: { type: "string", default: new URL("out", import.meta.url).pathname },
    starts: { type: "string", default: "8" },
    help: { type: "boolean", default: false },
  },
});

const ASK_EVERY_MS = 4;
const ANSWERS_WITHIN_MS = 60_000;
/** Until what a start leaves behind is cleared away. */
const AT_REST_AFTER_MS = 6_000;
/** Nothing here asks VIES. */
const NO_VIES = "http://127.0.0.1:1";

/** What is asked of a service that starts, under a key that it knows. */
interface Asked {
  readonly lookup: string;
  readonly suggestion: string;
  readonly headers: Readonly<Record<string, string>>;
}

interface Start {
  readonly lookupMs: number;
  readonly suggestionMs: number;
  readonly residentMb: number;
  /** Without the pages of files. */
  readonly ownMb: number;
}

/** What is told of the starts. */
const FIGURES: readonly {
  readonly title: string;
  readonly unit: string;
  readonly of: (start: Start) => number;
}[] = [
  { title: "first lookup after", unit: "ms", of: ({ lookupMs }) => lookupMs },
  { title: "first suggestion after", unit: "ms", of: ({ suggestionMs }) => suggestionMs },
  { title: "memory at rest", unit: "MB", of: ({ residentMb }) => residentMb },
  { title: "of it without pages of files", unit: "MB", of: ({ ownMb }) => ownMb },
];

const say = (line: string): void => {
  process.stderr.write(`${line}\n`);
};

async function untilAnswered(url: string, { headers }: Asked, startedMs: number): Promise<number> {
  while (performance.now() - startedMs < ANSWERS_WITHIN_MS) {
    try {
      const answer = await fetch(url, { headers });
      await answer.arrayBuffer();
      if (answer.ok) return performance.now() - startedMs;
    } catch {
      // Nobody listens yet.
    }
    await pause(ASK_EVERY_MS);
  }
  throw new Error(`nothing answers at ${url}`);
}

function megabytesOf(pid: number, field: "VmRSS" | "RssFile"): number {
  const line = new RegExp(`^${field}:\\s+(\\d+) kB$`, "m").exec(readFileSync(`/proc/${pid}/status`, "utf8"));
  return (Number(line?.[1]) * 1_024) / 1e6;
}

async function start(world: World, asked: Asked): Promise<Start> {
  const port = await freePort();
  const log = openSync(join(world.folder, "start.log"), "w");
  const environment = {
    ...world.environment,
    PORT: String(port),
  };
  const [node, main] = OPZOEK;
  const startedMs = performance.now();
  const service = startInto(log, [node, main, "serve"], environment);
  closeSync(log);
  try {
    const at = (path: string) => untilAnswered(`http://127.0.0.1:${port}${path}`, asked, startedMs);
    const [lookupMs, suggestionMs] = await Promise.all([at(asked.lookup), at(asked.suggestion)]);
    await pause(AT_REST_AFTER_MS);
    const residentMb = megabytesOf(service.pid, "VmRSS");
    return { lookupMs, suggestionMs, residentMb, ownMb: residentMb - megabytesOf(service.pid, "RssFile") };
  } finally {
    await service.stop();
  }
}

function row(title: string, unit: string, figures: readonly number[]): string {
  const sorted = figures.toSorted((a, b) => a - b);
  const at = (place: number) => `${Math.round(sorted[Math.floor(place)] ?? 0)} ${unit}`;
  return `| ${title} | ${at(0)} | ${at((sorted.length - 1) / 2)} | ${at(sorted.length - 1)} |`;
}

async function measure(companies: number, starts: number): Promise<string> {
  const { registry, folder } = values;
  const world = await buildWorld({ companies, registry, folder, logLevel: "info", viesUrl: NO_VIES }, say);
  try {
    const { calls } = await prepareCase(lookup, world);
    const [call] = calls;
    if (call === undefined) throw new Error("there is nothing to look up");
    const name = world.sample[0]?.name ?? "";
    const asked: Asked = {
      lookup: call.path,
      suggestion: `/v1/autocomplete?q=${encodeURIComponent(name.slice(0, 6))}`,
      headers: call.headers,
    };
    // The first one reads files that no start reads again, and compiles what is kept compiled.
    await start(world, asked);
    const all: Start[] = [];
    while (all.length < starts) {
      all.push(await start(world, asked));
      say(`${all.length} of ${starts} starts`);
    }
    return [
      `| ${companies.toLocaleString("en")} companies, ${starts} starts | least | middle | most |`,
      "|---|--:|--:|--:|",
      ...FIGURES.map(({ title, unit, of }) => row(title, unit, all.map(of))),
    ].join("\n");
  } finally {
    rmSync(world.folder, { recursive: true, force: true });
  }
}

if (values.help) process.stdout.write(`${USAGE}\n`);
else {
  const [companies, starts] = [
    wholeNumber("--companies", values.companies),
    wholeNumber("--starts", values.starts),
  ];
  process.stdout.write(`${await measure(companies, starts)}\n`);
}
