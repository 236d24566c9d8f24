/** Nodes with several processes on one PostgreSQL grant no token and no slot twice, and none too few. */
import { beforeAll, describe, expect, it } from "vitest";
import type { LedgerLine } from "../../src/metering/ledger.ts";
import { type Answer, codeOf, numberIn, type TestRequest } from "../kit/answer.ts";
import { ask } from "../kit/client.ts";
import { BAKERY } from "../kit/companies.ts";
import { opzoek } from "../kit/opzoek.ts";
import { amount, variants } from "../kit/thorough.ts";
import { PLENTY } from "../kit/world.ts";
import { NODES, type Nodes, startNodes, WORKERS } from "./nodes.ts";
import { inCommitOrder, type PricedAnswer, replayed, summaryOf } from "./replay.ts";

/** The number of calls beyond the tokens, which are refused. */
const CALLS_OVER = 300;
const CALLS_OVER_THE_RATE = amount({ ordinary: 300, thorough: 1_000 });
const LEFT = [277, 0, 1, 4_999];
const RATE = 37;
const LOOKUP = `/v1/lookup/${BAKERY}`;
/** Both are settled in one step, so their order of commits can be derived. */
const PRICES = new Map([
  [LOOKUP, 1],
  [`${LOOKUP}/branches`, 5],
]);
const PATHS = [...PRICES.keys()];

let nodes: Nodes;
beforeAll(async () => {
  const tiers = LEFT.map((k) => [`has-${k}`, { ...PLENTY, monthlyTokens: k }] as const);
  nodes = await startNodes({
    ...Object.fromEntries(tiers),
    "few-a-minute": { ...PLENTY, ratePerMinute: RATE },
  });
});

/** Rounds up to a multiple of the nodes. */
const evenly = (count: number) => NODES * Math.ceil(count / NODES);

const chargedIn = (answers: readonly Answer[]) =>
  answers.reduce((sum, answer) => sum + numberIn(answer, "x-tokens-charged"), 0);

async function ledgerOf(accountId: string): Promise<readonly LedgerLine[]> {
  const { code, out, err } = await opzoek(["usage", accountId, "--json"], nodes.world.environment);
  expect(code, err).toBe(0);
  return (JSON.parse(out) as { ledger: readonly LedgerLine[] }).ledger;
}

function sumOf(
  ledger: readonly LedgerLine[],
  field: "requests" | "tokens" | "refusedByRate" | "refusedByAllowance",
) {
  return ledger.reduce((sum, line) => sum + line[field], 0);
}

describe.each(variants(LEFT, { ordinary: 1 }))(
  `with %i tokens left, ${NODES} nodes with ${WORKERS} workers each`,
  (k) => {
    const CALLS = evenly(k + CALLS_OVER);

    it(`deliver exactly that many of ${CALLS} parallel calls of price 1, over two keys`, async () => {
      const { id, keys } = await nodes.world.account(`has-${k}`, NODES);
      const answers = await nodes.load((node) =>
        Array<TestRequest>(CALLS / NODES).fill({ path: LOOKUP, key: keys[node]?.key }),
      );
      expect(answers.filter(({ status }) => status === 200)).toHaveLength(k);
      expect(answers.filter((answer) => codeOf(answer) === "QUOTA_EXCEEDED")).toHaveLength(CALLS - k);
      expect(chargedIn(answers)).toBe(k);
      expect(await nodes.used(keys[0]?.key ?? "")).toBe(k);
      const ledger = await ledgerOf(id);
      expect(sumOf(ledger, "tokens")).toBe(k);
      expect(sumOf(ledger, "refusedByAllowance")).toBe(CALLS - k);
    });

    it("never deliver more with mixed prices, and refuse what a replay of the commits refuses", async () => {
      const { id, key } = await nodes.world.account(`has-${k}`);
      const priced: PricedAnswer[] = [];
      await nodes.load(
        (node) =>
          Array.from({ length: CALLS / NODES }, (_, index) => ({
            path: PATHS[(index + node) % PATHS.length] ?? LOOKUP,
            key,
          })),
        { onAnswer: (answer, { path }) => priced.push({ answer, price: PRICES.get(path) ?? 0 }) },
      );
      const ordered = inCommitOrder(priced);
      expect(ordered).toHaveLength(CALLS);
      expect(ordered.map(summaryOf)).toEqual(replayed(ordered, k));
      const charged = chargedIn(ordered.map(({ answer }) => answer));
      // The remainder did not cover the expensive call and was spent to the last token by the cheap one.
      expect(charged).toBe(k);
      const ledger = await ledgerOf(id);
      for (const [path, operation] of [
        [LOOKUP, "lookup"],
        [`${LOOKUP}/branches`, "branches"],
      ] as const) {
        const lines = ledger.filter((line) => line.operation === operation);
        const priced = ordered.filter(({ price }) => price === PRICES.get(path)).map(({ answer }) => answer);
        expect(sumOf(lines, "requests")).toBe(priced.length);
        expect(sumOf(lines, "tokens")).toBe(chargedIn(priced));
        expect(sumOf(lines, "refusedByAllowance")).toBe(priced.filter(({ status }) => status === 429).length);
      }
    });

    it("never deliver more when calls first reserve their maximum cost", async () => {
      const { key } = await nodes.world.account(`has-${k}`);
      const answers = await nodes.load(() =>
        Array.from({ length: CALLS / 20 }, (_, index) => ({
          path: index % 2 === 0 ? LOOKUP : `${LOOKUP}?enrich=true`,
          key,
        })),
      );
      const charged = chargedIn(answers);
      expect(charged).toBeLessThanOrEqual(k);
      expect(await nodes.used(key)).toBe(charged);
    });
  },
);

it("nodes let exactly a key's rate through in every minute with refusals", async () => {
  const { id, key } = await nodes.world.account("few-a-minute");
  const all = await nodes.load(() =>
    Array<TestRequest>(CALLS_OVER_THE_RATE / NODES).fill({ path: LOOKUP, key }),
  );
  const answers = all.filter((answer) => codeOf(answer) !== "SERVICE_UNAVAILABLE");
  const windows = Map.groupBy(answers, (answer) => numberIn(answer, "x-ratelimit-reset"));
  for (const inWindow of windows.values()) {
    const granted = inWindow.filter(({ status }) => status === 200);
    const refused = inWindow.filter((answer) => codeOf(answer) === "RATE_LIMIT_EXCEEDED");
    expect(granted.length + refused.length).toBe(inWindow.length);
    expect(granted.length).toBeLessThanOrEqual(RATE);
    if (refused.length > 0) expect(granted).toHaveLength(RATE);
    const left = granted.map((answer) => numberIn(answer, "x-ratelimit-remaining"));
    expect(new Set(left).size).toBe(left.length);
  }
  expect([...windows.values()].some((inWindow) => inWindow.length > RATE)).toBe(true);
  expect(sumOf(await ledgerOf(id), "tokens")).toBe(chargedIn(answers));
});

it("nodes all refuse a key as soon as a command has revoked it", async () => {
  const { keys } = await nodes.world.account("plenty");
  const [made] = keys;
  const look = () => Promise.all(nodes.all.map((node) => ask(node, { path: LOOKUP, key: made?.key })));
  expect((await look()).map(({ status }) => status)).toEqual([200, 200]);
  await nodes.world.withAccounts((accounts) => accounts.revokeKey(made?.id ?? ""));
  expect((await look()).map(({ status }) => status)).toEqual([401, 401]);
});
