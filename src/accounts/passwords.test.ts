import { describe, expect, it } from "vitest";
import { hashingTurns, Passwords } from "./passwords.ts";
import { PersonRefusal } from "./refusal.ts";

describe("passwords", () => {
  it("are hashed with their own salt, at the documented cost, and verified", async () => {
    const passwords = new Passwords();
    const [one, other] = [await passwords.hash("korenmolen"), await passwords.hash("korenmolen")];
    expect(one).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$[A-Za-z0-9+/]{22}\$[A-Za-z0-9+/]{43}$/);
    expect(one).not.toBe(other);
    expect(await passwords.verify("korenmolen", one)).toBe(true);
    expect(await passwords.verify("korenmolen ", one)).toBe(false);
    expect(await passwords.verify("korenmolen", undefined)).toBe(false);
  });

  it("hashed elsewhere at another cost are verified too", async () => {
    // From the reference implementation: `echo -n password | argon2 somesalt -id -t 2 -m 16 -p 1 -l 32`.
    const reference =
      "$argon2id$v=19$m=65536,t=2,p=1$c29tZXNhbHQ$CTFhFdXPJO1aFaMaO6Mm5c8y7cJHAph8ArZWb2GRPPc";
    expect(await new Passwords().verify("password", reference)).toBe(true);
  });

  it("take the same work if there is no hash to compare with", async () => {
    const passwords = new Passwords();
    const hash = await passwords.hash("een woord");
    // Processor time of this process, to which other work on the machine adds little.
    const workOf = async (known: string | undefined) => {
      const before = process.cpuUsage();
      expect(await passwords.verify("een ander woord", known)).toBe(false);
      const { user, system } = process.cpuUsage(before);
      return user + system;
    };
    const [known, unknown]: [number[], number[]] = [[], []];
    for (let round = 0; round < 9; round++) {
      known.push(await workOf(hash));
      unknown.push(await workOf(undefined));
    }
    // Without the work it would be hundreds of times less.
    expect(Math.min(...unknown)).toBeGreaterThan(Math.min(...known) / 3);
    expect(await passwords.verify("een woord", hash)).toBe(true);
  });

  it("are hashed off the event loop, and those beyond the queue are refused at once", async () => {
    const passwords = new Passwords({ turns: hashingTurns({ limits: { slots: 8 } }) });
    let turns = 0;
    const timer = setInterval(() => {
      turns += 1;
    }, 1);
    const asked = await Promise.allSettled(
      Array.from({ length: 13 }, () => passwords.verify("x", undefined)),
    );
    clearInterval(timer);
    const refused = asked.filter((result) => result.status === "rejected");
    expect(refused).toHaveLength(5);
    for (const { reason } of refused) expect(reason).toBeInstanceOf(PersonRefusal);
    expect(turns).toBeGreaterThan(3);
    expect(await passwords.verify("x", await passwords.hash("x"))).toBe(true);
  });

  it("leave the queue after a timeout, with a time to retry", async () => {
    const turns = hashingTurns({ maxWaitMs: 1 });
    const passwords = new Passwords({ turns });
    const begun = [passwords.verify("x", undefined), passwords.verify("x", undefined)];
    const late = await passwords.verify("x", undefined).catch((error: unknown) => error);
    expect(late).toBeInstanceOf(PersonRefusal);
    expect(late).toMatchObject({ reason: "busy", retryAfterSeconds: 5 });
    expect(turns.waiting).toBe(0);
    expect(await Promise.all(begun)).toEqual([false, false]);
    // Both places are free again.
    expect(await Promise.all([passwords.verify("x", undefined), passwords.verify("y", undefined)])).toEqual([
      false,
      false,
    ]);
  });

  it("are not hashed for a client that has disconnected, before or in the queue", async () => {
    const turns = hashingTurns();
    const passwords = new Passwords({ turns });
    const gone = new AbortController();
    const begun = [passwords.hash("x"), passwords.hash("x")];
    const waiting = [passwords.hash("y", { signal: gone.signal }), passwords.hash("z")];
    expect(turns.waiting).toBe(2);
    gone.abort();
    expect(turns.waiting).toBe(1);
    await expect(waiting[0]).rejects.toMatchObject({ reason: "busy" });
    await expect(passwords.hash("y", { signal: gone.signal })).rejects.toMatchObject({ reason: "busy" });
    expect((await Promise.all([...begun, waiting[1]])).every((hash) => hash?.startsWith("$argon2id$"))).toBe(
      true,
    );
    expect(turns.waiting).toBe(0);
  });
});
