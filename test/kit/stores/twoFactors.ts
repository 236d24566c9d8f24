import { expect, it } from "vitest";
import type { UsableCode } from "../../../src/accounts/secondFactors.ts";
import type { StateStore } from "../../../src/app/state/stateStore.ts";
import type { OpenStore } from "./fixture.ts";
import { atOnce, HOME, setFixture } from "./personBuilder.ts";

const NOW = "2026-05-05T12:00:00.000Z";
const device = (step: number, sealed = "sealed"): UsableCode => ({ kind: "device", sealed, step });
const recovery = (hash: string): UsableCode => ({ kind: "recovery", hash });
const count = (results: readonly boolean[]) => results.filter(Boolean).length;

/** Two-factor sign-in: a code works once among concurrent attempts, and no session opens without one. */
export function twoFactors(open: OpenStore): void {
  let store: StateStore;
  const { fixture, builder } = setFixture(open, NOW, (opened) => {
    store = opened;
  });

  /** An account with two-factor sign-in, with the code of step 100 used. */
  async function guarded(hashes: readonly string[] = ["one", "two"]): Promise<string> {
    const { id } = (await builder.addPerson(store)).account;
    expect(await store.people.beginTwoFactor(id, "sealed", fixture.nowMs)).toBe(true);
    const first = { sealed: "sealed", step: 100, at: NOW, recoveryHashes: hashes, sessionId: "none" };
    expect(await store.people.turnOnTwoFactor(id, first)).toBe(true);
    return id;
  }

  const enter = async (accountId: string, second?: UsableCode | { kind: "signed in" }) => {
    const session = builder.session(accountId);
    return store.people.addSession(session, `hash ${session.id}`, "first", HOME, second);
  };

  it("is inactive before a first code of the newest secret", async () => {
    const { id } = (await builder.addPerson(store)).account;
    expect(await store.people.twoFactor(id)).toBeUndefined();
    await store.people.beginTwoFactor(id, "earlier", fixture.nowMs);
    await store.people.beginTwoFactor(id, "sealed", fixture.nowMs + 5);
    expect(await store.people.twoFactor(id)).toEqual({
      sealed: "sealed",
      begunAtMs: fixture.nowMs + 5,
      lastStep: 0,
      codesLeft: 0,
    });
    expect(await enter(id)).toBe(true);
    expect(await store.people.turnOffTwoFactor(id, device(7))).toBe(false);
    expect(await store.people.removeTwoFactor(id)).toBe(false);
    expect(await store.people.beginTwoFactor("acc_none", "sealed", fixture.nowMs)).toBe(false);
  });

  it("has secrets that can be replaced under another key, unless they have changed since", async () => {
    const [one, other] = [await guarded(), await guarded()].sort();
    const seals = { [one ?? ""]: "1.keyonekeyonekey0.a", [other ?? ""]: "1.keytwokeytwokey0.b" };
    for (const [accountId, sealed] of Object.entries(seals)) {
      expect(await store.people.resealTwoFactor(accountId, "sealed", sealed)).toBe(true);
      expect(await store.people.resealTwoFactor(accountId, "sealed", "late")).toBe(false);
      expect(await enter(accountId, device(101, sealed))).toBe(true);
    }
    const found = await store.people.secretsOfOtherKeys("keyonekeyonekey0");
    const own = found.filter(({ accountId }) => accountId in seals);
    expect(own).toEqual([{ accountId: other, sealed: "1.keytwokeytwokey0.b" }]);
  });

  it("is turned on once, which ends all other sessions of the account and none of other accounts", async () => {
    const [{ account }, other] = [await builder.addPerson(store), await builder.addPerson(store)];
    const sessions = [builder.session(account.id), builder.session(account.id)];
    const strange = builder.session(other.account.id);
    for (const session of [...sessions, strange])
      await store.people.addSession(session, session.id, "first", HOME);
    await store.people.beginTwoFactor(account.id, "sealed", fixture.nowMs);
    const first = { sealed: "sealed", step: 100, at: NOW, recoveryHashes: ["h"] };
    const wrong = { ...first, sealed: "earlier", sessionId: "" };
    expect(await store.people.turnOnTwoFactor(account.id, wrong)).toBe(false);
    const turned = await atOnce(() =>
      store.people.turnOnTwoFactor(account.id, { ...first, sessionId: sessions[0]?.id ?? "" }),
    );
    expect(count(turned)).toBe(1);
    expect((await store.people.sessions(account.id)).map(({ id }) => id)).toEqual([sessions[0]?.id]);
    expect(await store.people.sessions(other.account.id)).toHaveLength(1);
    expect(await store.people.twoFactor(account.id)).toMatchObject({
      onSince: NOW,
      lastStep: 100,
      codesLeft: 1,
    });
    expect(await store.people.beginTwoFactor(account.id, "another", fixture.nowMs)).toBe(false);
  });

  it("opens one of many sessions with one code, and none without, with an older one or another secret's", async () => {
    const id = await guarded();
    for (const second of [undefined, device(100), device(99), device(101, "earlier"), recovery("none")]) {
      expect(await enter(id, second)).toBe(false);
    }
    expect(count(await atOnce(() => enter(id, device(101))))).toBe(1);
    expect(count(await atOnce((index) => enter(id, device(102 + (index % 2)))))).toBeLessThanOrEqual(2);
    expect(await enter(id, device(103))).toBe(false);
    expect(await enter(id, { kind: "signed in" })).toBe(true);
    expect(count(await atOnce(() => enter(id, recovery("one"))))).toBe(1);
    expect((await store.people.twoFactor(id))?.codesLeft).toBe(1);
    // A wrong password uses no code.
    const session = builder.session(id);
    expect(await store.people.addSession(session, "x", "other", HOME, recovery("two"))).toBe(false);
    expect(await enter(id, recovery("two"))).toBe(true);
  });

  it("accepts recovery codes of its own account only, and new ones void the others", async () => {
    const [mine, hers] = [await guarded(["mine"]), await guarded(["hers"])];
    expect(await enter(mine, recovery("hers"))).toBe(false);
    expect(await enter(hers, recovery("hers"))).toBe(true);
    const renewed = await atOnce((index) =>
      store.people.renewRecoveryCodes(mine, device(200), [`new ${index}`, `more ${index}`]),
    );
    expect(count(renewed)).toBe(1);
    expect((await store.people.twoFactor(mine))?.codesLeft).toBe(2);
    expect(await enter(mine, recovery("mine"))).toBe(false);
    expect(await store.people.renewRecoveryCodes(mine, device(200), ["x"])).toBe(false);
  });

  it("is turned off by a code once, by an operator without one, and is deleted with the account", async () => {
    const id = await guarded();
    expect(await store.people.turnOffTwoFactor(id, device(100))).toBe(false);
    expect(count(await atOnce(() => store.people.turnOffTwoFactor(id, device(101))))).toBe(1);
    expect(await store.people.twoFactor(id)).toBeUndefined();
    expect(await enter(id)).toBe(true);
    // Turning it off removes the recovery codes.
    await store.people.beginTwoFactor(id, "again", fixture.nowMs);
    expect((await store.people.twoFactor(id))?.codesLeft).toBe(0);

    const lost = await guarded();
    expect(count(await atOnce(() => store.people.removeTwoFactor(lost)))).toBe(1);
    expect(await enter(lost)).toBe(true);
    const gone = await guarded();
    expect(await store.people.deleteAccount(gone, "hash", fixture.nowMs)).toBe(true);
    expect(await store.people.twoFactor(gone)).toBeUndefined();
    expect(await enter(gone, recovery("one"))).toBe(false);
  });
}
