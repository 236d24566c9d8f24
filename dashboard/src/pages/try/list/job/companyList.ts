import type { Language } from "../../../../language/bilingual.ts";
import type { Answer } from "./answers.ts";
import type { FileRequest } from "./completedFile.ts";
import { readFile, writeFile } from "./files.ts";
import { JOB_API, type StoredList } from "./jobApi.ts";
import { ListRun, type Run } from "./listRun.ts";
import { lockOf } from "./lock.ts";
import { type Source, sourceOf } from "./source.ts";
import { currentList, ListStore, setCurrentList } from "./store.ts";
import { type RefusedFile, RefusedFileError } from "./table.ts";

export type ListState =
  | { readonly step: "opening" }
  /** Another tab of this browser holds the lock. */
  | { readonly step: "elsewhere" }
  /** The stored list cannot be read. */
  | { readonly step: "unread" }
  | { readonly step: "empty"; readonly refused?: { readonly name: string; readonly reason: RefusedFile } }
  | { readonly step: "reading"; readonly name: string }
  | { readonly step: "planned"; readonly source: Source }
  | { readonly step: "begun"; readonly source: Source; readonly run: Run };

interface Choice {
  readonly sheet?: number;
  readonly column?: number;
  readonly completes?: boolean;
}

/** The list of one account, from the file to the result. It continues while other screens are shown. */
export class CompanyList {
  readonly accountId: string;
  readonly #listeners = new Set<() => void>();
  readonly #ended = new AbortController();
  #store: ListStore | undefined;
  #source: Source | undefined;
  #run: ListRun | undefined;
  #state: ListState = { step: "opening" };

  constructor(accountId: string) {
    this.accountId = accountId;
  }

  /** The state of the list; a new object after each change. */
  readonly state = (): ListState => this.#state;

  /** Calls `listener` after every change; returns the unsubscribe function. */
  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  get answers(): ReadonlyMap<string, Answer> {
    return this.#run?.answers ?? new Map();
  }

  /** Continues with the account's list stored in this browser. */
  async open(): Promise<void> {
    const { signal } = this.#ended;
    // If the browser refuses locks, opens the list without one.
    await lockOf(this.accountId, signal, () => this.#set({ step: "elsewhere" })).catch(() => undefined);
    this.#store = await ListStore.open().catch(() => undefined);
    if (signal.aborted) return this.#store?.close();
    signal.addEventListener("abort", () => this.#store?.close());
    await this.load();
  }

  /** Reads the stored list, if there is one. */
  async load(): Promise<void> {
    try {
      await this.#load();
      this.#show();
    } catch {
      this.#set({ step: "unread" });
    }
  }

  async read(name: string, content: Blob | string): Promise<void> {
    this.#set({ step: "reading", name });
    try {
      const bytes = new Uint8Array(await new Blob([content]).arrayBuffer());
      this.#take({ name, bytes, ...(await readFile(bytes)), completes: true });
    } catch (error) {
      const reason = error instanceof RefusedFileError ? error.reason : "damaged";
      this.#set({ step: "empty", refused: { name, reason } });
    }
  }

  async choose({ sheet, column, completes }: Choice): Promise<void> {
    const source = this.#source;
    if (source === undefined) return;
    if (sheet === undefined) {
      const found = column === undefined ? source.found : { ...source.found, column, by: "reader" as const };
      return this.#take({ ...source, found, completes: completes ?? source.completes });
    }
    // Shown without rows until they are read: a column chosen meanwhile would belong to the previous sheet.
    const empty = { table: { ...source.table, sheet, rows: [] }, found: NOTHING_FOUND };
    this.#take({ ...source, ...empty, found: { ...NOTHING_FOUND, by: "reader" } });
    const read = await readFile(source.bytes, sheet).catch(() => empty);
    if (this.#source?.table === empty.table) this.#take({ ...source, ...read });
  }

  start(isEverything: boolean): void {
    const source = this.#source;
    if (source === undefined || this.#run !== undefined) return;
    const { name, bytes, table, found, completes } = source;
    const { column = 0, headRow } = found;
    const choices = { name, bytes, sheet: table.sheet, column, headRow, completes, isEverything };
    const list = { accountId: this.accountId, ...choices, answers: [], spent: 0, expiresAtMs: 0 };
    this.#run = this.#newRun(list, source);
    this.#run.start();
    this.#show();
  }

  /** @param again also retries the numbers without an answer */
  resume(again = false): void {
    this.#run?.resume(again);
  }

  pause(): void {
    this.#run?.pause();
  }

  /** Deletes the list with its results; `keepsFile` keeps the file, to choose another sheet of it. */
  discard(keepsFile: boolean): void {
    if (this.#run === undefined) {
      this.#source = undefined;
      this.#show();
    } else this.#run.discard(keepsFile);
  }

  /** Returns the customer's file with the results so far. @throws {RefusedFileError} */
  async save(
    format: FileRequest["format"],
    language: Language,
    separator: FileRequest["separator"],
  ): Promise<{ readonly name: string; readonly content: Blob }> {
    const [source, run] = [this.#source, this.#run];
    if (source === undefined || run === undefined) throw new Error("there is no list");
    const { answers, isEverything } = run;
    const content = await writeFile({ source, answers, isEverything, language, format, separator });
    return { name: `${source.name.replace(/\.[a-z]{2,4}$/i, "")}-opzoek.${format}`, content };
  }

  /** Closes the list here; its job continues at the service. */
  end(): void {
    this.#ended.abort();
    this.#run?.end();
  }

  async #load(): Promise<void> {
    await this.#store?.deleteOld();
    const stored = await this.#store?.find(this.accountId);
    if (stored === undefined) return;
    const { name, bytes, completes, column, headRow, sheet } = stored;
    const { table } = await readFile(bytes, sheet);
    this.#source = sourceOf({ name, bytes, table, completes, found: { column, headRow, by: "reader" } });
    this.#run = this.#newRun(stored, this.#source);
    this.#run.open();
  }

  #newRun(list: StoredList, { numbers }: Source): ListRun {
    return new ListRun(list, numbers.distinct, {
      api: JOB_API,
      keeper: this.#store,
      now: Date.now,
      sleep,
      changed: (event) => {
        if (event !== undefined) this.#run = undefined;
        if (event === "discarded") this.#source = undefined;
        this.#show();
      },
    });
  }

  #take(source: Omit<Source, "numbers">): void {
    this.#source = sourceOf(source);
    this.#show();
  }

  #show(): void {
    const [source, run] = [this.#source, this.#run];
    if (source === undefined) this.#set({ step: "empty" });
    else if (run === undefined) this.#set({ step: "planned", source });
    else this.#set({ step: "begun", source, run: run.state() });
  }

  #set(state: ListState): void {
    this.#state = state;
    for (const listener of this.#listeners) listener();
  }
}

const NOTHING_FOUND = { column: undefined, headRow: undefined, by: undefined };

/** Returns the open list of an account, or opens the one stored in the browser. */
export function listOf(accountId: string): CompanyList {
  const current = currentList();
  if (current?.accountId === accountId) {
    const state = current.state();
    // The account was signed out and has signed in again.
    if (state.step === "begun" && state.run.stopped === "session") current.resume();
    return current;
  }
  const list = new CompanyList(accountId);
  setCurrentList(list);
  void list.open();
  return list;
}

function sleep(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, ms);
    const wake = () => {
      clearTimeout(timer);
      resolve();
    };
    if (signal.aborted) wake();
    else signal.addEventListener("abort", wake);
  });
}
