/** What a service that learns is asked, what it promised by its answers, and whether that was kept. */
import { expect } from "vitest";
import type { CompanyFacts } from "../../src/company/facts.ts";
import type { KvkSimulator } from "../../src/simulators/kvk/server.ts";
import { takeKeeping, takeLock } from "../../src/snapshot/lock.ts";
import { openCurrentSnapshot } from "../../src/snapshot/openSnapshot.ts";
import { registryDirectory } from "../../src/snapshot/places.ts";
import { jsonOf, numberIn } from "../kit/answer.ts";
import { Unanswered } from "../kit/client.ts";
import { batchIn, callsTo, paidCalls } from "../kit/kvk.ts";
import { opzoek } from "../kit/opzoek.ts";
import type { Service } from "../kit/service.ts";
import { until } from "../kit/until.ts";
import type { TestAccount, World } from "../kit/world.ts";
import { base, type Colony, isRenewed, namesEver } from "./killedMoments.ts";

/** What a caller's account was seen to be charged, and what the call that was under way at the kill may have cost beside. */
export interface Bill {
  readonly account: TestAccount;
  charged: number;
  underWay: number;
}

/** What was promised so far, by what callers and the operator were told. */
export interface Promised {
  /** Whose lookup was answered. */
  readonly told: Map<string, CompanyFacts>;
  /** Which a search found. */
  readonly found: Map<string, CompanyFacts>;
  readonly forgotten: Map<string, CompanyFacts>;
  /** How many companies were renewed by `refresh`. */
  renewed: number;
  readonly bills: Bill[];
}

/** A service that runs, with what it is asked and whose calls these are. */
export interface Life {
  readonly service: Service;
  readonly bill: Bill;
  readonly colony: Colony;
}

/** Counts what was charged; false when the service was killed before it answered. */
async function asked(
  { service, bill }: Life,
  path: string,
  onAnswer: (body: Readonly<Record<string, unknown>>) => void,
): Promise<boolean> {
  try {
    const answer = await callsTo(service, bill.account).get(path);
    expect([path, answer.status]).toEqual([path, 200]);
    bill.charged += numberIn(answer, "x-tokens-charged");
    onAnswer(jsonOf(answer) as Readonly<Record<string, unknown>>);
    return true;
  } catch (error) {
    if (!(error instanceof Unanswered)) throw error;
    bill.underWay += 1;
    return false;
  }
}

export async function lookUp(life: Life, one: CompanyFacts, { told, found }: Promised): Promise<boolean> {
  return asked(life, `/v1/lookup/${one.kvkNumber}`, (body) => {
    expect(body).toMatchObject({ name: one.name, source: { kvk: "kvk-api" } });
    told.set(one.kvkNumber, one);
    found.delete(one.kvkNumber);
  });
}

/** Searches until KVK has told of a colony: on a busy machine nobody waits for it at first. False when the service was killed meanwhile. */
export async function search(life: Life, { told, found }: Promised): Promise<boolean> {
  const { word, members } = life.colony;
  const outcome = await until("KVK tells of the colony", async () => {
    let total: unknown;
    const isAnswered = await asked(life, `/v1/search?q=${word}`, (body) => {
      total = body["total"];
      if (total !== members.length) expect(body).toMatchObject({ totalIsExact: false });
    });
    if (!isAnswered) return "killed";
    return total === members.length ? "told" : undefined;
  });
  if (outcome === "killed") return false;
  for (const one of members) if (!told.has(one.kvkNumber)) found.set(one.kvkNumber, one);
  return true;
}

/** KVK still tells of what was forgotten last: it is told to nobody, and must not be learned. */
export async function expectNotFound(life: Life, { forgotten }: Promised): Promise<void> {
  const last = [...forgotten.values()].findLast(
    ({ kvkNumber }) => !base.some((one) => one.kvkNumber === kvkNumber),
  );
  if (last === undefined) return;
  const word = last.name.split(" ")[0];
  await until("nobody is told of it", async () => {
    let isTold = true;
    await asked(life, `/v1/search?q=${word}`, (body) => {
      isTold = JSON.stringify(body).includes(last.kvkNumber);
    });
    return !isTold;
  });
}

export async function forget(
  world: World,
  one: CompanyFacts,
  { told, found, forgotten }: Promised,
): Promise<void> {
  const ended = await opzoek(["forget", one.kvkNumber], world.environment);
  expect([ended.code, ended.out]).toEqual([0, ""]);
  forgotten.set(one.kvkNumber, one);
  told.delete(one.kvkNumber);
  // What was found is forgotten with it, until it is found again, but for what is in the files.
  const held = filed(world);
  for (const number of found.keys()) if (number === one.kvkNumber || !held.has(number)) found.delete(number);
}

export async function refresh(world: World, promised: Promised): Promise<void> {
  const words = ["refresh", "--older-than", "1d", "--max-calls", "1", "--json"];
  const ended = await opzoek(words, world.environment);
  expect([ended.code, JSON.parse(ended.out)]).toEqual([
    0,
    expect.objectContaining({ told: 1, paidCalls: 1, stopped: "calls" }),
  ]);
  promised.renewed++;
}

/** Companies by their numbers, as the files have them. */
export function filed(world: World): ReadonlyMap<string, string> {
  const snapshot = openCurrentSnapshot(registryDirectory(world.dataDir));
  const all = [...(snapshot?.all() ?? [])].map(
    ({ company: { kvkNumber, name } }) => [kvkNumber, name] as const,
  );
  snapshot?.close();
  return new Map(all);
}

/** Asks a service that has just started for all that was promised by those before it, and nothing of KVK. */
export async function expectKept(life: Life, promised: Promised, kvk: KvkSimulator): Promise<void> {
  const { service, bill } = life;
  const paid = paidCalls(kvk);
  const { get, batch } = callsTo(service, bill.account);
  const names = ({ results }: ReturnType<typeof batchIn>) =>
    results.map(({ kvkNumber, name }) => [kvkNumber, name]);
  if (promised.told.size > 0) {
    const answer = await batch([...promised.told.keys()]);
    expect(names(batchIn(answer))).toEqual(
      [...promised.told.values()].map((one) => [one.kvkNumber, one.name]),
    );
    bill.charged += numberIn(answer, "x-tokens-charged");
  }
  if (promised.forgotten.size > 0) {
    const answer = await batch([...promised.forgotten.keys()]);
    const { results, failed } = batchIn(answer);
    expect(results).toEqual([]);
    expect(new Set(failed.map(({ error }) => error.code))).toEqual(new Set(["NOT_FOUND"]));
    expect(numberIn(answer, "x-tokens-charged")).toBe(0);
  }
  for (const { name } of promised.forgotten.values()) {
    const answer = await get(`/v1/autocomplete?q=${encodeURIComponent(name)}`);
    expect(answer.status).toBe(200);
    expect(answer.text).not.toContain(name);
    bill.charged += numberIn(answer, "x-tokens-charged");
  }
  expect(paidCalls(kvk)).toBe(paid);
  for (const { account, charged, underWay } of promised.bills) {
    if (account === bill.account) continue;
    const { tokens, operations } = jsonOf(await get("/v1/usage", account.key)) as Usage;
    expect(operations.reduce((sum, line) => sum + line.tokens, 0)).toBe(tokens.used);
    expect(tokens.used).toBeGreaterThanOrEqual(charged);
    expect(tokens.used).toBeLessThanOrEqual(charged + underWay);
  }
}

interface Usage {
  readonly tokens: { readonly used: number };
  readonly operations: readonly { readonly tokens: number }[];
}

/** The registry as a kill left it: whole, held by nobody, with nothing lost that was in it and nothing that nobody told. */
export async function expectWhole(
  world: World,
  promised: Promised,
  before: ReadonlyMap<string, string>,
): Promise<void> {
  const { code, out, err } = await opzoek(["registry", "verify"], world.environment);
  expect([code, err]).toEqual([0, ""]);
  expect(
    out
      .trim()
      .split("\n")
      .filter((line) => !line.endsWith("is what was written")),
  ).toEqual([]);
  const directory = registryDirectory(world.dataDir);
  takeLock(directory).release();
  const keeping = takeKeeping(directory);
  expect(keeping).toBeDefined();
  keeping?.release();
  const now = filed(world);
  const lost = [...before.keys()].filter((number) => !now.has(number) && !promised.forgotten.has(number));
  expect(lost).toEqual([]);
  const wrong = [...now].filter(([number, name]) => !namesEver.get(number)?.includes(name));
  expect(wrong).toEqual([]);
  expect([...now.values()].filter((name) => isRenewed(name))).toHaveLength(promised.renewed);
}
