/** A company that was found, and by which of its names as far as the engine tells. */
export interface Hit {
  readonly kvkNumber: string;
  readonly names: readonly string[];
}

export interface Answer {
  /** Best first. */
  readonly hits: readonly Hit[];
  readonly us: number;
}

/** A way to find companies by what is typed. */
export interface Engine {
  /** At most as many as a dropdown shows, best first. */
  find(q: string): readonly Hit[] | Promise<readonly Hit[]>;
  close(): void | Promise<void>;
}

/** What is filled with names before it is asked. */
export interface FilledEngine extends Engine {
  add(entries: readonly Entry[]): void | Promise<void>;
  /** Called once, behind the last name. */
  finish(): void | Promise<void>;
}

/** One name of a company; each of its names is an entry of its own. */
export interface Entry {
  readonly kvkNumber: string;
  readonly name: string;
}

/**
 * Asks one query after the other, each text once: what an engine keeps of an answer is never measured. A query that
 * comes again gets the answer of the first time, with its time.
 */
export async function askEach(
  engine: Engine,
  queries: readonly string[],
  answered: Map<string, Answer>,
): Promise<Answer[]> {
  const answers: Answer[] = [];
  for (const q of queries) {
    const known = answered.get(q);
    const answer = known ?? (await askOne(engine, q));
    if (known === undefined) answered.set(q, answer);
    answers.push(answer);
  }
  return answers;
}

/**
 * Times one query. When the system gave the processor to another program meanwhile, the time is what this thread had of
 * it: on a busy machine the slowest queries would else be those that others interrupted.
 */
async function askOne(engine: Engine, q: string): Promise<Answer> {
  const switches = process.resourceUsage().involuntaryContextSwitches;
  const processor = process.threadCpuUsage();
  const startedMs = performance.now();
  const found = engine.find(q);
  if (found instanceof Promise) {
    const hits = await found;
    return { hits, us: (performance.now() - startedMs) * 1_000 };
  }
  const us = (performance.now() - startedMs) * 1_000;
  if (process.resourceUsage().involuntaryContextSwitches === switches) return { hits: found, us };
  const { user, system } = process.threadCpuUsage(processor);
  return { hits: found, us: Math.min(us, user + system) };
}
