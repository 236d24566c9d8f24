/** Another engine in a process of its own, so that its memory has a limit and ends with it. */

import { setImmediate } from "node:timers/promises";
import { BUILD_LIMIT_MS } from "../limits.ts";
import { type NamedCompany, readRealNames } from "../names.ts";
import { registryFacts } from "../registry.ts";
import { type Answer, askEach, type Entry, type FilledEngine } from "./engine.ts";
import { OTHERS } from "./others.ts";

/** What the process is asked: first to fill an engine, then queries. */
export type Question =
  | {
      readonly engine: string;
      readonly companies: number;
      /** Companies that are looked for and that this many generated ones may lack. */
      readonly wanted: readonly NamedCompany[];
    }
  | { readonly queries: readonly string[] };

/** What it says: of filling, or of queries. */
export type Said =
  | { readonly filled: true; readonly entries: number; readonly seconds: number }
  | { readonly failed: string }
  | { readonly answers: readonly Answer[] };

const ENTRIES_AT_ONCE = 5_000;

async function fill(engine: FilledEngine, entries: Iterable<Entry>): Promise<number> {
  const startedMs = performance.now();
  let count = 0;
  let waiting: Entry[] = [];
  const flush = async (): Promise<void> => {
    await engine.add(waiting);
    // Whoever started this may have ended, which is heard between two parts only.
    await setImmediate();
    count += waiting.length;
    waiting = [];
    if (performance.now() - startedMs > BUILD_LIMIT_MS) {
      throw new Error(`building takes more than ${BUILD_LIMIT_MS / 60_000} minutes`);
    }
  };
  for (const entry of entries) {
    waiting.push(entry);
    if (waiting.length === ENTRIES_AT_ONCE) await flush();
  }
  await flush();
  await engine.finish();
  return count;
}

function* entriesOf(companies: number, wanted: readonly NamedCompany[]): Generator<Entry> {
  const beside = new Map(
    [...(readRealNames() ?? []), ...wanted].map((company) => [company.kvkNumber, company]),
  );
  for (const { facts } of registryFacts({ companies, beside: [...beside.values()] })) {
    for (const name of new Set([facts.name, ...(facts.tradingNames ?? [])])) {
      yield { kvkNumber: facts.kvkNumber, name };
    }
  }
}

let engine: FilledEngine | undefined;
const answered = new Map<string, Answer>();

async function reply(question: Question): Promise<Said> {
  if ("queries" in question) {
    if (engine === undefined) throw new Error("no engine was filled yet");
    return { answers: await askEach(engine, question.queries, answered) };
  }
  const startedMs = performance.now();
  engine = await OTHERS.find(({ id }) => id === question.engine)?.open();
  if (engine === undefined) throw new Error(`there is no engine "${question.engine}"`);
  const entries = await fill(engine, entriesOf(question.companies, question.wanted));
  return { filled: true, entries, seconds: (performance.now() - startedMs) / 1_000 };
}

process.on("message", (question: Question) => {
  reply(question)
    .catch((error: unknown): Said => ({ failed: error instanceof Error ? error.message : String(error) }))
    .then((said) => process.send?.(said));
});
process.on("disconnect", () => {
  Promise.resolve(engine?.close()).finally(() => process.exit(0));
});
