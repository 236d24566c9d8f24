import { Resolver } from "node:dns";
import { describe, expect, it } from "vitest";
import { refusalOf } from "../../../test/kit/refusalOf.ts";
import { readSettings } from "./settings.ts";

const ADDRESSES = "must be IP addresses, each with a port if it is not 53";
const NAME = "must be a name in DNS, such as example.com";

describe("the settings of Peppol", () => {
  it.each([
    ["PEPPOL", "on", "on"],
    ["PEPPOL_ZONE", "participant.sml.test.tech.peppol.org", "participant.sml.test.tech.peppol.org"],
    ["PEPPOL_ZONE", "_a.b-c", "_a.b-c"],
    ["PEPPOL_ZONE", `${"abcdefg.".repeat(22)}abcd`, `${"abcdefg.".repeat(22)}abcd`],
    ["PEPPOL_DNS", "192.0.2.53", ["192.0.2.53"]],
    ["PEPPOL_DNS", " 192.0.2.53:5353 , 2001:db8::53", ["192.0.2.53:5353", "2001:db8::53"]],
    ["PEPPOL_DNS", "[2001:db8::53]:65535", ["[2001:db8::53]:65535"]],
    ["PEPPOL_PER_SECOND", "50", 50],
    ["PEPPOL_NETWORKS", "10.0.0.0/8, ::1", ["10.0.0.0/8", "::1"]],
  ] as const)("read %s=%s", (name, text, value) => {
    expect(readSettings({ [name]: text })[name]).toEqual(value);
  });

  it.each([
    ["PEPPOL", "yes", "one of on, off"],
    ["PEPPOL_ZONE", "org", NAME],
    ["PEPPOL_ZONE", "tech.peppol.org.", NAME],
    ["PEPPOL_ZONE", "tech..org", NAME],
    ["PEPPOL_ZONE", "https://sml.example", NAME],
    ["PEPPOL_ZONE", `${"x".repeat(64)}.example`, NAME],
    ["PEPPOL_ZONE", `${"abcdefg.".repeat(22)}abcde`, NAME],
    ["PEPPOL_DNS", "dns.example", ADDRESSES],
    ["PEPPOL_DNS", "192.0.2.53,", ADDRESSES],
    ["PEPPOL_DNS", "192.0.2.53:0", ADDRESSES],
    ["PEPPOL_DNS", "192.0.2.53:053", ADDRESSES],
    ["PEPPOL_DNS", "192.0.2.53:65536", ADDRESSES],
    ["PEPPOL_DNS", "[192.0.2.53]:53", ADDRESSES],
    ["PEPPOL_DNS", "[192.0.2.53:53", ADDRESSES],
    ["PEPPOL_DNS", "192.0.2.53]:53", ADDRESSES],
    ["PEPPOL_DNS", "2001:db8::53]:53", ADDRESSES],
    ["PEPPOL_DNS", "[2001:db8::53]", ADDRESSES],
    ["PEPPOL_PER_SECOND", "0", "a whole number from 1 to 50"],
    ["PEPPOL_PER_SECOND", "51", "a whole number from 1 to 50"],
    ["PEPPOL_NETWORKS", "10.0.0.0/33", "must be IP addresses or networks"],
  ])("refuse %s=%s by name, with the rule", (name, text, rule) => {
    const message = refusalOf({ [name]: text });
    expect(message.startsWith(`${name} `)).toBe(true);
    expect(message).toContain(rule);
  });

  it.each(["192.0.2.53", "192.0.2.53:65535", "2001:db8::53", "[2001:db8::53]:5353"])(
    "name DNS servers as Node.js takes them: %s",
    (address) => {
      const resolver = new Resolver();
      resolver.setServers(readSettings({ PEPPOL_DNS: address }).PEPPOL_DNS);
      expect(resolver.getServers()).toEqual([address]);
    },
  );
});
