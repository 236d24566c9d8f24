/** The cases of the court's register (Centraal Insolventieregister) as this service keeps them. */
import type { Curator, InsolvencyType } from "../contract/insolvency.ts";
import type { KvkNumber } from "../contract/numbers.ts";

/** The type of a case while it is open. */
export type CaseType = Exclude<InsolvencyType, "none">;

/** A case of a legal person, or of a sole trader as far as it concerns the business. Private persons have none. */
export interface CourtCase {
  /** Unique: the number of the case and the code of its court. */
  readonly id: string;
  /** `F.16/26/100` */
  readonly caseNumber: string;
  /** Any reference of the case's publications, to ask for it again. */
  readonly publication: string;
  /** References of all its publications: a removal names one of them. */
  readonly publications: readonly string[];
  readonly type: CaseType;
  readonly court: string;
  readonly isLegalPerson: boolean;
  /** Of the person or of its trade names; empty for a case that no number places. */
  readonly kvkNumbers: readonly KvkNumber[];
  /** The registered name; of a sole trader the trade names alone. Used to match cases without a number. */
  readonly names: readonly string[];
  /** Business addresses, to match cases without a number; never shown. */
  readonly addresses: readonly CaseAddress[];
  /** The day of the ruling that declared it, YYYY-MM-DD. Absent when no publication declares it: it says nothing. */
  readonly since?: string;
  /** YYYY-MM-DD */
  readonly endedOn?: string;
  /** Whether it ended by conversion or a move to another court: the insolvency goes on in another case. */
  readonly isContinued?: true;
  /** The case that was converted into this one, or moved. */
  readonly previousCaseNumber?: string;
  readonly curators: readonly Curator[];
  /** The last day on which it may be shown, YYYY-MM-DD. */
  readonly visibleUntil?: string;
}

export interface CaseAddress {
  /** `1234AB` */
  readonly postalCode: string;
  /** With letter and addition, as the registry writes it. */
  readonly houseNumber: string;
}

/** A case that the court has removed. */
export interface RemovedCase {
  readonly caseNumber: string;
  readonly publication: string;
  /** As the court writes it: usually that its time of visibility is over. */
  readonly reason: string;
}

/** Changes since a moment. */
export interface CourtList<Item> {
  readonly items: readonly Item[];
  /** When the court made it, as the court writes it: the start of the next list. */
  readonly extractedAt: string;
}

/** `expired`: the history since that moment is gone, so everything must be loaded again. */
export type CourtAnswer<Value> =
  | { readonly kind: "found"; readonly value: Value }
  | { readonly kind: "none" }
  | { readonly kind: "expired" }
  | { readonly kind: "no-answer"; readonly reason: string };

/** The court's web service. Never rejects. A list without changes is `found` and empty, as it has its date. */
export interface Court {
  /** References of publications, one for each case that is new or has changed. */
  modifiedSince(moment: string, signal: AbortSignal): Promise<CourtAnswer<CourtList<string>>>;
  removedSince(moment: string, signal: AbortSignal): Promise<CourtAnswer<CourtList<RemovedCase>>>;
  /** `private`: a case of a private person, of which nothing is kept. */
  caseOf(publication: string, signal: AbortSignal): Promise<CourtAnswer<CourtCase | "private">>;
}

/** Whether the replica can say that there is no case: every case of its last list is stored, and that list is young. */
export interface Currency {
  readonly isCurrent: boolean;
  /** When the court made the last list that was applied as a whole, Unix milliseconds. */
  readonly observedAtMs: number;
}

/** The replica as a process has it in memory. Its answers are immediate. Each change makes new arrays and sets. */
export interface CourtCases {
  /** Undefined before the first load, and while the state cannot be read. */
  readonly currency: Currency | undefined;
  /**
   * Cases that name this number, newest first. Ended ones whose time of publication is over are absent, and all of a
   * suppressed company. A case that may not be shown has neither `since` nor `endedOn`: it is held, or its time of
   * publication is over although it has no end.
   */
  casesOf(kvkNumber: KvkNumber): readonly CourtCase[];
  /** Open cases without a number, newest first; those without `since` may not be shown. */
  readonly unplaced: readonly CourtCase[];
  /** Numbers of companies with an open case that may be shown; without suppressed companies. */
  readonly insolvent: ReadonlySet<KvkNumber>;
  /** Numbers of companies with a case without `since`, or with one that goes on in another. */
  readonly uncertain: ReadonlySet<KvkNumber>;
}
