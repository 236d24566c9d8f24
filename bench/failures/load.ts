/** Calls of every kind to the nodes, and the checks that each response must pass. */
import { setTimeout as pause } from "node:timers/promises";
import type { CompanyFacts } from "../../src/company/facts.ts";
import { PRICES } from "../../src/contract/prices.ts";
import { type Random, weighted } from "../../src/demo/registry/random.ts";
import type { TestNode } from "./node.ts";
import type { TestAccount, World } from "./world.ts";

/** Longer than any call may take. */
const ANSWERED_WITHIN_MS = 60_000;
const MAX_VIOLATIONS = 50;
const PAUSE_MS = 25;
const BATCH_SIZE = 5;
/** Numbers that the simulated VIES knows as valid. */
const VALID_VAT_NUMBERS = ["NL000099998B57", "PL8567346215", "DE136695976", "IT00743110157", "ATU13585627"];

/** The charges that callers saw, and those that they cannot know. */
interface Charged {
  delivered: number;
  /** The prices of calls without a complete response. */
  unknown: number;
}

export interface Tally {
  calls: number;
  unanswered: number;
  /** By account. */
  readonly charged: Map<string, Charged>;
  /** The first broken promises. */
  readonly violations: string[];
}

type Body = Readonly<Record<string, unknown>>;

interface TestCall {
  readonly path: string;
  readonly maxPrice: number;
  /** Checks the body of a 200. @returns what is wrong with it */
  readonly check: (body: Body) => string | false;
  /** Sent by POST. */
  readonly body?: unknown;
}

type MakeCall = (company: CompanyFacts, random: Random, world: World) => TestCall;

function get(path: string, maxPrice: number, check: TestCall["check"] = () => false): TestCall {
  return { path: `/v1/${path}`, maxPrice, check };
}

function lookup(kvkNumber: string, query: string, maxPrice: number): TestCall {
  const check = (body: Body) => body["kvkNumber"] !== kvkNumber && `another company: ${body["kvkNumber"]}`;
  return get(`lookup/${kvkNumber}${query}`, maxPrice, check);
}

function autocomplete({ name }: CompanyFacts, random: Random): TestCall {
  const q = encodeURIComponent(name.slice(0, random.between(2, 12)));
  return get(`autocomplete?q=${q}`, PRICES.autocomplete);
}

/** An outage must never make a valid number invalid. */
function validateVat(_: CompanyFacts, random: Random): TestCall {
  return get(
    `validate/vat/${random.pick(VALID_VAT_NUMBERS)}`,
    PRICES.validate,
    ({ valid, status }) => valid === false && `a valid number is called invalid (${status})`,
  );
}

function batch(_: CompanyFacts, random: Random, { companies }: World): TestCall {
  const kvkNumbers = Array.from({ length: BATCH_SIZE }, () => random.pick(companies).kvkNumber);
  return { ...get("lookup/batch", PRICES.batch * BATCH_SIZE), body: { kvkNumbers } };
}

/** Kinds of calls by how often they come. */
const CALLS = weighted<MakeCall>([
  [({ kvkNumber }) => lookup(kvkNumber, "", PRICES.lookup), 35],
  [({ kvkNumber }) => lookup(kvkNumber, "?enrich=true", PRICES["lookup.enriched"]), 5],
  [(_, random, { unknown }) => lookup(random.pick(unknown), "", PRICES.lookup), 3],
  [({ kvkNumber }) => get(`lookup/${kvkNumber}/branches`, PRICES.branches), 5],
  [autocomplete, 25],
  [({ name }) => get(`search?q=${encodeURIComponent(name)}`, PRICES.search), 10],
  [validateVat, 10],
  [batch, 4],
  [() => get("usage", PRICES.usage), 3],
]);

export interface CallerParts {
  readonly world: World;
  readonly node: TestNode;
  readonly account: TestAccount;
  readonly random: Random;
  readonly tally: Tally;
  /** Whether a fault affects this node, or did a moment ago, so that it may answer with 5xx. */
  readonly isFaulty: (node: TestNode) => boolean;
  /** Called after each call with its outcome, such as `200`, `429 RATE_LIMITED` or `no answer`. */
  readonly onOutcome: (node: TestNode, outcome: string, tookMs: number) => void;
  readonly signal: AbortSignal;
}

/** Makes one call after the other until the signal. */
export async function keepCalling(parts: CallerParts): Promise<void> {
  const { world, node, account, random, tally, signal } = parts;
  while (!signal.aborted) {
    const call = random.pick(CALLS)(random.pick(world.companies), random, world);
    const startedMs = performance.now();
    const wasFaulty = parts.isFaulty(node);
    const answer = await send(node, account.key, call);
    tally.calls++;
    if (answer === undefined) tally.unanswered++;
    const mayFail = wasFaulty || parts.isFaulty(node);
    const outcome = note(parts, call, answer, mayFail);
    parts.onOutcome(node, outcome, performance.now() - startedMs);
    await pause(random.between(0, 2 * PAUSE_MS));
  }
}

/** Checks an answer and adds it to the tally. @returns its outcome */
function note(
  { node, account, tally }: CallerParts,
  call: TestCall,
  answer: Awaited<ReturnType<typeof send>>,
  mayFail: boolean,
): string {
  const require = (isKept: boolean, broken: string) => {
    if (isKept || tally.violations.length === MAX_VIOLATIONS) return;
    const line = `${new Date().toISOString()} ${node.name} ${call.path.split("?")[0]}: ${broken}`;
    tally.violations.push(line);
    process.stderr.write(`${line}\n`);
  };
  const charged = tally.charged.get(account.id) ?? { delivered: 0, unknown: 0 };
  tally.charged.set(account.id, charged);
  if (answer === undefined) {
    charged.unknown += call.maxPrice;
    require(mayFail, "no answer, and nothing was wrong");
    return "no answer";
  }
  const { status, cost } = answer;
  charged.delivered += cost;
  require(cost === 0 || status === 200, `${status} was charged ${cost}`);
  require(cost <= call.maxPrice, `charged ${cost}, the price is ${call.maxPrice}`);
  let body: Body;
  try {
    body = JSON.parse(answer.text) as Body;
  } catch {
    require(false, `${status} is not JSON: ${answer.text.slice(0, 80)}`);
    return String(status);
  }
  if (status === 200) {
    const problem = call.check(body);
    require(problem === false, String(problem));
    return "200";
  }
  const { code } = (body["error"] ?? {}) as { readonly code?: unknown };
  require(typeof code === "string", `${status} without a code`);
  require(status < 500 || mayFail, `${status} ${code}, and nothing was wrong`);
  return `${status} ${code}`;
}

/** Returns undefined if no complete response came. */
async function send(node: TestNode, key: string, { path, body }: TestCall) {
  const post = { method: "POST", body: JSON.stringify(body) };
  const headers = { authorization: `Bearer ${key}`, "content-type": "application/json" };
  try {
    const signal = AbortSignal.timeout(ANSWERED_WITHIN_MS);
    const url = `http://127.0.0.1:${node.port}${path}`;
    const response = await fetch(url, { headers, signal, ...(body !== undefined && post) });
    const cost = Number(response.headers.get("x-tokens-charged") ?? 0);
    return { status: response.status, cost, text: await response.text() };
  } catch {
    return undefined;
  }
}
