import { describe, expect, it } from "vitest";
import { type Arrival, checkOrigin, transportOf } from "./visitor.ts";

const LOCAL: Arrival = {
  protocol: "http",
  peer: "127.0.0.1",
  host: "127.0.0.1:8080",
  isForwarded: false,
  method: "POST",
  origin: "http://127.0.0.1:8080",
  fetchSite: "same-origin",
};
const TLS: Arrival = {
  ...LOCAL,
  protocol: "https",
  peer: "10.0.0.1",
  host: "registry.example",
  isForwarded: true,
};
const PUBLIC = "https://registry.example/some/path";

describe("a password may be sent", () => {
  it.each([
    ["over TLS", TLS, PUBLIC, "tls"],
    ["on this machine", LOCAL, undefined, "loopback"],
    ["on this machine by name", { ...LOCAL, host: "LocalHost:81" }, undefined, "loopback"],
    ["on this machine by IPv6", { ...LOCAL, peer: "::1", host: "[::1]:8080" }, undefined, "loopback"],
    ["on this machine, mapped", { ...LOCAL, peer: "::ffff:127.0.0.1" }, "http://127.0.0.1:8080", "loopback"],
  ] as const)("%s", (_name, arrival, publicUrl, transport) => {
    expect(transportOf(arrival, publicUrl)).toBe(transport);
  });

  it.each([
    ["from elsewhere", { ...LOCAL, peer: "192.168.0.9" }, undefined],
    ["to another name, which DNS may point here", { ...LOCAL, host: "evil.example" }, undefined],
    ["to a name with that prefix", { ...LOCAL, host: "127.0.0.1.evil.example" }, undefined],
    ["to no host at all", { ...LOCAL, host: undefined }, undefined],
    ["by a proxy on this machine that is not trusted", { ...LOCAL, isForwarded: true }, undefined],
    ["next to the TLS that people use", LOCAL, PUBLIC],
  ] as const)("but not plainly %s", (_name, arrival, publicUrl) => {
    expect(() => transportOf(arrival, publicUrl)).toThrow("needs TLS");
  });
});

describe("a change is accepted", () => {
  it.each([
    ["from the page", LOCAL, undefined],
    ["from a browser that sends no Sec-Fetch-Site", { ...LOCAL, fetchSite: undefined }, undefined],
    ["from one that sends no Origin", { ...LOCAL, origin: undefined }, undefined],
    ["from the public origin", { ...TLS, origin: "https://registry.example" }, PUBLIC],
    ["if it changes nothing", { ...LOCAL, method: "GET", origin: "https://evil.example" }, undefined],
  ] as const)("%s", (_name, arrival, publicUrl) => {
    expect(() => checkOrigin(arrival, transportOf(arrival, publicUrl), publicUrl)).not.toThrow();
  });

  it.each([
    ["from another page", { ...LOCAL, origin: "https://evil.example" }, undefined],
    ["from another port", { ...LOCAL, origin: "http://127.0.0.1:8081" }, undefined],
    ["without an origin", { ...LOCAL, origin: undefined, fetchSite: undefined }, undefined],
    ["from a sibling site", { ...LOCAL, origin: undefined, fetchSite: "same-site" }, undefined],
    ["with contradicting headers", { ...LOCAL, fetchSite: "cross-site" }, undefined],
    ["over TLS without PUBLIC_URL", { ...TLS, origin: "https://registry.example" }, undefined],
    ["from the plain origin", { ...TLS, origin: "http://registry.example" }, PUBLIC],
  ] as const)("but not %s", (_name, arrival, publicUrl) => {
    expect(() => checkOrigin(arrival, transportOf(arrival, publicUrl), publicUrl)).toThrow();
  });
});
