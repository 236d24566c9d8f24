/** Lists that stop and resume by themselves, on a clock that a test sets; the rate and allowance that a list uses. */
import { beforeAll, describe, expect, it } from "vitest";
import type { StateStore } from "../../src/app/state/stateStore.ts";
import { listen } from "../../src/http/server.ts";
import { type Answer, jsonOf, numberIn } from "../kit/answer.ts";
import { ask } from "../kit/client.ts";
import { BAKERY, PLAIN, UNKNOWN } from "../kit/companies.ts";
import { composeInProcess, type InProcess, NOON } from "../kit/inProcess.ts";
import { expectSoundState } from "../kit/soundState.ts";
import { until } from "../kit/until.ts";
import { makeWorld, PLENTY, type TestAccount, type World } from "../kit/world.ts";
import { begun, change, completed, type Listed, list, listWhen, results, send } from "./lists.ts";

const MINUTE_MS = 60_000;
const MANY = PLAIN.slice(0, 115);
const LEFT = 57;
const TIERS = {
  few: { ...PLENTY, monthlyTokens: LEFT },
  slow: { monthlyTokens: 1_000, ratePerMinute: 5 },
  "one-token": { monthlyTokens: 1, ratePerMinute: 60 },
};

let world: World;
let inside: InProcess;
let service: { readonly port: number };
let nowMs = NOON;
/** If set, a worker that has fetched its next numbers waits for it. */
let atNumbers: ((listId: string) => Promise<void>) | undefined;

beforeAll(async () => {
  world = await makeWorld({ tiers: TIERS });
  const gated = ({ state }: { state: StateStore }) => ({
    state: {
      ...state,
      jobs: {
        ...state.jobs,
        nextItems: async (listId: string, most: number) => {
          const next = await state.jobs.nextItems(listId, most);
          await atNumbers?.(listId);
          return next;
        },
      },
    },
  });
  inside = await composeInProcess(world, { listOptions: { pollEveryMs: 20 }, replace: gated });
  service = { port: Number(new URL(await listen(inside.app, "127.0.0.1", 0)).port) };
});

const go = (ms: number) => {
  nowMs += ms;
  inside.setClock(nowMs);
};
const used = async ({ id }: TestAccount) => (await inside.state.ledger.spent(id))?.used ?? 0;
const isPaused = ({ status }: Listed) => status === "paused";
const reasonOf = (account: TestAccount, id: string, reason: string) =>
  until(`the list is paused: ${reason}`, async () => {
    const stored = await inside.state.jobs.list(account.id, id);
    return stored?.reason === reason;
  });

describe("a list that ran out of allowance", () => {
  it("resumes within a minute when the account has more, and is shown as running", async () => {
    const account = await inside.account("few");
    const { key } = account;
    const { id } = await begun(service, key, MANY);
    expect(await listWhen(service, key, id, isPaused)).toMatchObject({
      reason: "allowance",
      tokens: { charged: LEFT },
    });
    await inside.accounts.setTier(account.id, "plenty");
    const seen: Listed[] = [];
    atNumbers = async (listId) => void (listId === id && seen.push(await list(service, key, id)));
    go(MINUTE_MS);
    expect(await completed(service, key, id)).toMatchObject({ tokens: { charged: 115 } });
    atNumbers = undefined;
    // The first poll comes before the work resumes, the last after it has ended.
    expect(seen.map(({ status }) => status)).toEqual(["paused", ...seen.slice(1).map(() => "running")]);
    expect([seen.length > 1, seen.at(-1)?.reason]).toEqual([true, undefined]);
    expect((await results(service, key, id)).map(({ number }) => number)).toEqual(MANY);
  });

  it("resumes when the month is over, and spends the next month's allowance", async () => {
    const account = await inside.account("few");
    const { id } = await begun(service, account.key, MANY.slice(0, 100));
    await listWhen(service, account.key, id, isPaused);
    go(Date.UTC(2026, 3, 1) - 1 - nowMs);
    await until("the list was checked", async () => {
      const stored = await inside.state.jobs.list(account.id, id);
      return stored?.claim === 2 && stored.reason === "allowance";
    });
    expect(await list(service, account.key, id)).toMatchObject({ tokens: { charged: LEFT } });
    // The previous check may still be running, and then schedules the next one by the current clock.
    await until("the list resumes", async () => {
      const { status } = await list(service, account.key, id);
      if (status === "paused") go(MINUTE_MS + 1);
      return status !== "paused";
    });
    expect(await completed(service, account.key, id)).toMatchObject({ tokens: { charged: 100 } });
    expect(await used(account)).toBe(100 - LEFT);
  });

  it("waits for another key when its own was revoked, and resumes by itself after a suspension", async () => {
    const account = await inside.account("few", 2);
    const [own, other] = account.keys;
    if (own === undefined || other === undefined) throw new Error("the account has two keys");
    const { id } = await begun(service, own.key, MANY);
    await listWhen(service, own.key, id, isPaused);
    await inside.accounts.setTier(account.id, "plenty");
    await inside.accounts.setSuspended(account.id, true);
    go(MINUTE_MS);
    await reasonOf(account, id, "account");
    await inside.accounts.setSuspended(account.id, false);
    await inside.accounts.revokeKey(own.id);
    go(MINUTE_MS);
    await reasonOf(account, id, "key");
    expect(await used(account)).toBe(LEFT);
    await change(service, other.key, id, "resume");
    expect(await completed(service, other.key, id)).toMatchObject({ tokens: { charged: 115 } });
  });
});

describe("a list", () => {
  it("takes one slot of the rate, and none for its numbers", async () => {
    const account = await inside.account("slow");
    const sent = await send(service, account.key, MANY);
    expect([sent.status, numberIn(sent, "x-ratelimit-remaining")]).toEqual([202, 4]);
    const { id } = jsonOf(sent) as Listed;
    await until("the list is completed", async () => {
      return (await inside.state.jobs.list(account.id, id))?.status === "completed";
    });
    const shown = await ask(service, { path: `/v1/jobs/${id}`, key: account.key });
    expect([shown.status, numberIn(shown, "x-ratelimit-remaining"), await used(account)]).toEqual([
      200, 3, 115,
    ]);
  });

  it("that is cancelled while running adds no further results, and costs what was charged until then", async () => {
    const account = await inside.account("plenty");
    let arrive = () => {};
    let open = () => {};
    const arrived = new Promise<void>((resolve) => {
      arrive = resolve;
    });
    const opened = new Promise<void>((resolve) => {
      open = resolve;
    });
    let times = 0;
    atNumbers = async () => {
      times += 1;
      if (times !== 2) return;
      arrive();
      await opened;
    };
    const { id } = await begun(service, account.key, MANY);
    await arrived;
    const cancelled = jsonOf(await change(service, account.key, id, "cancel"));
    expect(cancelled).toMatchObject({ status: "cancelled", tokens: { charged: 100 } });
    open();
    atNumbers = undefined;
    // Its worker has left it when it works on another list.
    const after = await begun(service, account.key, [BAKERY]);
    await completed(service, account.key, after.id);
    expect(await list(service, account.key, id)).toEqual(cancelled);
    expect([await results(service, account.key, id), await used(account)]).toEqual([[], 101]);
    const usage = jsonOf(await ask(service, { path: "/v1/usage", key: account.key }));
    expect(usage).toMatchObject({ tokens: { used: 101, remaining: PLENTY.monthlyTokens - 101 } });
    await expectSoundState(world);
  });
});

describe("a dry run", () => {
  it.each([
    ["kind=lookup.enriched", [BAKERY, PLAIN[0] ?? "", UNKNOWN, "123"], 15],
    ["kind=vat", ["NL004495445B01", "nl 0044.95445b01", "DE12345678", "x"], 2],
  ])(
    "of %s returns its price and takes a slot and no token, even with none left",
    async (query, numbers, price) => {
      const { key } = await inside.account("one-token");
      const spent = await ask(service, { path: `/v1/lookup/${BAKERY}`, key });
      expect(numberIn(spent, "x-tokens-remaining")).toBe(0);
      const priced = await send(service, key, numbers, `${query}&dryRun=true`);
      expect([priced.status, jsonOf(priced)]).toMatchObject([
        200,
        { tokens: { estimated: price, charged: 0 } },
      ]);
      expect(numberIn(priced, "x-tokens-charged")).toBe(0);
      expect(numberIn(priced, "x-ratelimit-remaining")).toBe(numberIn(spent, "x-ratelimit-remaining") - 1);
      expect(jsonOf(await ask(service, { path: "/v1/jobs", key }))).toEqual({ jobs: [] });
    },
  );
});

it("a list can be sent as CSV, whose header names the column", async () => {
  const { key } = await inside.account("plenty");
  const body = `naam;KvK-nummer\r\nBakkerij;${BAKERY}\r\n"Een; twee";${PLAIN[0]}\r\n`;
  const sent: Answer = await ask(service, {
    method: "POST",
    path: "/v1/jobs?kind=lookup",
    key,
    headers: { "content-type": "text/csv" },
    body,
  });
  expect([sent.status, jsonOf(sent)]).toMatchObject([202, { counts: { sent: 2, numbers: 2 } }]);
  const { id } = jsonOf(sent) as Listed;
  await completed(service, key, id);
  expect((await results(service, key, id)).map(({ number }) => number)).toEqual([BAKERY, PLAIN[0]]);
});
