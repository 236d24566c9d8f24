/** Messages between the page and the worker of a list. */
import type { Outcome } from "./job/answers.ts";
import type { ListJob } from "./job/listJob.ts";
import type { RefusedFile } from "./job/table.ts";

/** A list before it is started: what was read, and what it would come to. */
export interface Plan {
  readonly name: string;
  /** The names of the sheets that can be chosen; one for a text. */
  readonly sheets: readonly string[];
  readonly sheet: number;
  /** The titles of the columns, or their letters. */
  readonly columns: readonly string[];
  readonly column: number | undefined;
  readonly foundBy: "name" | "values" | "reader" | undefined;
  /** The first rows below the head as texts, by their place in the table. */
  readonly preview: readonly { readonly at: number; readonly cells: readonly string[] }[];
  readonly rows: number;
  /** Distinct numbers that would be looked up. */
  readonly numbers: number;
  readonly empty: number;
  /** Rows whose number has lost its leading zero, and whether it is put back. */
  readonly short: number;
  readonly completes: boolean;
  /** Rows with something else, and the first of it. */
  readonly other: number;
  readonly examples: readonly string[];
}

/** Why a list goes no further for now. `ended`: its job expired or was cancelled before all numbers were looked up. */
export type Stopped = "caller" | "allowance" | "ended" | "session" | "forbidden" | "other";

/** A list that was started. Figures count distinct numbers. */
export interface Run {
  /** `stopping`: the reader has paused or removed it, and the service has not confirmed that yet. */
  readonly phase: "running" | "stopping" | "stopped" | "done";
  readonly isEverything: boolean;
  readonly done: number;
  readonly found: number;
  readonly notFound: number;
  readonly noAnswer: number;
  /** Tokens in all. */
  readonly spent: number;
  readonly remaining: number | undefined;
  /** The plan has too little room for the whole list: the next part starts from this page. */
  readonly isInParts: boolean;
  /** The service cannot be reached; the list goes on there. */
  readonly isAway: boolean;
  /** There was no new result for a while. */
  readonly isSlow: boolean;
  readonly stopped: Stopped | undefined;
  /** Until when a list without tokens waits for new ones, ISO 8601. */
  readonly goesOnUntil: string | undefined;
  /** Whether it is there after a reload. */
  readonly isKept: boolean;
}

export type ListState =
  | { readonly step: "opening" }
  /** Another page of this browser has it. */
  | { readonly step: "elsewhere" }
  /** The worker cannot be fetched, or has ended; the list is still kept. */
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

type Methods = Pick<
  ListJob,
  "open" | "read" | "choose" | "start" | "resume" | "pause" | "discard" | "rows" | "save"
>;
export type RequestName = keyof Methods;
export type Ask<Name extends RequestName> = Parameters<Methods[Name]>[0];
export type Answered<Name extends RequestName> = Awaited<ReturnType<Methods[Name]>>;

/** A request to the worker, which gets one answer. */
export type Sent = {
  [Name in RequestName]: { readonly id: number; readonly name: Name; readonly ask: Ask<Name> };
}[RequestName];

/** A message of the worker: the state of the list, or the answer to a request. */
export type Said =
  | { readonly state: ListState }
  | { readonly id: number; readonly answer: unknown }
  | { readonly id: number; readonly failed: string };
