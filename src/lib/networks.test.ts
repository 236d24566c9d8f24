import { describe, expect, it } from "vitest";
import { isNetwork, isWithin } from "./networks.ts";

describe("a network", () => {
  it.each(["192.0.2.7", "192.0.2.0/24", "10.0.0.0/8", "2001:db8::7", "2001:db8::/32", "::1/128"])(
    "is %s",
    (text) => expect(isNetwork(text)).toBe(true),
  );

  it.each(["", "192.0.2", "192.0.2.0/33", "192.0.2.0/0", "192.0.2.0/", "192.0.2.0/24/8", "2001:db8::/129"])(
    "is not %j",
    (text) => expect(isNetwork(text)).toBe(false),
  );

  it.each(["a.example", "192.0.2.0/08", " 192.0.2.7", "fe80::1%eth0", "192.0.2.7,192.0.2.8"])(
    "is not %j either",
    (text) => expect(isNetwork(text)).toBe(false),
  );
});

describe("an address", () => {
  const OFFICE = "192.0.2.0/28,198.51.100.7,2001:db8:1::/48";

  it.each(["192.0.2.0", "192.0.2.15", "198.51.100.7", "2001:db8:1::", "2001:DB8:1:ffff::9"])(
    "%s is within",
    (address) => expect(isWithin(address, OFFICE)).toBe(true),
  );

  it.each(["192.0.2.16", "198.51.100.8", "2001:db8:2::1", "::1", "127.0.0.1", "", "no address"])(
    "%j is outside",
    (address) => expect(isWithin(address, OFFICE)).toBe(false),
  );

  it("that is IPv4 over IPv6 counts as IPv4, ignores a zone, and is outside if undefined", () => {
    expect(isWithin("::ffff:192.0.2.3", OFFICE)).toBe(true);
    expect(isWithin("::ffff:192.0.2.99", OFFICE)).toBe(false);
    expect(isWithin("fe80::1%eth0", "fe80::/10")).toBe(true);
    expect(isWithin(undefined, OFFICE)).toBe(false);
  });
});
