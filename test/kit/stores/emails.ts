import { expect, it } from "vitest";
import type { EmailChange } from "../../../src/accounts/people.ts";
import type { StateStore } from "../../../src/app/state/stateStore.ts";
import { call, newKey, type OpenStore } from "./fixture.ts";
import { atOnce, setFixture } from "./personBuilder.ts";

const NOW = "2026-05-05T12:00:00.000Z";

/** Changing an account's address: by a single-use link, one account per address, and without resetting usage. */
export function emails(open: OpenStore): void {
  let store: StateStore;
  const { fixture, builder } = setFixture(open, NOW, (opened) => {
    store = opened;
  });
  let count = 0;

  async function asking(email: string) {
    const { account } = await builder.addPerson(store);
    const token = builder.token({ purpose: "email", accountId: account.id, email, hash: `link ${++count}` });
    await store.people.addToken(token);
    const change: EmailChange = {
      email,
      emailHash: `hash of ${email}`,
      oldHash: account.emailHash ?? "",
      tokenHash: token.hash,
      nowMs: fixture.nowMs,
    };
    return { account, change };
  }

  it("changes once by a link, for its own account, address and time, and voids every other link", async () => {
    const { account, change } = await asking("new@example.test");
    const other = await builder.addPerson(store);
    await store.people.addToken(builder.token({ purpose: "reset", accountId: account.id, hash: "to old" }));
    const changeBy = (id: string, more: Partial<EmailChange>) =>
      store.people.changeEmail(id, { ...change, ...more });
    expect(await changeBy(other.account.id, {})).toBe("refused");
    expect(await changeBy(account.id, { email: "else@example.test" })).toBe("refused");
    expect(await changeBy(account.id, { nowMs: fixture.nowMs + 3_600_000 })).toBe("refused");
    expect(await changeBy(account.id, { tokenHash: "made up" })).toBe("refused");
    expect(await changeBy("acc_none", {})).toBe("refused");
    const changed = await atOnce(() => store.people.changeEmail(account.id, change));
    expect(changed.filter((outcome) => outcome === "changed")).toHaveLength(1);
    expect((await store.people.person(account.id))?.account.email).toBe("new@example.test");
    expect(await store.people.personByEmail(account.email)).toBeUndefined();
    expect(await store.people.token("to old", "reset", fixture.nowMs)).toBeUndefined();
  });

  it("assigns an address to one of many concurrent requests, including sign-ups", async () => {
    const email = "wanted@example.test";
    const all = await Promise.all(Array.from({ length: 5 }, () => asking(email)));
    const [outcomes, added] = await Promise.all([
      Promise.all(all.map(({ account, change }) => store.people.changeEmail(account.id, change))),
      Promise.all(Array.from({ length: 5 }, () => store.people.addPerson(builder.person({}, email)))),
    ]);
    const won = [
      ...outcomes.filter((outcome) => outcome === "changed"),
      ...added.filter((outcome) => outcome === "added"),
    ];
    expect(won).toHaveLength(1);
    expect(outcomes.every((outcome) => outcome === "changed" || outcome === "taken")).toBe(true);
  });

  it("leaves usage with the previous address, and refuses an address that a deleted account used up", async () => {
    const { account, change } = await asking("fresh@example.test");
    await store.accounts.addKey(newKey("key_moved", account.id, NOW), 20);
    await store.metering.apply([call("key_moved", 7)]);
    expect(await store.people.changeEmail(account.id, change)).toBe("changed");
    const again = builder.person({}, account.email);
    await store.people.addPerson({ ...again, account: { ...again.account, emailHash: change.oldHash } });
    await store.accounts.addKey(newKey("key_again", again.account.id, NOW), 20);
    const [decision] = await store.metering.apply([call("key_again", 1)]);
    expect(decision).toMatchObject({ outcome: "granted", balance: { tokensUsed: 8 } });

    const spent = await asking("spent@example.test");
    await store.people.deleteAccount(account.id, spent.change.emailHash, fixture.nowMs);
    expect(await store.people.changeEmail(spent.account.id, spent.change)).toBe("refused");
    const { tokenHash: _link, ...byOperator } = spent.change;
    expect(await store.people.changeEmail(spent.account.id, byOperator)).toBe("changed");
  });

  it("does not end a suspension, and inherits one retained for the new address", async () => {
    const { account, change } = await asking("out@example.test");
    await store.accounts.setSuspended(account.id, true, NOW);
    expect(await store.people.changeEmail(account.id, change)).toBe("refused");
    const gone = await builder.addPerson(store);
    await store.accounts.setSuspended(gone.account.id, true, NOW);
    const into = await asking("kept@example.test");
    await store.people.deleteAccount(gone.account.id, into.change.emailHash, fixture.nowMs + 3_600_000);
    expect(await store.people.changeEmail(into.account.id, into.change)).toBe("changed");
    expect((await store.people.person(into.account.id))?.account.isSuspended).toBe(true);
  });
}
