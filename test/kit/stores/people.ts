import { expect, it } from "vitest";
import type { StateStore } from "../../../src/app/state/stateStore.ts";
import type { OpenStore } from "./fixture.ts";
import { AT_ONCE, atOnce, HOME, HOUR_MS, setFixture } from "./personBuilder.ts";

const NOW = "2026-05-05T12:00:00.000Z";

/** People, their sessions, one-time tokens and attempts: exact limits under concurrent requests. */
export function people(open: OpenStore): void {
  let store: StateStore;
  const { fixture, builder } = setFixture(open, NOW, (opened) => {
    store = opened;
  });

  it("keeps the first secret stored under a name", async () => {
    const secrets = await atOnce((index) => store.people.secret("one", `candidate ${index}`));
    expect(new Set(secrets).size).toBe(1);
    expect(await store.people.secret("one", "late")).toBe(secrets[0]);
    expect(await store.people.secret("another", "mine")).toBe("mine");
  });

  it("assigns an address to one of many concurrent sign-ups", async () => {
    const added = await atOnce(() => store.people.addPerson(builder.person({}, "race@example.test")));
    expect(added.filter((result) => result === "added")).toHaveLength(1);
    expect(added.filter((result) => result === "taken")).toHaveLength(AT_ONCE - 1);
  });

  it("returns a person's data by id and by address", async () => {
    const { account } = await builder.addPerson(store);
    const { emailHash: _hash, ...shown } = account;
    const known = {
      account: shown,
      passwordHash: "first",
      isAdmin: false,
      language: "nl",
      wantsAllowanceMails: true,
      mayTakeFirstKey: true,
    };
    expect(await store.people.person(account.id)).toEqual(known);
    expect(await store.people.personByEmail(account.email)).toEqual(known);
    expect(await store.people.person("acc_none")).toBeUndefined();
    expect(await store.people.personByEmail("nobody@example.test")).toBeUndefined();

    const { accountId } = await fixture.addAccount(store, "small", 1);
    const made = await store.people.person(accountId);
    expect(made).toMatchObject({ isAdmin: false, mayTakeFirstKey: false });
    expect(made).not.toHaveProperty("passwordHash");
    expect(await store.people.setAdmin(accountId, true)).toBe(true);
    expect((await store.people.person(accountId))?.isAdmin).toBe(true);
    expect(await store.people.setAdmin(accountId, false)).toBe(true);
    expect((await store.people.person(accountId))?.isAdmin).toBe(false);
    expect(await store.people.setAdmin("acc_none", true)).toBe(false);
    expect(await store.people.setPassword("acc_none", "x")).toBe(false);
  });

  it("gives the first key to one of many concurrent requests", async () => {
    const { account } = await builder.addPerson(store);
    const taken = await atOnce(() => store.people.takeFirstKey(account.id, NOW));
    expect(taken.filter(Boolean)).toHaveLength(1);
    expect((await store.people.person(account.id))?.mayTakeFirstKey).toBe(false);
  });

  it("opens a session only for the current password, and ends all when it changes", async () => {
    const { account } = await builder.addPerson(store);
    const sessions = [builder.session(account.id), builder.session(account.id, { client: "a browser" })];
    for (const session of sessions) {
      expect(await store.people.addSession(session, `hash ${session.id}`, "first", HOME)).toBe(true);
    }
    expect(await store.people.addSession(builder.session(account.id), "hash wrong", "other", HOME)).toBe(
      false,
    );
    expect(await store.people.session("hash wrong")).toBeUndefined();
    expect(await store.people.session(`hash ${sessions[1]?.id}`)).toEqual(sessions[1]);
    await store.people.addToken(builder.token({ hash: "reset", purpose: "reset", accountId: account.id }));

    const late = builder.session(account.id);
    const [isSet] = await Promise.all([
      store.people.setPassword(account.id, "second"),
      store.people.addSession(late, `hash ${late.id}`, "first", HOME),
    ]);
    expect(isSet).toBe(true);
    expect(await store.people.sessions(account.id)).toEqual([]);
    expect(await store.people.token("reset", "reset", fixture.nowMs)).toBeUndefined();
    expect((await store.people.person(account.id))?.passwordHash).toBe("second");
  });

  it("changes a password once for many concurrent changes", async () => {
    const { account } = await builder.addPerson(store);
    const set = await atOnce((index) => store.people.setPassword(account.id, `other ${index}`, "first"));
    expect(set.filter(Boolean)).toHaveLength(1);
    const { passwordHash } = (await store.people.person(account.id)) ?? {};
    expect(passwordHash).toBe(`other ${set.indexOf(true)}`);
    expect(await store.people.setPassword(account.id, "last", "first")).toBe(false);
    expect(await store.people.setPassword("acc_none", "last", "first")).toBe(false);
  });

  it("ends the oldest session when an account exceeds a hundred", async () => {
    const { account } = await builder.addPerson(store);
    const sessions = Array.from({ length: 102 }, (_, index) =>
      builder.session(account.id, { lastSeenAtMs: fixture.nowMs + index }),
    );
    for (const session of sessions) await store.people.addSession(session, session.id, "first", HOME);
    const open = (await store.people.sessions(account.id)).map(({ id }) => id);
    expect(open).toEqual(
      sessions
        .slice(2)
        .map(({ id }) => id)
        .reverse(),
    );
  });

  it("lists sessions by last use, and ends one of the account's own", async () => {
    const [one, another] = [await builder.addPerson(store), await builder.addPerson(store)];
    const first = builder.session(one.account.id);
    const second = builder.session(one.account.id);
    for (const session of [first, second]) await store.people.addSession(session, session.id, "first", HOME);
    await store.people.seenSession(first.id, fixture.nowMs + 5);
    expect((await store.people.sessions(one.account.id)).map(({ id }) => id)).toEqual([first.id, second.id]);
    expect(await store.people.endSession(another.account.id, first.id)).toBe(false);
    expect(await store.people.endSession(one.account.id, first.id)).toBe(true);
    expect(await store.people.endSession(one.account.id, first.id)).toBe(false);
    expect((await store.people.sessions(one.account.id)).map(({ id }) => id)).toEqual([second.id]);
  });

  it("lets one of many requests use a token, before it expires and for its purpose", async () => {
    const token = builder.token({
      purpose: "confirm",
      email: "a@example.test",
      tierName: "small",
      passwordHash: "p",
      inviteHash: "i",
      language: "nl",
    });
    await store.people.addToken(token);
    expect(await store.people.token(token.hash, "confirm", fixture.nowMs)).toEqual(token);
    expect(await store.people.token(token.hash, "reset", fixture.nowMs)).toBeUndefined();
    expect(await store.people.takeToken(token.hash, "invite", fixture.nowMs)).toBeUndefined();
    expect(await store.people.takeToken(token.hash, "confirm", token.expiresAtMs)).toBeUndefined();
    const taken = await atOnce(() => store.people.takeToken(token.hash, "confirm", fixture.nowMs));
    expect(taken.filter((found) => found !== undefined && found !== null)).toEqual([token]);
  });

  it("admits one of many sign-ups with an invite, also when the address is taken", async () => {
    const invite = builder.token();
    await store.people.addToken(invite);
    const added = await atOnce(() => store.people.addPerson(builder.person({ inviteHash: invite.hash })));
    expect(added.filter((result) => result === "added")).toHaveLength(1);
    expect(added.filter((result) => result === "no-invite")).toHaveLength(AT_ONCE - 1);

    const { account } = await builder.addPerson(store);
    const spent = builder.token();
    await store.people.addToken(spent);
    expect(await store.people.addPerson(builder.person({ inviteHash: spent.hash }, account.email))).toBe(
      "taken",
    );
    expect(await store.people.addPerson(builder.person({ inviteHash: spent.hash }))).toBe("no-invite");
    const old = builder.token({ expiresAtMs: fixture.nowMs });
    await store.people.addToken(old);
    expect(await store.people.addPerson(builder.person({ inviteHash: old.hash }))).toBe("no-invite");
  });

  it("counts every one of many concurrent attempts, in one window", async () => {
    const counts = await atOnce(() => store.people.countAttempt("tries", fixture.nowMs, 1_000));
    expect(counts.map(({ count: tries }) => tries).sort((a, b) => a - b)).toEqual(
      Array.from({ length: AT_ONCE }, (_, index) => index + 1),
    );
    const end = fixture.nowMs + 1_000;
    expect(counts.every(({ endsAtMs }) => endsAtMs === end)).toBe(true);
    await store.people.giveBackAttempt("tries");
    expect(await store.people.countAttempt("tries", end - 1, 1_000)).toEqual({
      count: AT_ONCE,
      endsAtMs: end,
    });
    expect(await store.people.countAttempt("tries", end, 1_000)).toEqual({ count: 1, endsAtMs: end + 1_000 });
    expect((await store.people.countAttempt("tries", fixture.nowMs - 10 * HOUR_MS, 1_000)).count).toBe(1);
    await store.people.clearAttempts("tries");
    expect((await store.people.countAttempt("tries", fixture.nowMs, 1_000)).count).toBe(1);
    await store.people.giveBackAttempt("never");
  });

  it("counts attempts in one window if they arrive out of order or from a clock that is behind", async () => {
    const [timedLast, windowMs] = [fixture.nowMs, 1_000];
    for (let index = 0; index < 20; index++) {
      const attempts = await store.people.countAttempt("disorder", timedLast - index * 50, windowMs);
      expect(attempts).toEqual({ count: index + 1, endsAtMs: timedLast + windowMs });
    }
  });

  it("remembers a limited number of an account's sign-in addresses for a limited time, and forgets them with the account", async () => {
    const [{ account }, other] = [await builder.addPerson(store), await builder.addPerson(store)];
    const maxKnown = 3;
    const signIn = (addressHash: string, createdAtMs: number) => {
      const session = builder.session(account.id, { createdAtMs });
      return store.people.addSession(session, session.id, "first", { addressHash, maxKnown });
    };
    const knows = async (sinceMs = 0) => {
      const found: string[] = [];
      for (const addressHash of ["a", "b", "c", "d", "e"]) {
        if (await store.people.hasSignedInFrom(account.id, addressHash, sinceMs)) found.push(addressHash);
      }
      return found.join("");
    };
    const wrong = builder.session(account.id);
    await store.people.addSession(wrong, wrong.id, "another password", { addressHash: "e", maxKnown });
    expect(await knows()).toBe("");
    for (const [index, address] of ["a", "b", "c", "a", "d"].entries()) {
      await signIn(address, fixture.nowMs + index);
    }
    expect(await knows()).toBe("acd");
    expect(await knows(fixture.nowMs + 3)).toBe("d");
    await Promise.all(["a", "b", "c", "d", "e"].map((address) => signIn(address, fixture.nowMs + 10)));
    expect(await knows()).toHaveLength(maxKnown);
    expect(await store.people.hasSignedInFrom(other.account.id, "a", 0)).toBe(false);
    const { nowMs } = fixture;
    await signIn("e", nowMs + 20);
    await store.people.deleteExpired({ nowMs, idleMs: HOUR_MS, knownSinceMs: nowMs + 19, month: 0 });
    expect(await knows()).toBe("e");
    await store.people.deleteAccount(account.id, "hash", nowMs);
    expect(await knows()).toBe("");
  });
}
