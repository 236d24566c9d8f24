/** `node bench/swap.ts`: what calls meet while a registry takes up a segment and a new base, and what memory that takes. */
import { fork } from "node:child_process";
import { once } from "node:events";
import { existsSync, readFileSync } from "node:fs";
import { monitorEventLoopDelay } from "node:perf_hooks";
import { setTimeout as pause, setImmediate as turn } from "node:timers/promises";
import { parseArgs } from "node:util";
import { type KvkNumber, parseKvkNumber } from "../src/contract/numbers.ts";
import { generateCompanies } from "../src/demo/generateCompanies.ts";
import { importFacts } from "../src/snapshot/importFacts.ts";

import { pointerPath } from "../src/snapshot/places.ts";
import { openRegistry } from "../src/snapshot/registry.ts";
import { rollback } from "../src/snapshot/rollback.ts";
import type { Registry } from "../src/snapshot/types.ts";

const USAGE = `node bench/swap.ts --folder FOLDER [options]

  --folder FOLDER  the registry's; filled where it is empty, changed by each run
  --companies N    fictional companies of a base (default 100000)
  --segment N      companies of a segment (default 1000)
  --only WORDS     which of nothing, segment, base, back (default nothing,segment,base): back goes back to the snapshot
                   before, which needs no import and takes up an index as large as the current one`;

const SEED = 2026;
const LOOKED_UP = 500;
/** Looked at before and after what is put in place. */
const MARGIN_MS = 2_000;
const QUERIES = ["ba", "bakkerij", "jansen", "stichting be", "de vries holding", "van den", "jansne"];
/** An import that writes a base, whatever it changes. */
const WHOLE = 0;

const { values } = parseArgs({
  options: {
    folder: { type: "string" },
    companies: { type: "string", default: "100000" },
    segment: { type: "string", default: "1000" },
    only: { type: "string", default: "nothing,segment,base" },
    help: { type: "boolean", default: false },
    /** Of this program itself, in a process of its own: what to import. */
    importing: { type: "string" },
  },
});
const { folder } = values;
if (values.help || folder === undefined) process.stdout.write(`${USAGE}\n`);
else if (values.importing !== undefined) await importInto(folder, values.importing);
else await measure(folder);

/** Imports everything (`all`), or companies under another name: a few, as a segment or, with all others, as a base. */
async function importInto(directory: string, what: string): Promise<void> {
  if (what === "back") {
    await rollback(directory);
    return;
  }
  const count = Number(what === "all" ? values.companies : values.segment);
  const companies = Number(values.companies);
  function* facts() {
    let nth = 0;
    for (const one of generateCompanies({ companies, seed: SEED })) {
      if (nth++ === count) return;
      if (what === "all") yield one;
      else
        yield {
          ...one,
          asOf: new Date().toISOString(),
          facts: { ...one.facts, name: `${what} ${Date.now()} ${nth}` },
        };
    }
  }
  await importFacts(directory, facts(), { replace: false, ...(what === "base" && { maxDeltaShare: WHOLE }) });
}

async function imported(what: string): Promise<void> {
  const child = fork(import.meta.filename, [...process.argv.slice(2), "--importing", what]);
  const [code] = await once(child, "exit");
  if (code !== 0) throw new Error(`the import of ${what} failed`);
}

async function measure(directory: string): Promise<void> {
  if (!existsSync(pointerPath(directory))) await imported("all");
  let swaps = 0;
  const registry = await openRegistry(directory, { onSwap: () => swaps++ });
  await pause(MARGIN_MS);
  const atRest = process.memoryUsage.rss();
  const lines = [
    "| | calls | failed | slowest call | event loop held at most | without waiting for a core | of it processor time | memory at most |",
    "|---|--:|--:|--:|--:|--:|--:|--:|",
  ];
  for (const what of values.only.split(",")) {
    const before = swaps;
    const work =
      what === "nothing" ? pause(MARGIN_MS) : imported(what).then(() => untilSwapped(() => swaps > before));
    lines.push(row(what, await callWhile(registry, work)));
  }
  const companies = registry.current?.info.companies ?? 0;
  registry.close();
  process.stdout.write(
    `${companies} companies; ${(atRest / 1e6).toFixed(0)} MB at rest\n\n${lines.join("\n")}\n`,
  );
}

async function untilSwapped(hasSwapped: () => boolean): Promise<void> {
  while (!hasSwapped()) await pause(50);
  await pause(MARGIN_MS);
}

/** Looks companies up and completes names, one call a turn of the event loop, while something is under way. */
async function callWhile(registry: Registry, work: Promise<void>) {
  let isDone = false;
  const done = work.finally(() => {
    isDone = true;
  });
  const held = monitorEventLoopDelay({ resolution: 1 });
  held.enable();
  const numbers = firstNumbers(registry);
  let [calls, failed, slowestMs, mostBytes, busyMs, ownMs] = [0, 0, 0, 0, 0, 0];
  let before = process.threadCpuUsage();
  let [beganMs, waitedMs] = [performance.now(), waitedForCoreMs()];
  while (!isDone) {
    const startedMs = performance.now();
    const number = numbers[calls % numbers.length];
    const found = registry.current?.autocomplete(QUERIES[calls % QUERIES.length] ?? "", 8);
    const company = number === undefined ? undefined : registry.current?.basic(number);
    if (found === undefined || company === undefined) failed++;
    slowestMs = Math.max(slowestMs, performance.now() - startedMs);
    if (++calls % 64 === 0) mostBytes = Math.max(mostBytes, process.memoryUsage.rss());
    await turn();
    // What others on the machine take is no work of this thread.
    const { user, system } = process.threadCpuUsage(before);
    busyMs = Math.max(busyMs, (user + system) / 1_000);
    before = process.threadCpuUsage();
    const waited = waitedForCoreMs();
    ownMs = Math.max(ownMs, performance.now() - beganMs - (waited - waitedMs));
    [beganMs, waitedMs] = [performance.now(), waited];
  }
  held.disable();
  await done;
  return { calls, failed, slowestMs, heldMs: held.max / 1e6, ownMs, busyMs, mostBytes };
}

/** How long this thread was ready to run and did not, as others had the cores; 0 where the system does not tell. */
function waitedForCoreMs(): number {
  try {
    const [, waitedNs] = readFileSync("/proc/thread-self/schedstat", "utf8").split(" ");
    return Number(waitedNs) / 1e6;
  } catch {
    return 0;
  }
}

function firstNumbers(registry: Registry): readonly KvkNumber[] {
  const numbers: KvkNumber[] = [];
  for (const { company } of registry.current?.all() ?? []) {
    const number = parseKvkNumber(company.kvkNumber);
    if (number !== undefined) numbers.push(number);
    if (numbers.length === LOOKED_UP) break;
  }
  return numbers;
}

function row(
  what: string,
  { calls, failed, slowestMs, heldMs, ownMs, busyMs, mostBytes }: Awaited<ReturnType<typeof callWhile>>,
): string {
  const ms = (value: number) => `${value.toFixed(1)} ms`;
  return `| ${what} | ${calls} | ${failed} | ${ms(slowestMs)} | ${ms(heldMs)} | ${ms(ownMs)} | ${ms(busyMs)} | ${(mostBytes / 1e6).toFixed(0)} MB |`;
}
