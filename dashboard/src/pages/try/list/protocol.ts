/** What the page and the worker that does the work of a list say to each other. */
import type { Language } from "../../../language/bilingual.ts";
import type { Outcome } from "./job/answers.ts";
import type { Pause, Stopped } from "./job/run.ts";
import type { RefusedFile } from "./job/table.ts";

/** A list before it begins: what was read, and what it would come to. */
export interface Plan {
  readonly name: string;
  /** The names of the sheets that can be chosen; one for a text. */
  readonly sheets: readonly string[];
  readonly sheet: number;
  /** The titles of the columns, or their letters. */
  readonly columns: readonly string[];
  readonly column: number | undefined;
  readonly foundBy: "name" | "values" | "reader" | undefined;
  /** The first rows below the head as texts, by where they stand in the table. */
  readonly preview: readonly { readonly at: number; readonly cells: readonly string[] }[];
  readonly rows: number;
  /** Distinct numbers that would be asked. */
  readonly numbers: number;
  readonly empty: number;
  /** Rows whose number has lost its leading zero, and whether they are completed. */
  readonly short: number;
  readonly completes: boolean;
  /** Rows with something else, and the first of it. */
  readonly other: number;
  readonly examples: readonly string[];
}

/** A list that has begun. Figures are of distinct numbers. */
export interface Run {
  /** `stopping`: the part under way is waited for. */
  readonly phase: "running" | "stopping" | "stopped" | "done";
  readonly isEverything: boolean;
  readonly done: number;
  readonly found: number;
  readonly notFound: number;
  readonly noAnswer: number;
  /** Tokens in all. */
  readonly spent: number;
  readonly remaining: number | undefined;
  readonly pause: Pause | undefined;
  readonly stopped: Stopped | "reload" | undefined;
  /** Whether it is there after a reload. */
  readonly isKept: boolean;
  /** Numbers that were being asked when the page was closed, and may be charged once more. */
  readonly mayRepeat: number;
}

export type ListState =
  | { readonly step: "opening" }
  /** The worker cannot be fetched, or has ended; what it kept is there still. */
  | { readonly step: "lost" }
  | { readonly step: "empty"; readonly refused?: { readonly name: string; readonly reason: RefusedFile } }
  | { readonly step: "reading"; readonly name: string }
  | { readonly step: "planned"; readonly plan: Plan }
  | { readonly step: "begun"; readonly plan: Plan; readonly run: Run };

/** A row of the list as it is shown. */
export interface ShownRow {
  readonly index: number;
  /** What stood in the cell. */
  readonly text: string;
  readonly number: string | undefined;
  readonly name: string | undefined;
  readonly city: string | undefined;
  readonly isActive: boolean | undefined;
  readonly outcome: Outcome;
  /** Why there is no company. */
  readonly why: string;
}

export type FileFormat = "xlsx" | "csv";

/** What the page asks the worker to do; each gets one answer. */
export interface Requests {
  open: { readonly ask: { readonly accountId: string }; readonly answer: undefined };
  read: {
    readonly ask: { readonly name: string; readonly content: Blob | string };
    readonly answer: undefined;
  };
  choose: {
    readonly ask: { readonly sheet?: number; readonly column?: number; readonly completes?: boolean };
    readonly answer: undefined;
  };
  start: {
    readonly ask: { readonly isEverything: boolean; readonly price: number };
    readonly answer: undefined;
  };
  /** Goes on with a list that was stopped; `again` asks anew for the numbers that got no answer. */
  resume: { readonly ask: { readonly price: number; readonly again: boolean }; readonly answer: undefined };
  stop: { readonly ask: undefined; readonly answer: undefined };
  /** Chooses another sheet or column of the same file; what was looked up is deleted. */
  replan: { readonly ask: undefined; readonly answer: undefined };
  discard: { readonly ask: undefined; readonly answer: undefined };
  rows: {
    readonly ask: { readonly from: number; readonly to: number; readonly language: Language };
    readonly answer: readonly ShownRow[];
  };
  save: {
    readonly ask: {
      readonly format: FileFormat;
      readonly language: Language;
      readonly separator: "," | ";";
    };
    readonly answer: { readonly name: string; readonly content: Blob };
  };
}

export type RequestName = keyof Requests;

/** A request on its way. */
export type Sent = {
  [Name in RequestName]: { readonly id: number; readonly name: Name; readonly ask: Requests[Name]["ask"] };
}[RequestName];

/** What the worker says: how the list stands, or what came of a request. */
export type Said =
  | { readonly state: ListState }
  | { readonly id: number; readonly answer: unknown }
  | { readonly id: number; readonly failed: string };
