import { expect, it } from "vitest";
import type { ClaimedMail, MailOrder } from "../../../src/accounts/mail/mails.ts";
import type { StateStore } from "../../../src/app/state/stateStore.ts";
import type { OpenStore } from "./fixture.ts";
import { AT_ONCE, atOnce, HOUR_MS, setFixture } from "./personBuilder.ts";

const NOW = "2026-05-05T12:00:00.000Z";
const LEASE_MS = 120_000;
const BOUNDS = { maxWaiting: 1_000, maxToOneAddress: 100 };
const SIGN_UP = {
  kind: "confirm",
  email: "new@example.test",
  tierName: "small",
  passwordHash: "p",
  inviteHash: "i",
  language: "nl",
} as const;

/** Queued mails: each sent by one of many workers, with a fresh link for each attempt, and for a limited time. */
export function waitingMails(open: OpenStore): void {
  let store: StateStore;
  let count = 0;
  const { fixture, builder } = setFixture(open, NOW, (opened) => {
    store = opened;
  });

  const add = (order: MailOrder, emailHash = `hash ${++count}`, bounds = BOUNDS) =>
    store.people.addMail({ id: `mail ${++count}`, ...order }, emailHash, bounds);
  const claim = (tokenHash: string) => store.people.claimMail({ tokenHash, leaseMs: LEASE_MS });
  const claimed = async (tokenHash: string): Promise<Extract<ClaimedMail, { outcome: "send" }>> => {
    const found = await claim(tokenHash);
    if (found?.outcome !== "send") throw new Error(`the store says ${JSON.stringify(found)}`);
    return found;
  };

  it("are claimed by one of many workers, with the data for their link", async () => {
    await add(SIGN_UP);
    const all = await atOnce((index) => claim(`link ${index}`));
    const [mail] = all.filter((found) => found !== undefined);
    expect(all.filter((found) => found !== undefined)).toHaveLength(1);
    expect(mail).toMatchObject({
      outcome: "send",
      kind: "confirm",
      to: SIGN_UP.email,
      language: "nl",
      failures: 0,
    });
    const { kind: _kind, ...kept } = SIGN_UP;
    const token = await store.people.token(`link ${all.indexOf(mail)}`, "confirm", fixture.nowMs);
    expect(token).toMatchObject({ ...kept, expiresAtMs: fixture.nowMs + 24 * HOUR_MS });
    if (mail?.outcome === "send") await store.people.endMail(mail.id, mail.claim);
    fixture.nowMs += LEASE_MS;
    expect(await claim("late")).toBeUndefined();
    expect(await store.people.token(`link ${all.indexOf(mail)}`, "confirm", fixture.nowMs)).toBeDefined();
  });

  it("are sent again when their sender dies and its lease has expired, and never a third time", async () => {
    await add(SIGN_UP);
    await claimed("first");
    fixture.nowMs += LEASE_MS - 1;
    expect(await claim("too soon")).toBeUndefined();
    fixture.nowMs += 1;
    expect((await claimed("second")).claim).toBe(2);
    expect(await store.people.token("first", "confirm", fixture.nowMs)).toBeUndefined();
    expect(await store.people.token("second", "confirm", fixture.nowMs)).toBeDefined();
    fixture.nowMs += LEASE_MS;
    expect(await claim("third")).toEqual({ outcome: "dropped", why: "died" });
    expect(await store.people.token("second", "confirm", fixture.nowMs)).toBeDefined();
    expect(await claim("fourth")).toBeUndefined();
  });

  it("are postponed and completed by their latest claim only", async () => {
    await add(SIGN_UP);
    const slow = await claimed("of the slow one");
    fixture.nowMs += LEASE_MS;
    const quick = await claimed("of the quick one");
    await store.people.endMail(slow.id, slow.claim);
    await store.people.deferMail(slow.id, slow.claim, 0);
    expect(await claim("early")).toBeUndefined();
    await store.people.deferMail(quick.id, quick.claim, 10_000);
    fixture.nowMs += 9_999;
    expect(await claim("early")).toBeUndefined();
    fixture.nowMs += 1;
    const again = await claimed("again");
    expect(again).toMatchObject({ id: quick.id, failures: 1 });
    expect(await store.people.token("of the quick one", "confirm", fixture.nowMs)).toBeUndefined();
    await store.people.endMail(again.id, again.claim);
    fixture.nowMs += LEASE_MS;
    expect(await claim("none")).toBeUndefined();
  });

  it("are dropped after the lifetime of their link", async () => {
    const { account } = await builder.addPerson(store);
    await add({ kind: "reset", accountId: account.id, language: "en" });
    fixture.nowMs += HOUR_MS - 1;
    const mail = await claimed("in time");
    expect(mail).toMatchObject({ kind: "reset", to: account.email });
    expect(await store.people.token("in time", "reset", fixture.nowMs)).toMatchObject({
      accountId: account.id,
      expiresAtMs: fixture.nowMs + HOUR_MS,
    });
    await store.people.deferMail(mail.id, mail.claim, 1);
    fixture.nowMs += 1;
    expect(await claim("too late")).toEqual({ outcome: "dropped", why: "old" });
    expect(await store.people.token("too late", "reset", fixture.nowMs)).toBeUndefined();
    await add({ kind: "reset", accountId: account.id, language: "en" });
    fixture.nowMs += HOUR_MS + 60_000;
    await store.people.deleteExpired({ nowMs: fixture.nowMs, idleMs: HOUR_MS, knownSinceMs: 0, month: 0 });
    expect(await claim("swept")).toBeUndefined();
  });

  it("are not sent for a deleted account, and reset no password that was set meanwhile", async () => {
    const { account } = await builder.addPerson(store);
    await add({ kind: "reset", language: "en" });
    expect(await claim("for nobody")).toEqual({ outcome: "dropped", why: "no-account" });
    await add({ kind: "reset", accountId: account.id, language: "en" });
    await add({ kind: "changed", accountId: account.id, language: "nl" });
    await store.people.setPassword(account.id, "second");
    const claimedMail = await claimed("no link");
    expect(claimedMail).toMatchObject({ kind: "changed", to: account.email, language: "nl" });
    expect(await claim("none")).toBeUndefined();
    await store.people.deleteAccount(account.id, "hash", fixture.nowMs);
    fixture.nowMs += LEASE_MS;
    expect(await claim("none")).toBeUndefined();
  });

  it("are limited, in total and per address", async () => {
    const bounds = { maxWaiting: 3, maxToOneAddress: 2 };
    const added: boolean[] = [];
    for (const emailHash of ["one", "one", "one", "another", "third"]) {
      added.push(await add({ kind: "reset", language: "en" }, emailHash, bounds));
    }
    expect(added).toEqual([true, true, false, true, false]);
    while ((await claim("for nobody")) !== undefined);
  });

  it("are not delayed by a clock that was ahead", async () => {
    fixture.nowMs += 10 * HOUR_MS;
    await add(SIGN_UP);
    fixture.nowIso = NOW;
    const mail = await claimed("now");
    await store.people.endMail(mail.id, mail.claim);
  });

  it("are each claimed once by many concurrent workers", async () => {
    for (let index = 0; index < AT_ONCE; index++)
      await add({ ...SIGN_UP, email: `many-${index}@example.test` });
    const seen: string[] = [];
    await Promise.all(
      Array.from({ length: 4 }, async () => {
        for (let misses = 0; misses < 3; ) {
          const found = await claim(`link ${++count}`);
          if (found?.outcome !== "send") misses += 1;
          else {
            seen.push(found.to);
            await store.people.endMail(found.id, found.claim);
          }
        }
      }),
    );
    expect(seen.sort()).toEqual(
      Array.from({ length: AT_ONCE }, (_, index) => `many-${index}@example.test`).sort(),
    );
  });
}
