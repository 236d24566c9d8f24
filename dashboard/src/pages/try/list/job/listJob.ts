import type { Batch, Call } from "../../../../api/publicApi.ts";
import type { ListState, Requests, Run, ShownRow } from "../protocol.ts";
import { resultTexts } from "../resultTexts.ts";
import { type Answer, countOf, outcomeOf } from "./answers.ts";
import { findColumn } from "./kvkColumn.ts";
import { readTable } from "./readTable.ts";
import { type Ending, type RunParts, runList } from "./run.ts";
import { type Source, sourceOf } from "./source.ts";
import type { KeptList, LoadedList } from "./store.ts";
import { RefusedFileError } from "./table.ts";
import { completedTable, shownRows } from "./views.ts";
import { writeCsv } from "./writeCsv.ts";
import { writeXlsx } from "./writeXlsx.ts";

const XLSX_TYPE = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet";

/** Where lists are kept; `undefined` from {@link Outside.store} where the browser keeps nothing. */
export interface Keeper {
  load(accountId: string, nowMs: number): Promise<LoadedList | undefined>;
  begin(list: KeptList, bytes: Uint8Array<ArrayBuffer>): Promise<void>;
  update(list: KeptList, answers?: readonly Answer[]): Promise<void>;
  remove(accountId: string): Promise<void>;
}

/** What a job needs of the browser; tests hand over their own. */
export interface Outside {
  readonly store: () => Promise<Keeper>;
  readonly ask: (numbers: readonly string[], enrich: boolean) => Promise<Call<Batch>>;
  readonly sleep: RunParts["sleep"];
  readonly now: () => number;
  /** Runs it while no other page of this browser runs a list of the account; undefined when one does. */
  readonly alone: <T>(name: string, work: () => Promise<T>) => Promise<T | undefined>;
  /** Whether another page of this browser runs a list of the account now. */
  readonly isElsewhere: (name: string) => Promise<boolean>;
  readonly tell: (state: ListState) => void;
}

/** One account's list, from the file to the result. */
export class ListJob {
  readonly #outside: Outside;
  #keeper: Keeper | undefined;
  #accountId = "";
  #source: Source | undefined;
  #answers = new Map<string, Answer>();
  #run: Run | undefined;
  #abort = new AbortController();
  /** What is asked last; a list that is begun anew waits for it, as its part under way is paid for. */
  #running: Promise<void> = Promise.resolve();

  constructor(outside: Outside) {
    this.#outside = outside;
  }

  /** Begins with the list that this browser keeps for the account, if there is one. */
  async open({ accountId }: Requests["open"]["ask"]): Promise<void> {
    this.#accountId = accountId;
    this.#keeper = await this.#outside.store().catch(() => undefined);
    try {
      await this.#load();
      this.#tell();
    } catch {
      this.#outside.tell({ step: "lost" });
    }
  }

  async read({ name, content }: Requests["read"]["ask"]): Promise<void> {
    this.#outside.tell({ step: "reading", name });
    try {
      const bytes = typeof content === "string" ? new TextEncoder().encode(content) : await bytesOf(content);
      const table = await readTable(bytes);
      this.#source = sourceOf({ name, bytes, table, found: findColumn(table.rows), completes: true });
      this.#run = undefined;
      this.#tell();
    } catch (error) {
      this.#source = undefined;
      const reason = error instanceof RefusedFileError ? error.reason : "damaged";
      this.#outside.tell({ step: "empty", refused: { name, reason } });
    }
  }

  async choose({ sheet, column, completes }: Requests["choose"]["ask"]): Promise<void> {
    const source = this.#need();
    if (this.#run !== undefined) return;
    if (sheet !== undefined && sheet !== source.table.sheet) {
      const table = await readTable(source.bytes, sheet).catch((error: unknown) => {
        if (error instanceof RefusedFileError && error.reason === "empty")
          return { ...source.table, sheet, rows: [] };
        throw error;
      });
      this.#source = sourceOf({ ...source, table, found: findColumn(table.rows) });
    } else {
      this.#source = sourceOf({
        ...source,
        completes: completes ?? source.completes,
        found: column === undefined ? source.found : { ...source.found, column, by: "reader" },
      });
    }
    this.#tell();
  }

  async start({ isEverything, price }: Requests["start"]["ask"]): Promise<void> {
    this.#need();
    this.#answers = new Map();
    this.#run = { ...NEW_RUN, isEverything };
    await this.#kept((keeper) => keeper.begin(this.#record(0), this.#need().bytes));
    this.#begin(price);
  }

  async resume({ price, again }: Requests["resume"]["ask"]): Promise<void> {
    if (this.#run === undefined || isActive(this.#run)) return;
    if (again) {
      for (const [number, answer] of this.#answers) {
        if (outcomeOf(answer) === "noAnswer") this.#answers.delete(number);
      }
    }
    this.#begin(price);
  }

  /** Asks for nothing more. The part under way is paid for, so it is waited for. */
  stop(): void {
    this.#abort.abort();
    if (this.#run !== undefined && isActive(this.#run)) this.#change({ phase: "stopping" });
  }

  /** Deletes the results, and the file unless another sheet of it is to be chosen. */
  async discard(keepsFile = false): Promise<void> {
    this.#abort.abort();
    if (!keepsFile) this.#source = undefined;
    this.#run = undefined;
    this.#answers = new Map();
    await this.#kept((keeper) => keeper.remove(this.#accountId));
    this.#tell();
  }

  rows({ from, to, language }: Requests["rows"]["ask"]): readonly ShownRow[] {
    return shownRows(this.#need().numbers, this.#answers, { from, to, language });
  }

  async save({ format, language, separator }: Requests["save"]["ask"]): Promise<Requests["save"]["answer"]> {
    const source = this.#need();
    const completed = completedTable(source, this.#answers, {
      isEverything: this.#run?.isEverything ?? false,
      language,
    });
    const base = `${source.name.replace(/\.[a-z]{2,4}$/i, "")}-opzoek`;
    if (format === "csv") {
      const content = new Blob([writeCsv(completed, separator)], { type: "text/csv;charset=utf-8" });
      return { name: `${base}.csv`, content };
    }
    const bytes = await writeXlsx(completed, source, resultTexts[language].sheet);
    return { name: `${base}.xlsx`, content: new Blob([new Uint8Array(bytes)], { type: XLSX_TYPE }) };
  }

  #begin(price: number): void {
    this.#abort = new AbortController();
    const { signal } = this.#abort;
    this.#change({ phase: "running", stopped: undefined, mayRepeat: 0 });
    this.#running = this.#running
      .then(() => this.#outside.alone(this.#lock, () => this.#asking(price, signal)))
      .then(
        (ending) => this.#end(ending ?? "elsewhere", signal),
        () => this.#end("other", signal),
      );
  }

  get #lock(): string {
    return `opzoek-list-${this.#accountId}`;
  }

  #end(ending: Ending, signal: AbortSignal): void {
    // A list that was given up, or begun anew, is not this one.
    if (signal !== this.#abort.signal || this.#run === undefined) return;
    const phase = ending === "done" ? "done" : "stopped";
    this.#change({ phase, stopped: ending === "done" ? undefined : ending, pause: undefined });
  }

  async #asking(price: number, signal: AbortSignal): Promise<Ending> {
    // Another page may have gone on with the list since this one read it.
    await this.#reread();
    const numbers = this.#need().numbers.distinct.filter((number) => !this.#answers.has(number));
    const { isEverything } = this.#run ?? NEW_RUN;
    const isMine = () => signal === this.#abort.signal && this.#run !== undefined;
    const parts: RunParts = {
      ...this.#outside,
      underWay: async (size) => {
        if (isMine()) await this.#kept((keeper) => keeper.update(this.#record(size)));
      },
      keep: async (answers, cost) => {
        if (!isMine()) return;
        for (const answer of answers) this.#answers.set(answer.number, answer);
        const spent = (this.#run?.spent ?? 0) + cost.charged;
        this.#change({ spent, remaining: cost.remaining });
        await this.#kept((keeper) => keeper.update(this.#record(0), answers));
      },
      pause: (pause) => {
        if (isMine()) this.#change({ pause });
      },
    };
    return await runList(parts, { numbers, enrich: isEverything, price }, signal);
  }

  async #load(): Promise<void> {
    const loaded = await this.#keeper?.load(this.#accountId, this.#outside.now()).catch(() => undefined);
    if (loaded === undefined) return;
    const { list, bytes, answers } = loaded;
    const { name, completes, column, headRow, isEverything, spent, underWay } = list;
    const table = await readTable(bytes, list.sheet);
    this.#source = sourceOf({ name, bytes, table, completes, found: { column, headRow, by: "reader" } });
    this.#answers = new Map(answers.map((answer) => [answer.number, answer]));
    this.#run = { ...NEW_RUN, isEverything, spent, phase: "stopped", stopped: "reload", mayRepeat: underWay };
    if (this.#source.numbers.distinct.every((number) => this.#answers.has(number))) {
      this.#run = { ...this.#run, phase: "done", stopped: undefined, mayRepeat: 0 };
    } else if (await this.#outside.isElsewhere(this.#lock)) {
      this.#run = { ...this.#run, stopped: "elsewhere", mayRepeat: 0 };
    }
  }

  async #reread(): Promise<void> {
    const loaded = await this.#keeper?.load(this.#accountId, this.#outside.now()).catch(() => undefined);
    for (const answer of loaded?.answers ?? []) {
      if (outcomeOf(answer) !== "noAnswer") this.#answers.set(answer.number, answer);
    }
  }

  #need(): Source {
    if (this.#source === undefined) throw new Error("there is no list");
    return this.#source;
  }

  #record(underWay: number): KeptList {
    const { name, table, found, completes } = this.#need();
    const { isEverything, spent } = this.#run ?? NEW_RUN;
    return {
      accountId: this.#accountId,
      name,
      sheet: table.sheet,
      column: found.column ?? 0,
      headRow: found.headRow,
      completes,
      isEverything,
      spent,
      underWay,
      keptAtMs: this.#outside.now(),
    };
  }

  /** Keeps something; a browser that cannot is told once, and the list goes on without. */
  async #kept(keep: (keeper: Keeper) => Promise<void>): Promise<void> {
    try {
      if (this.#keeper === undefined) throw new Error("the browser keeps nothing");
      await keep(this.#keeper);
    } catch {
      if (this.#run?.isKept) this.#change({ isKept: false });
    }
  }

  #change(more: Partial<Run>): void {
    this.#run = { ...(this.#run ?? NEW_RUN), ...more };
    this.#tell();
  }

  #tell(): void {
    this.#outside.tell(this.#state());
  }

  #state(): ListState {
    if (this.#source === undefined) return { step: "empty" };
    const { plan } = this.#source;
    if (this.#run === undefined) return { step: "planned", plan };
    return { step: "begun", plan, run: { ...this.#run, ...countOf(this.#answers) } };
  }
}

const NEW_RUN: Run = {
  phase: "running",
  isEverything: false,
  done: 0,
  found: 0,
  notFound: 0,
  noAnswer: 0,
  spent: 0,
  remaining: undefined,
  pause: undefined,
  stopped: undefined,
  isKept: true,
  mayRepeat: 0,
};

async function bytesOf(blob: Blob): Promise<Uint8Array<ArrayBuffer>> {
  return new Uint8Array(await blob.arrayBuffer());
}

function isActive({ phase }: Run): boolean {
  return phase === "running" || phase === "stopping";
}
