/** Shared resources, with limits that leave room for every caller. */
export interface Pool {
  /** The occupant of one slot. */
  readonly holds: string;
  /** The total number of slots; absent when the share of each account is the only limit. */
  readonly slots?: number;
  /** Whether the limit applies to each process, or to all that share a state. */
  readonly scope: "process" | "service";
  /**
   * The maximum for one account (for a free account, if lower), for one client address, and for all free accounts
   * together.
   */
  readonly perAccount?: number;
  readonly perFreeAccount?: number;
  readonly perAddress?: number;
  readonly freeTiers?: number;
}

/** Every shared pool that a free account or an anonymous client can use. Code that assigns slots uses these numbers. */
export const POOLS = {
  hashing: {
    holds: "a password that is being hashed or waits for it, 5 s at most; two are hashed at once",
    slots: 200,
    scope: "process",
    perAccount: 12,
    perAddress: 8,
  },
  connections: {
    holds: "an open connection; the connections of trusted proxies have no share",
    slots: 4_000,
    scope: "process",
    perAddress: 400,
  },
  unreadAnswers: {
    holds: "a connection whose client has not read its responses for 5 s; it is closed after 30 s",
    slots: 128,
    scope: "process",
    perAccount: 16,
    perAddress: 16,
  },
  pageCalls: {
    holds: "an API call made by the account page, with its response",
    slots: 64,
    scope: "process",
    perAccount: 4,
    freeTiers: 32,
  },
  mcpMessages: {
    holds: "an MCP message that is being answered; a key that was not used before counts as a free account",
    slots: 512,
    scope: "process",
    perAccount: 32,
    freeTiers: 256,
  },
  matching: {
    holds: "a call of `POST /v1/match` that is being answered",
    slots: 16,
    scope: "process",
    perAccount: 1,
    freeTiers: 8,
  },
  downloads: {
    holds: "a download: results of a list, usage as CSV, all data of an account",
    slots: 16,
    scope: "process",
    perAccount: 2,
    freeTiers: 8,
  },
  sessions: {
    holds: "a session of the account page; a new one ends the oldest",
    scope: "service",
    perAccount: 100,
  },
  waitingMails: {
    holds: "a mail that waits to be sent; the share is per recipient address",
    slots: 10_000,
    scope: "service",
    perAccount: 20,
  },
  storedResponses: {
    holds:
      "a byte of responses stored for an Idempotency-Key; a free account's tokens pay for about 10 MB a month",
    slots: 4 * (1 << 30),
    scope: "service",
    perAccount: 256 << 20,
  },
  receiving: {
    holds:
      "a byte of a list being received or read, from its 65,537th, or 200 bytes for each of its rows if that is more; an account holds at most half of what the others leave",
    slots: 384 << 20,
    scope: "process",
    perAccount: 80 << 20,
    perFreeAccount: 64 << 20,
    freeTiers: 192 << 20,
  },
  dryRuns: {
    holds: "such a byte of a list sent only to get its price; it counts for `receiving` as well",
    slots: 192 << 20,
    scope: "process",
    perAccount: 64 << 20,
  },
  lists: {
    holds:
      "a number in a list, waiting or with its result; an account's share follows its plan, up to the figure shown",
    slots: 5_000_000,
    scope: "service",
    perAccount: 500_000,
    freeTiers: 1_000_000,
  },
  lookups: {
    holds: "a webhook message being sent, including the DNS lookup of its host",
    slots: 16,
    scope: "process",
    perAccount: 4,
    freeTiers: 8,
  },
} as const satisfies Readonly<Record<string, Pool>>;
