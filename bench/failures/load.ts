/** Calls of every kind to the nodes, and what must hold of each answer. */
import { setTimeout as pause } from "node:timers/promises";
import { PRICES } from "../../src/contract/prices.ts";
import type { Random } from "../../src/demo/random.ts";
import type { SoakNode } from "./node.ts";

/** Longer than any call may take. */
const ANSWERED_WITHIN_MS = 60_000;
const MOST_VIOLATIONS = 50;
const WINDOW_SECONDS = 60;

export interface SoakAccount {
  readonly id: string;
  readonly key: string;
  /** Tokens of a month. */
  readonly allowance: number;
  /** Calls of its key that may be let through in a minute; undefined where that is not looked at. */
  readonly ratePerMinute: number | undefined;
}

/** What callers were charged, and what they cannot know. */
export interface Charged {
  delivered: number;
  /** The prices of calls that were sent and had no whole answer. */
  unknown: number;
  /** Calls let through by the window that they were counted in. */
  readonly windows: Map<string, number>;
}

export interface Tally {
  calls: number;
  unanswered: number;
  readonly charged: Map<string, Charged>;
  /** What must never be, the first ones. */
  readonly violations: string[];
}

export function emptyTally(): Tally {
  return { calls: 0, unanswered: 0, charged: new Map(), violations: [] };
}

export interface Asked {
  readonly method: "GET" | "POST";
  readonly path: string;
  readonly body?: string;
  /** What it may cost at most. */
  readonly price: number;
  /** Looks at the body of a 200. @returns what is wrong with it */
  readonly check?: (body: Readonly<Record<string, unknown>>) => string | undefined;
}

interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
}

export interface CallerParts {
  readonly node: SoakNode;
  readonly account: SoakAccount;
  readonly next: (random: Random) => Asked;
  readonly random: Random;
  readonly tally: Tally;
  /** Whether something is wrong on purpose with this node, or was a moment ago: then it may answer 5xx. */
  readonly isFaulty: (node: SoakNode) => boolean;
  /** Called after each call with its status and error code, such as `200`, `429 RATE_LIMITED` or `no answer`. */
  readonly onSeen: (node: SoakNode, outcome: string, tookMs: number) => void;
  readonly pauseMs: number;
  readonly signal: AbortSignal;
}

/** One caller, one call after the other, until the signal. */
export async function callOn(parts: CallerParts): Promise<void> {
  const { node, account, next, random, tally, signal, pauseMs } = parts;
  while (!signal.aborted) {
    const asked = next(random);
    const startedMs = performance.now();
    const beganSeconds = Date.now() / 1_000;
    const wasFaulty = parts.isFaulty(node);
    const answer = await ask(node, account.key, asked);
    tally.calls++;
    if (answer === undefined) tally.unanswered++;
    const code = note(parts, asked, answer, { beganSeconds, mayFail: wasFaulty || parts.isFaulty(node) });
    const outcome = [answer?.status ?? "no answer", ...(code === undefined ? [] : [code])].join(" ");
    parts.onSeen(node, outcome, performance.now() - startedMs);
    await pause(random.between(0, 2 * pauseMs));
  }
}

/** @returns the error code of the answer */
function note(
  { node, account, tally }: CallerParts,
  asked: Asked,
  answer: Answer | undefined,
  { beganSeconds, mayFail }: { readonly beganSeconds: number; readonly mayFail: boolean },
): string | undefined {
  const violate = (what: string) => {
    if (tally.violations.length === MOST_VIOLATIONS) return;
    const told = `${new Date().toISOString()} ${node.name} ${asked.path.split("?")[0]}: ${what}`;
    tally.violations.push(told);
    process.stderr.write(`${told}\n`);
  };
  const charged = tally.charged.get(account.id) ?? { delivered: 0, unknown: 0, windows: new Map() };
  tally.charged.set(account.id, charged);
  if (answer === undefined) {
    charged.unknown += asked.price;
    if (!mayFail) violate("no answer, and nothing was wrong");
    return undefined;
  }
  const { status, headers } = answer;
  const cost = Number(headers.get("x-tokens-charged") ?? 0);
  charged.delivered += cost;
  if (cost > 0 && status !== 200) violate(`${status} was charged ${cost}`);
  if (cost > asked.price) violate(`charged ${cost}, the price is ${asked.price}`);
  const window = headers.get("x-ratelimit-reset");
  // A call that began before the window may tell of the next one when it ends, and has its slot in the one before.
  const isOfWindow = Number(window) - WINDOW_SECONDS <= beganSeconds;
  if (status !== 429 && window !== null && isOfWindow) {
    charged.windows.set(window, (charged.windows.get(window) ?? 0) + 1);
  }
  let body: Record<string, unknown>;
  try {
    body = JSON.parse(answer.text) as Record<string, unknown>;
  } catch {
    violate(`${status} is no JSON: ${answer.text.slice(0, 80)}`);
    return undefined;
  }
  if (status !== 200) {
    const code = codeOf(body);
    if (code === undefined) violate(`${status} without a code`);
    if (status >= 500 && !mayFail) violate(`${status} ${code}, and nothing was wrong`);
    return code;
  }
  const wrong = asked.check?.(body);
  if (wrong !== undefined) violate(wrong);
  return undefined;
}

function codeOf(body: Readonly<Record<string, unknown>>): string | undefined {
  const { error } = body;
  if (typeof error !== "object" || error === null || !("code" in error)) return undefined;
  return typeof error.code === "string" ? error.code : undefined;
}

/** Undefined where no whole response came. */
async function ask(node: SoakNode, key: string, { method, path, body }: Asked): Promise<Answer | undefined> {
  const headers = {
    authorization: `Bearer ${key}`,
    ...(body !== undefined && { "content-type": "application/json" }),
  };
  try {
    const signal = AbortSignal.timeout(ANSWERED_WITHIN_MS);
    const url = `http://127.0.0.1:${node.port}${path}`;
    const response = await fetch(url, { method, headers, body: body ?? null, signal });
    return { status: response.status, headers: response.headers, text: await response.text() };
  } catch {
    return undefined;
  }
}

export const BATCH_SIZE = 5;
/** What calls cost at most. */
export const MOST = {
  lookup: PRICES.lookup,
  enriched: PRICES["lookup.enriched"],
  branches: PRICES.branches,
  batch: PRICES.batch * BATCH_SIZE,
  autocomplete: PRICES.autocomplete,
  search: PRICES.search,
  validate: PRICES.validate,
  usage: PRICES.usage,
} as const;
