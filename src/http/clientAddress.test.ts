import { describe, expect, it } from "vitest";
import { clientAddressOf } from "./clientAddress.ts";

const PROXIES = "10.0.0.0/8,fd00::/8";
const NEAR = "10.0.0.1";

const from = (remoteAddress: string | undefined, headers: Record<string, string>, proxies = PROXIES) =>
  clientAddressOf({ socket: { remoteAddress }, headers }, proxies);

/** Ways to write one client, and the address that counts. */
const CLIENTS = [
  ["192.0.2.1", "192.0.2.1"],
  ["192.0.2.1:1", "192.0.2.1"],
  ["192.0.2.1:65535", "192.0.2.1"],
  [" \t192.0.2.1:443 ", "192.0.2.1"],
  ['"192.0.2.1"', "192.0.2.1"],
  ['"192.0.2.1:443"', "192.0.2.1"],
  ["192.0.2.1:_hidden", "192.0.2.1"],
  ["2001:db8::1", "2001:db8::1"],
  ["[2001:db8::1]", "2001:db8::1"],
  ['"[2001:db8::1]"', "2001:db8::1"],
  ['"2001:db8::1"', "2001:db8::1"],
  ["[2001:db8::1]:1234", "2001:db8::1"],
  ['"[2001:DB8:0::0:1]:1234"', "2001:db8::1"],
  ['"[2001:db8::1]:_port.1-a"', "2001:db8::1"],
  ["[::ffff:192.0.2.1]:80", "192.0.2.1"],
  ["::FFFF:192.0.2.1", "192.0.2.1"],
  ["::ffff:c000:201", "192.0.2.1"],
  ["[fe80::1%eth0]:80", "fe80::1"],
  ["fe80::1%25eth0", "fe80::1"],
  ["[::1]:80", "::1"],
] as const;

/** Texts without an address. */
const NAMELESS = [
  "unknown",
  "Unknown",
  "_hidden",
  '"_gazonk"',
  "client.example",
  "192.0.2.1:443:80",
  "192.0.2.1:123456",
  "192.0.2.1:http",
  "192.0.2.256",
  "192.0.2",
  "010.0.2.1",
  "[2001:db8::1",
  "2001:db8::1]:80",
  "[]:80",
  "[2001:db8::1]:80x",
  ":80",
  "::ffff:999.1.1.1",
  "'; drop",
  "\u0000",
  "1".repeat(10_000),
] as const;

describe("the address of a client", () => {
  it.each(CLIENTS)("reported as %j counts as %j, whichever header reports it", (written, address) => {
    expect(from(NEAR, { "x-forwarded-for": written })).toBe(address);
    expect(from(NEAR, { "x-forwarded-for": `198.51.100.1, ${written}` })).toBe(address);
    expect(from(`::ffff:${NEAR}`, { "x-forwarded-for": `${written},10.1.1.1:80, [fd00::1]:80` })).toBe(
      address,
    );
    for (const pair of [`for=${written.trim()}`, `by=10.0.0.1;For=${written.trim()};proto=https`]) {
      expect(from(NEAR, { forwarded: pair })).toBe(address);
      expect(from(NEAR, { forwarded: `for=198.51.100.1;host="a;b", ${pair} ,for="[fd00::1]:80"` })).toBe(
        address,
      );
    }
  });

  it.each(NAMELESS.map((written) => [written.slice(0, 30), written]))(
    "reported as %j is the address of the proxy that reports it",
    (_name, written) => {
      expect(from(NEAR, { "x-forwarded-for": written })).toBe(NEAR);
      expect(from(NEAR, { "x-forwarded-for": `198.51.100.1, ${written}, 10.2.2.2:80` })).toBe("10.2.2.2");
      expect(from(NEAR, { forwarded: `for=198.51.100.1, for=${written}, for="10.2.2.2:80"` })).toBe(
        "10.2.2.2",
      );
    },
  );

  it.each([
    ["", NEAR],
    [" , ", NEAR],
    ["192.0.2.1:80, ", "192.0.2.1"],
    ["192.0.2.1:80,,10.0.0.9", "192.0.2.1"],
    ["10.0.0.9:80", "10.0.0.9"],
  ])("in a list of %j is %j", (list, address) => {
    expect(from(NEAR, { "x-forwarded-for": list })).toBe(address);
  });

  it.each([
    ["proto=https;by=10.0.0.1", NEAR],
    ["for", NEAR],
    ["notfor=192.0.2.1", NEAR],
    ['for="192.0.2.66, for=192.0.2.1', "192.0.2.1"],
    ['for="x, for="[2001:db8::1]:80"', "2001:db8::1"],
  ])("in Forwarded: %s is %j", (forwarded, address) => {
    expect(from(NEAR, { forwarded })).toBe(address);
  });

  it("is read from Forwarded only without X-Forwarded-For", () => {
    const forwarded = "for=198.51.100.1";
    expect(from(NEAR, { forwarded, "x-forwarded-for": "192.0.2.1:80" })).toBe("192.0.2.1");
    expect(from(NEAR, { forwarded, "x-forwarded-for": "unknown" })).toBe(NEAR);
  });

  it("is the peer's when the peer is not a trusted proxy", () => {
    const headers = { "x-forwarded-for": "192.0.2.1", forwarded: "for=192.0.2.1" };
    expect(from("203.0.113.5", headers)).toBe("203.0.113.5");
    expect(from(NEAR, headers, "")).toBe(NEAR);
    expect(from(undefined, headers)).toBeUndefined();
  });
});

it.each([
  'proto=http;host="a;for=198.51.100.1";for=203.0.113.1',
  'host="a\\";for=198.51.100.1;\\"";for="203.0.113.1:4711"',
  'for=203.0.113.1;host="a;for=198.51.100.1"',
])("reads no address from the host in Forwarded: %s", (forwarded) => {
  const request = { socket: { remoteAddress: "192.0.2.1" }, headers: { forwarded } };
  expect(clientAddressOf(request, "192.0.2.1")).toBe("203.0.113.1");
});
