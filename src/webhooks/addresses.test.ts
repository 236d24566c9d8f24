import { describe, expect, it } from "vitest";
import { mayConnectTo } from "../upstream/guardedAddress.ts";
import { problemOfWebhook } from "./addresses.ts";

const PRIVATE = [
  "0.0.0.0",
  "10.1.2.3",
  "100.64.0.1",
  "127.0.0.1",
  "127.255.255.254",
  // Hosts of clouds: AWS, Google, Azure and others; Azure's host service; IBM's; Google's private access; Alibaba's;
  // Oracle's.
  "169.254.169.254",
  "168.63.129.16",
  "::ffff:168.63.129.16",
  "161.26.0.10",
  "166.11.255.254",
  "199.36.153.8",
  "100.100.100.200",
  "192.0.0.192",
  "fd20:ce::254",
  "172.16.0.1",
  "172.31.255.255",
  "192.168.1.1",
  "192.0.2.1",
  "198.18.0.1",
  "224.0.0.1",
  "255.255.255.255",
  "::",
  "::1",
  "::ffff:127.0.0.1",
  "::ffff:7f00:1",
  "::ffff:0a00:0001",
  "::127.0.0.1",
  "64:ff9b::7f00:1",
  "fe80::1",
  "fe80::1%eth0",
  "fc00::1",
  "fd00:ec2::254",
  "ff02::1",
  "2001:db8::1",
  "2002:7f00:1::",
  "not an address",
  "",
];

describe("an address", () => {
  it.each(PRIVATE)("%s is refused", (address) => {
    expect(mayConnectTo(address, [])).toBe(false);
  });

  it.each([
    "93.184.216.34",
    "172.32.0.1",
    "1.1.1.1",
    "168.63.129.17",
    "166.12.0.1",
    "2606:4700::1111",
    "::ffff:1.1.1.1",
  ])("%s is of the open internet", (address) => {
    expect(mayConnectTo(address, [])).toBe(true);
  });

  it("of a network that the operator allows is accepted, but no other private one", () => {
    expect(mayConnectTo("10.1.2.3", ["10.1.0.0/16"])).toBe(true);
    expect(mayConnectTo("10.2.2.3", ["10.1.0.0/16"])).toBe(false);
    expect(mayConnectTo("1.1.1.1", ["10.1.0.0/16"])).toBe(true);
  });
});

describe("a webhook", () => {
  it.each([
    "http://example.com",
    "https://user:password@example.com",
    "https://127.0.0.1/x",
    "https://0x7f.1/x",
    "https://2130706433/",
    "https://[::ffff:127.0.0.1]/",
    "javascript:alert(1)",
    "x",
    `https://example.com/${"x".repeat(2_048)}`,
  ])("is refused: %s", (text) => {
    expect(problemOfWebhook(text, [])).toMatch(/^must /);
  });

  it("is an https address, or an http one if the operator allows private networks", () => {
    expect(problemOfWebhook("https://example.com/hooks?x=1", [])).toBeUndefined();
    expect(problemOfWebhook("http://10.0.0.1:8080/x", ["10.0.0.0/8"])).toBeUndefined();
  });
});
