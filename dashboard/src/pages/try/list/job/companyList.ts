import type { Language } from "../../../../language/bilingual.ts";
import { resultTexts } from "../resultTexts.ts";
import type { Added } from "./added.ts";
import { addedColumns } from "./addedColumns.ts";
import { type Answer, type Choice, type Choices, countOf } from "./answers.ts";
import type { FileRequest } from "./completedFile.ts";
import { readFile, readItems, writeFile } from "./files.ts";
import type { StoredList } from "./jobApi.ts";
import { ListRun, type Run } from "./listRun.ts";
import { lockOf } from "./lock.ts";
import { PENDING, type Previewed, type Reading, type Source } from "./source.ts";
import { JOB_API, ListStore } from "./store.ts";
import { type RefusedFile, RefusedFileError, textOf } from "./table.ts";

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

/** The list of one account, from the file to the result. It continues while other screens are shown. */
export class CompanyList {
  readonly accountId: string;
  /** The text that was typed or pasted, so that choosing another list shows it again. */
  draft = "";
  readonly #listeners = new Set<() => void>();
  readonly #ended = new AbortController();
  #store: ListStore | undefined;
  #source: Source | undefined;
  #run: ListRun | undefined;
  #choices = new Map<string, Choice>();
  /** Whether the browser stores the choices. */
  #keepsChoices = true;
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

  /** The decisions of the person about rows to match. */
  get choices(): Choices {
    return this.#choices;
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
    if (typeof content === "string") this.draft = content;
    this.#set({ step: "reading", name });
    try {
      const bytes = new Uint8Array(await new Blob([content]).arrayBuffer());
      this.#take({ name, bytes, ...(await readFile({ bytes })) });
    } catch (error) {
      const reason = error instanceof RefusedFileError ? error.reason : "damaged";
      this.#set({ step: "empty", refused: { name, reason } });
    }
  }

  /** Reads the rows in another way. */
  async choose(reading: Reading): Promise<void> {
    const source = this.#source;
    if (source === undefined) return;
    // The earlier rows are shown until then, so that nothing jumps.
    const items = { ...source.items, isPending: true } as const;
    this.#take({ ...source, reading, items, previewed: undefined });
    const read = await readItems(source.table.rows, reading).catch(() => undefined);
    if (read !== undefined && this.#source?.reading === reading) this.#take({ ...this.#source, items: read });
  }

  async chooseSheet(sheet: number): Promise<void> {
    const source = this.#source;
    if (source === undefined) return;
    // Shown without rows until they are read: a column chosen before that would belong to the previous sheet.
    const table = { ...source.table, sheet, rows: [] };
    this.#take({ ...source, table, items: PENDING, previewed: undefined });
    const read = await readFile({ bytes: source.bytes, sheet }).catch(() => undefined);
    if (read !== undefined && this.#source?.table === table)
      this.#take({ ...source, ...read, previewed: undefined });
  }

  /** Keeps the results of a preview, so that its rows are not charged twice. */
  preview(items: Source["items"], previewed: Previewed): void {
    if (this.#run === undefined && this.#source?.items === items) this.#take({ ...this.#source, previewed });
  }

  /** @param maxTokens the maximum that it may cost from now on */
  start(adds: Added, maxTokens?: number): void {
    const source = this.#source;
    if (source === undefined || this.#run !== undefined) return;
    const { name, bytes, table, reading, previewed = { answers: [], spent: 0 } } = source;
    const file = { name, bytes, sheet: table.sheet, reading };
    const { spent } = previewed;
    const cap = maxTokens === undefined ? {} : { maxTokens: maxTokens + spent };
    const list = { accountId: this.accountId, ...file, adds, ...cap, spent, answered: 0, expiresAtMs: 0 };
    this.#choices.clear();
    this.#run = this.#newRun(list, source, previewed.answers);
    this.#run.resume();
    this.#show();
  }

  /** Stores the decision about a row; undefined takes it back. */
  settle(key: string, choice: Choice | undefined): void {
    if (choice === undefined) this.#choices.delete(key);
    else this.#choices.set(key, choice);
    this.#show();
    const storing =
      this.#store?.putChoice(this.accountId, key, choice) ?? Promise.reject(new Error("no storage"));
    storing.catch(() => {
      this.#keepsChoices = false;
      this.#show();
    });
  }

  /** @param again also retries what has no answer */
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
    const { bytes, table, reading, items } = source;
    const { headRow } = reading;
    const taken = headRow === undefined ? [] : (table.rows[headRow] ?? []).map(textOf);
    const hasRows = items.keys.length > items.numbers;
    const { titles, cells } = addedColumns(run.adds, language, taken, this.#choices.size > 0, hasRows);
    const added = new Map(
      items.rows.map((row) => {
        const key = row.key ?? "";
        return [row.at, cells(row, run.answers.get(key), this.#choices.get(key))] as const;
      }),
    );
    const file = { bytes, sheet: table.sheet, headRow, titles, added };
    const content = await writeFile({ ...file, format, separator, sheetName: resultTexts[language].sheet });
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
    if (this.#store === undefined || stored === undefined) return;
    const answers = await this.#store.answers(stored);
    this.#choices = new Map(await this.#store.choices(this.accountId));
    const { name, bytes } = stored;
    this.#source = { name, bytes, ...(await readFile(stored)) };
    this.#run = this.#newRun(stored, this.#source, answers);
    this.#run.open();
  }

  #newRun(list: StoredList, { items }: Source, answers: readonly Answer[]): ListRun {
    return new ListRun(list, items.keys, answers, {
      api: JOB_API,
      keeper: this.#store,
      now: Date.now,
      sleep,
      nextTask: () => new Promise((resolve) => setTimeout(resolve)),
      changed: (event) => {
        if (event !== undefined) this.#run = undefined;
        if (event === "discarded") this.#source = undefined;
        this.#show();
      },
    });
  }

  #take(source: Source): void {
    this.#source = source;
    this.#show();
  }

  #show(): void {
    const [source, run] = [this.#source, this.#run];
    if (source === undefined) this.#set({ step: "empty" });
    else if (run === undefined) this.#set({ step: "planned", source });
    else this.#set({ step: "begun", source, run: this.#settled(run) });
  }

  /** The state of the run, with the decisions of the person. */
  #settled(run: ListRun): Run {
    const state = run.state();
    return { ...state, ...countOf(run.answers, this.#choices), isKept: state.isKept && this.#keepsChoices };
  }

  #set(state: ListState): void {
    this.#state = state;
    for (const listener of this.#listeners) listener();
  }
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
