import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { limiterSubject, MinuteLimiter } from "./minuteLimiter.ts";

const NOW_MS = Date.UTC(2026, 4, 5, 12, 0, 30);

describe("the limit per client address", () => {
  it("allows exactly this many calls per clock minute, for each address", () => {
    let nowMs = NOW_MS;
    const limiter = new MinuteLimiter(3, () => nowMs);
    const calls = (address: string) => Array.from({ length: 5 }, () => limiter.refuse(address));
    expect(calls("192.0.2.1")).toEqual([undefined, undefined, undefined, 30, 30]);
    expect(calls("192.0.2.2")).toEqual([undefined, undefined, undefined, 30, 30]);
    nowMs += 29_999;
    expect(limiter.refuse("192.0.2.1")).toBe(1);
    nowMs += 1;
    expect(calls("192.0.2.1")).toEqual([undefined, undefined, undefined, 60, 60]);
  });

  it("makes no one wait longer than a minute after the clock is set back", () => {
    let nowMs = NOW_MS;
    const limiter = new MinuteLimiter(1, () => nowMs);
    limiter.refuse("192.0.2.1");
    expect(limiter.refuse("192.0.2.1")).toBe(30);
    nowMs -= 3_600_000;
    expect(limiter.refuse("192.0.2.1")).toBeUndefined();
    expect(limiter.refuse("192.0.2.1")).toBe(30);
  });

  it("remembers 20,000 addresses, and a flood of others does not reset an address at its limit", () => {
    const limiter = new MinuteLimiter(2, () => NOW_MS);
    const addresses = Array.from({ length: 20_000 }, (_, index) => `10.${index >> 8}.${index & 255}.1`);
    for (const address of addresses) for (let calls = 0; calls < 2; calls++) limiter.refuse(address);
    expect(addresses.filter((address) => limiter.refuse(address) === undefined).length).toBeLessThan(5);
    for (let index = 0; index < 60_000; index++) limiter.refuse(`172.${index >> 8}.${index & 255}.1`);
    expect(addresses.filter((address) => limiter.refuse(address) === undefined).length).toBeLessThan(50);
  });

  it("counts the addresses of one /64 as one, in any notation", () => {
    fc.assert(
      fc.property(
        fc.ipV6().filter((address) => !address.includes(".") && !address.includes("%")),
        fc.ipV6().filter((address) => !address.includes(".")),
        (one, other) => {
          const groups = expand(one);
          const sameNet = [...groups.slice(0, 4), ...expand(other).slice(4)].join(":");
          expect(limiterSubject(one)).toBe(limiterSubject(sameNet));
          expect(limiterSubject(one)).toBe(
            limiterSubject(groups.map((group) => group.padStart(4, "0").toUpperCase()).join(":")),
          );
          const first = Number.parseInt(groups[0] ?? "0", 16);
          const elsewhere = [((first + 1) % 65_536).toString(16), ...groups.slice(1)].join(":");
          expect(limiterSubject(elsewhere)).not.toBe(limiterSubject(one));
        },
      ),
    );
  });

  it("counts an IPv4 address separately, also inside an IPv6 one", () => {
    fc.assert(
      fc.property(fc.ipV4(), (address) => {
        expect(limiterSubject(address)).toBe(address);
        expect(limiterSubject(`::ffff:${address}`)).toBe(address);
        expect(limiterSubject(`::FFFF:${address}`)).toBe(address);
      }),
    );
  });
});

/** The eight groups of an IPv6 address without leading zeros. */
function expand(address: string): string[] {
  const groups = new URL(`http://[${address}]/`).hostname.slice(1, -1).split("::");
  const [first = [], last = []] = groups.map((part) => (part === "" ? [] : part.split(":")));
  const zeros = groups.length === 1 ? [] : Array<string>(8 - first.length - last.length).fill("0");
  return [...first, ...zeros, ...last];
}
