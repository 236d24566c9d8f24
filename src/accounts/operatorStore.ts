/** What operators note about an account: one text of them all. */
export interface OperatorNote {
  readonly text: string;
  /** Counts its changes. */
  readonly version: number;
  /** Unix milliseconds */
  readonly changedAtMs: number;
  /** The operator's own account, which may be gone. */
  readonly changedBy: string;
}

export interface NoteChange {
  readonly text: string;
  /** The version that was changed; 0 where there was no note. */
  readonly basedOn: number;
  readonly nowMs: number;
  readonly by: string;
}

/** What only operators see and do, beside changing accounts. */
export interface OperatorStore {
  note(accountId: string): Promise<OperatorNote | undefined>;
  /** `other`: somebody changed the note since. An empty text is a note too: its version goes on. */
  setNote(accountId: string, change: NoteChange): Promise<"kept" | "other" | "no-account">;
  /** Ends the sessions of an account, but for one if it is named; how many there were. */
  endSessions(accountId: string, exceptId?: string): Promise<number>;
  /** The addresses of those of these accounts that are there, in no order. */
  emailsOf(
    accountIds: readonly string[],
  ): Promise<readonly { readonly id: string; readonly email: string }[]>;
}
