import { expect, it } from "vitest";
import type { AllowanceOrder } from "../../../src/accounts/mail/mails.ts";
import type { DueNotice } from "../../../src/accounts/queries/allowanceNotices.ts";
import type { StateStore } from "../../../src/app/state/stateStore.ts";
import { call, type OpenStore } from "./fixture.ts";
import { AT_ONCE, atOnce, setFixture } from "./personBuilder.ts";

const NOW = "2026-05-05T12:00:00.000Z";
const MAY = 2026 * 12 + 4;
const BOUNDS = { maxWaiting: 1_000, maxToOneAddress: 100 };
/** Matches the fixture's tiers. */
const LIMITED = [
  { name: "small", tokens: 20 },
  { name: "large", tokens: 60 },
];

/** Mails about an allowance: which are due, and that each is sent once. */
export function allowanceNotices(open: OpenStore): void {
  let store: StateStore;
  let count = 0;
  const { fixture, builder } = setFixture(open, NOW, (opened) => {
    store = opened;
  });

  /** Signs up a person with a key. */
  const enter = async () => {
    const { account } = await builder.addPerson(store);
    return { ...account, key: await fixture.addKey(store, account.id) };
  };
  /** The notices due for an account, skipping the others, a few at a time. */
  const dueFor = async (accountId: string, tiers = LIMITED, limit = 3): Promise<DueNotice[]> => {
    const due: DueNotice[] = [];
    for (let after: string | undefined = ""; after !== undefined; ) {
      const { notices, next } = await store.people.dueNotices(tiers, after, limit);
      due.push(...notices.filter((notice) => notice.accountId === accountId));
      after = next;
    }
    return due;
  };
  const orderOf = ({ percent, email: _email, ...order }: DueNotice): AllowanceOrder => ({
    kind: `allowance-${percent}`,
    ...order,
  });
  const addOnce = (order: AllowanceOrder, bounds = BOUNDS) =>
    store.people.addOnce({ id: `notice ${++count}`, ...order }, "hash", bounds);
  const claimed = async () => {
    const mail = await store.people.claimMail({ tokenHash: "", leaseMs: 120_000 });
    if (mail?.outcome === "send") await store.people.endMail(mail.id, mail.claim);
    return mail;
  };
  const addNotice = async (notice: DueNotice | undefined) => notice && addOnce(orderOf(notice));

  it("are counted by plan and percentage, a few accounts at a time, including suspended ones", async () => {
    const countsOf = async (limit: number) => {
      const sums = new Map<string, number>();
      for (let after: string | undefined = ""; after !== undefined; ) {
        const { counts, next } = await store.people.allowanceCounts(LIMITED, after, limit);
        for (const { tier, percent, accounts } of counts) {
          const name = `${tier} ${percent}`;
          sums.set(name, (sums.get(name) ?? 0) + accounts);
        }
        after = next;
      }
      return (name: string) => sums.get(name) ?? 0;
    };
    const before = await countsOf(3);
    const [near, spent] = [await enter(), await enter()];
    await store.metering.apply([call(near.key, 47), call(spent.key, 60)]);
    const one = await countsOf(2);
    expect([one("large 80"), one("large 100")]).toEqual([before("large 80") + 1, before("large 100") + 1]);
    await store.metering.apply([call(near.key, 1)]);
    await store.accounts.setSuspended(near.id, true, NOW);
    const both = await countsOf(500);
    expect([both("large 80"), both("large 100")]).toEqual([before("large 80") + 2, before("large 100") + 1]);
    expect(await store.people.allowanceCounts([], "", 10)).toEqual({ counts: [] });
  });

  it("are due from 80 % and from 100 % of the plan's allowance, until they are stored once", async () => {
    const { id, email, key } = await enter();
    const due = { accountId: id, email, language: "nl", month: MAY, tokens: 60 } as const;
    await store.metering.apply([call(key, 47)]);
    expect(await dueFor(id)).toEqual([]);
    await store.metering.apply([call(key, 1)]);
    const [near] = await dueFor(id);
    expect(near).toEqual({ ...due, percent: 80 });
    expect(await addNotice(near)).toBe("added");
    expect(await dueFor(id)).toEqual([]);
    expect(await claimed()).toMatchObject({
      outcome: "send",
      kind: "allowance-80",
      to: email,
      language: "nl",
      allowance: { month: MAY, tokens: 60 },
    });
    await store.metering.apply([call(key, 11)]);
    expect(await dueFor(id)).toEqual([]);
    await store.metering.apply([call(key, 1)]);
    const [spent] = await dueFor(id);
    expect(spent).toEqual({ ...due, percent: 100 });
    expect(await addNotice(spent)).toBe("added");
    expect(await claimed()).toMatchObject({ kind: "allowance-100", to: email });
    expect(await dueFor(id)).toEqual([]);
    fixture.nowIso = "2026-06-01T00:00:00.000Z";
    await store.metering.apply([call(key, 60)]);
    expect(await dueFor(id)).toEqual([{ ...due, month: MAY + 1, percent: 100 }]);
  });

  it("are stored once when found due concurrently, and not for a deleted account", async () => {
    const { id, email, key } = await enter();
    await store.metering.apply([call(key, 60)]);
    const [notice] = await dueFor(id);
    const outcomes = await atOnce(() => addNotice(notice));
    expect(outcomes.sort()).toEqual(["added", ...Array(AT_ONCE - 1).fill("repeated")]);
    expect(await claimed()).toMatchObject({ kind: "allowance-100", to: email });
    expect(await claimed()).toBeUndefined();
    await store.accounts.setTier(id, "small");
    expect(await addNotice((await dueFor(id))[0])).toBe("added");
    await store.people.deleteAccount(id, "hash of one that left", 0);
    expect(await claimed()).toBeUndefined();
    expect(await dueFor(id)).toEqual([]);
  });

  it("restart with another plan or allowance, and are not repeated for one that returns", async () => {
    const { id, key } = await enter();
    await store.metering.apply([call(key, 50)]);
    expect(await addNotice((await dueFor(id))[0])).toBe("added");
    expect(await dueFor(id, [{ name: "large", tokens: 100 }])).toEqual([]);
    expect(await dueFor(id, [{ name: "large", tokens: 62 }])).toMatchObject([{ percent: 80, tokens: 62 }]);
    await store.accounts.setTier(id, "small");
    expect(await addNotice((await dueFor(id))[0])).toBe("added");
    await store.accounts.setTier(id, "large");
    expect(await dueFor(id)).toEqual([]);
    expect(await claimed()).toMatchObject({ kind: "allowance-80" });
    expect(await claimed()).toMatchObject({ kind: "allowance-100", allowance: { tokens: 20 } });
  });

  it("are for accounts that enabled them, are not suspended and have a limited plan", async () => {
    const { id, key } = await enter();
    await store.metering.apply([call(key, 60)]);
    expect(await store.people.setAllowanceMails(id, false)).toBe(true);
    expect((await store.people.person(id))?.wantsAllowanceMails).toBe(false);
    expect(await dueFor(id)).toEqual([]);
    await store.people.setAllowanceMails(id, true);
    expect(await dueFor(id)).toHaveLength(1);
    expect(await dueFor(id, LIMITED.slice(0, 1))).toEqual([]);
    expect(await dueFor(id, [])).toEqual([]);
    await store.accounts.setSuspended(id, true, NOW);
    expect(await dueFor(id)).toEqual([]);
    expect(await store.people.setAllowanceMails("acc_none", true)).toBe(false);
    // Created by an operator: without a language or a preference.
    const made = await fixture.addAccount(store, "large");
    await store.metering.apply([call(made.keyIds[0] ?? "", 50)]);
    expect(await dueFor(made.accountId)).toMatchObject([{ language: "en", percent: 80 }]);
  });

  it("are due again when too many mails are waiting, and are deleted after a month", async () => {
    const { id, key } = await enter();
    await store.metering.apply([call(key, 60)]);
    const [notice] = await dueFor(id);
    if (notice === undefined) throw new Error("nothing is due");
    expect(await addOnce(orderOf(notice), { ...BOUNDS, maxWaiting: 0 })).toBe("full");
    expect(await dueFor(id)).toEqual([notice]);
    expect(await addNotice(notice)).toBe("added");
    const terms = { nowMs: fixture.nowMs, idleMs: 1, knownSinceMs: 0 };
    await store.people.deleteExpired({ ...terms, month: MAY + 1 });
    expect(await addNotice(notice)).toBe("repeated");
    await store.people.deleteExpired({ ...terms, month: MAY + 2 });
    expect(await addNotice(notice)).toBe("added");
    while ((await claimed()) !== undefined);
  });
}
