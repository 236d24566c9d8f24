import type { Language } from "../../../../language/bilingual.ts";
import type { FileFormat, ListState, ShownRow } from "../protocol.ts";
import { resultTexts } from "../resultTexts.ts";
import { findColumn } from "./kvkColumn.ts";
import { ListRun } from "./listRun.ts";
import type { Keeper, KeptList, LoadedList, RunParts } from "./outside.ts";
import { readTable } from "./readTable.ts";
import { type Source, sourceOf } from "./source.ts";
import { RefusedFileError } from "./table.ts";
import { completedTable, shownRows } from "./views.ts";
import { writeCsv } from "./writeCsv.ts";
import { writeXlsx } from "./writeXlsx.ts";

const XLSX_TYPE = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet";

interface Outside extends Omit<RunParts, "changed" | "keeper"> {
  readonly store: () => Promise<Keeper>;
  /** Resolves when no other page of this browser has the account's list; `waits` is called when one has. */
  readonly alone: (accountId: string, waits: () => void) => Promise<void>;
  readonly tell: (state: ListState) => void;
}

/** One account's list, from the file to the result. Its public methods are what the page can ask of the worker. */
export class ListJob {
  readonly #outside: Outside;
  #keeper: Keeper | undefined;
  #accountId = "";
  #source: Source | undefined;
  #run: ListRun | undefined;

  constructor(outside: Outside) {
    this.#outside = outside;
  }

  /** Continues with the list that this browser keeps for the account. */
  async open({ accountId }: { readonly accountId: string }): Promise<void> {
    this.#accountId = accountId;
    await this.#outside.alone(accountId, () => this.#outside.tell({ step: "elsewhere" }));
    this.#keeper = await this.#outside.store().catch(() => undefined);
    try {
      await this.#load();
      this.#tell();
    } catch {
      this.#outside.tell({ step: "lost" });
    }
  }

  async read({ name, content }: { readonly name: string; readonly content: Blob | string }): Promise<void> {
    this.#outside.tell({ step: "reading", name });
    try {
      const bytes =
        typeof content === "string"
          ? new TextEncoder().encode(content)
          : new Uint8Array(await content.arrayBuffer());
      const table = await readTable(bytes);
      this.#source = sourceOf({ name, bytes, table, found: findColumn(table.rows), completes: true });
      this.#tell();
    } catch (error) {
      this.#source = undefined;
      const reason = error instanceof RefusedFileError ? error.reason : "damaged";
      this.#outside.tell({ step: "empty", refused: { name, reason } });
    }
  }

  async choose({ sheet, column, completes }: Choice): Promise<void> {
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

  async start({ isEverything }: { readonly isEverything: boolean }): Promise<void> {
    const { name, bytes, table, found, completes, numbers } = this.#need();
    const list: KeptList = {
      accountId: this.#accountId,
      name,
      sheet: table.sheet,
      column: found.column ?? 0,
      headRow: found.headRow,
      completes,
      isEverything,
      spent: 0,
      keptAtMs: this.#outside.now(),
    };
    this.#run = this.#newRun({ list, answers: [] }, numbers.distinct);
    await this.#run.begin(bytes);
  }

  /** @param again also looks up the numbers without an answer once more */
  resume({ again }: { readonly again: boolean }): void {
    this.#run?.resume(again);
  }

  pause(): void {
    this.#run?.pause();
  }

  /** Deletes the list with its results; `keepsFile` leaves the file, to choose another sheet or column of it. */
  discard({ keepsFile }: { readonly keepsFile: boolean }): void {
    if (this.#run === undefined) {
      this.#source = undefined;
      this.#tell();
    } else this.#run.discard(keepsFile);
  }

  rows({ from, to, language }: RowsWanted): readonly ShownRow[] {
    return shownRows(this.#need().numbers, this.#run?.answers ?? new Map(), { from, to, language });
  }

  async save({ format, language, separator }: FileWanted): Promise<{ name: string; content: Blob }> {
    const source = this.#need();
    const isEverything = this.#run?.isEverything ?? false;
    const completed = completedTable(source, this.#run?.answers ?? new Map(), { isEverything, language });
    const base = `${source.name.replace(/\.[a-z]{2,4}$/i, "")}-opzoek`;
    if (format === "csv") {
      const content = new Blob([writeCsv(completed, separator)], { type: "text/csv;charset=utf-8" });
      return { name: `${base}.csv`, content };
    }
    const bytes = await writeXlsx(completed, source, resultTexts[language].sheet);
    return { name: `${base}.xlsx`, content: new Blob([new Uint8Array(bytes)], { type: XLSX_TYPE }) };
  }

  async #load(): Promise<void> {
    const kept = await this.#keeper?.load(this.#accountId, this.#outside.now()).catch(() => undefined);
    if (kept === undefined) return;
    const { name, completes, column, headRow, sheet } = kept.list;
    const table = await readTable(kept.bytes, sheet);
    const found = { column, headRow, by: "reader" } as const;
    this.#source = sourceOf({ name, bytes: kept.bytes, table, completes, found });
    this.#run = this.#newRun(kept, this.#source.numbers.distinct);
    this.#run.open();
  }

  #newRun(kept: Omit<LoadedList, "bytes">, numbers: readonly string[]): ListRun {
    const changed: RunParts["changed"] = (event) => {
      if (event !== undefined) this.#run = undefined;
      if (event === "discarded") this.#source = undefined;
      this.#tell();
    };
    return new ListRun(kept, numbers, { ...this.#outside, keeper: this.#keeper, changed });
  }

  #need(): Source {
    if (this.#source === undefined) throw new Error("there is no list");
    return this.#source;
  }

  #tell(): void {
    this.#outside.tell(this.#state());
  }

  #state(): ListState {
    if (this.#source === undefined) return { step: "empty" };
    const { plan } = this.#source;
    if (this.#run === undefined) return { step: "planned", plan };
    return { step: "begun", plan, run: this.#run.state() };
  }
}

interface Choice {
  readonly sheet?: number;
  readonly column?: number;
  readonly completes?: boolean;
}

export interface RowsWanted {
  readonly from: number;
  readonly to: number;
  readonly language: Language;
}

interface FileWanted {
  readonly format: FileFormat;
  readonly language: Language;
  readonly separator: "," | ";";
}
