import { expect, it } from "vitest";
import type { StateStore } from "../../../src/app/state/stateStore.ts";
import type { OpenStore } from "./fixture.ts";
import { AT_ONCE, atOnce, HOME, setFixture } from "./personBuilder.ts";

const NOW = "2026-05-05T12:00:00.000Z";

/** The operators' own data and actions: notes, other people's sessions, plan requests, the audit log. */
export function operators(open: OpenStore): void {
  let store: StateStore;
  const { fixture, builder } = setFixture(open, NOW, (opened) => {
    store = opened;
  });

  const addAccount = async () => (await builder.addPerson(store)).account.id;

  it("stores one note per account, and one of several concurrent changes succeeds", async () => {
    const id = await addAccount();
    const note = (text: string, basedOn: number) =>
      store.people.setNote(id, { text, basedOn, nowMs: fixture.nowMs, by: "acc_boss" });
    expect(await store.people.note(id)).toBeUndefined();
    expect(await note("nothing to base it on", 1)).toBe("other");
    const first = await atOnce((index) => note(`first ${index}`, 0));
    expect(first.filter((result) => result === "kept")).toHaveLength(1);
    expect(first.filter((result) => result === "other")).toHaveLength(AT_ONCE - 1);
    const second = await atOnce((index) => note(`second ${index}`, 1));
    expect(second.filter((result) => result === "kept")).toHaveLength(1);
    // An empty note is a version too: an operator who read an earlier text still gets a conflict.
    expect(await note("", 2)).toBe("kept");
    expect(await note("late", 2)).toBe("other");
    expect(await note("ü\n\t’ 🏢", 3)).toBe("kept");
    expect(await store.people.note(id)).toEqual({
      text: "ü\n\t’ 🏢",
      version: 4,
      changedAtMs: fixture.nowMs,
      changedBy: "acc_boss",
    });
    expect(await store.people.deleteAccount(id, "hash", fixture.nowMs)).toBe(true);
    expect(await store.people.note(id)).toBeUndefined();
    expect(await note("unknown", 0)).toBe("no-account");
  });

  it("ends all sessions of an account, or all but one, and none of other accounts", async () => {
    const [mine, hers] = [await addAccount(), await addAccount()];
    const opened = [mine, mine, mine, hers].map((id) => builder.session(id));
    for (const session of opened) await store.people.addSession(session, session.id, "first", HOME);
    expect(await store.people.endSessions(mine, opened[1]?.id)).toBe(2);
    expect((await store.people.sessions(mine)).map(({ id }) => id)).toEqual([opened[1]?.id]);
    expect(await store.people.endSessions(mine)).toBe(1);
    expect(await store.people.endSessions(mine)).toBe(0);
    expect(await store.people.session(opened[0]?.id ?? "")).toBeUndefined();
    expect(await store.people.sessions(hers)).toHaveLength(1);
  });

  it("pages through plan requests, oldest first, and counts them all", async () => {
    const before = (await store.people.planRequestPage({ offset: 0, limit: 1 })).total;
    const ids = [await addAccount(), await addAccount(), await addAccount()];
    for (const [index, id] of ids.entries())
      await store.people.askPlan(id, "starter", `1999-05-05T12:00:0${2 - index}.000Z`);
    const seen: string[] = [];
    for (let offset = 0; offset < 3; offset++) {
      const { requests, total } = await store.people.planRequestPage({ offset, limit: 1 });
      expect(total).toBe(before + 3);
      seen.push(...requests.map(({ account }) => account.id));
    }
    expect(seen).toEqual(ids.toReversed());
    await store.people.deleteAccount(ids[0] ?? "", "hash", fixture.nowMs);
    expect((await store.people.planRequestPage({ offset: 99, limit: 1 })).total).toBe(before + 2);
  });

  it("returns the addresses of existing accounts", async () => {
    const ids = [await addAccount(), await addAccount()];
    const found = await store.people.emailsOf([...ids, "acc_none", "terminal"]);
    expect(found.map(({ id, email }) => [id, email]).sort()).toEqual(
      ids.map((id) => [id, `${id}@example.test`]).sort(),
    );
    expect(await store.people.emailsOf([])).toEqual([]);
  });

  it("keeps the audit log permanently, newest first, by account and by kind, also for deleted accounts", async () => {
    const id = await addAccount();
    const entries = [
      { id: "a1", atMs: fixture.nowMs, by: "terminal", what: "tier", accountId: id, from: "free", to: "pro" },
      { id: "a2", atMs: fixture.nowMs + 1, by: "acc_boss", what: "key revoked", keyId: "key_1" },
      { id: "a3", atMs: fixture.nowMs + 2, by: "acc_boss", what: "deleted", accountId: id },
    ];
    for (const entry of entries) await store.people.addAudit(entry);
    await store.people.deleteAccount(id, "hash", fixture.nowMs);
    const [first, second, third] = entries;
    const all = { offset: 0, limit: 9 };
    expect(await store.people.audit({ offset: 0, limit: 3 })).toEqual({
      entries: [third, second, first],
      total: 3,
    });
    expect(await store.people.audit({ offset: 1, limit: 1 })).toEqual({ entries: [second], total: 3 });
    expect(await store.people.audit({ ...all, accountId: id })).toEqual({
      entries: [third, first],
      total: 2,
    });
    expect(await store.people.audit({ ...all, what: "key revoked" })).toEqual({
      entries: [second],
      total: 1,
    });
    expect(await store.people.audit({ ...all, accountId: id, what: "tier" })).toEqual({
      entries: [first],
      total: 1,
    });
    expect(await store.people.audit({ ...all, accountId: "acc_none" })).toEqual({ entries: [], total: 0 });
  });
}
