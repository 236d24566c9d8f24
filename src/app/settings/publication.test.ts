import { describe, expect, it } from "vitest";
import { refusalOf } from "../../../test/kit/refusalOf.ts";
import { readSettings } from "./settings.ts";

const PUBLIC_KEY = `ed25519:${"A".repeat(43)}`;

describe("REGISTRY_URL", () => {
  const read = (REGISTRY_URL: string) =>
    readSettings({ REGISTRY_URL, REGISTRY_PUBLIC_KEY: PUBLIC_KEY }).REGISTRY_URL;

  it.each([
    ["https://companies.example/published/", "https://companies.example/published"],
    ["http://127.0.0.1:8088/published", "http://127.0.0.1:8088/published"],
    ["http://[::1]:8088/published", "http://[::1]:8088/published"],
    ["http://localhost/published", "http://localhost/published"],
    ["file:///srv/published/", "file:///srv/published"],
    [
      "https://companies.example/published/?sig=a%2Fb&x=/",
      "https://companies.example/published?sig=a%2Fb&x=/",
    ],
  ])("is a folder that strangers cannot write to: %s", (text, value) => {
    expect(read(text)).toBe(value);
  });

  it.each([
    ["http://companies.example/published", "must begin with https://"],
    ["http://127.0.0.1.companies.example/published", "must begin with https://"],
    ["ftp://companies.example/published", "must begin with https://"],
    ["file://companies.example/published", "must begin with https://"],
    ["/srv/published", "must begin with https://"],
    ["https://u:tr0ub4dor@companies.example/published", "put them into REGISTRY_HEADERS"],
    ["https://tr0ub4dor@companies.example/published", "put them into REGISTRY_HEADERS"],
    ["https://companies.example/published#tr0ub4dor", "must not contain #"],
    ["https://companies.example/published#", "must not contain #"],
    ["file:///srv/published?tr0ub4dor", "must begin with https://"],
  ])("is refused as %s", (REGISTRY_URL, rule) => {
    const message = refusalOf({ REGISTRY_URL, REGISTRY_PUBLIC_KEY: PUBLIC_KEY });
    expect(message.startsWith("REGISTRY_URL ")).toBe(true);
    expect(message).toContain(rule);
    expect(message).not.toContain("tr0ub4dor");
  });

  it.each([
    ["authorization=Bearer%20abc", { authorization: "Bearer abc" }],
    ["Authorization=Basic YTpiPQ==, x-token = a%2Cb", { authorization: "Basic YTpiPQ==", "x-token": "a,b" }],
  ])("takes headers in REGISTRY_HEADERS: %s", (text, headers) => {
    expect(readSettings({ REGISTRY_HEADERS: text }).REGISTRY_HEADERS).toEqual(headers);
  });

  it.each([
    "tr0ub4dor",
    "=tr0ub4dor",
    "a b=tr0ub4dor",
    "a=tr0ub4dor,",
    "a=tr0ub4dor%0d%0ab:c",
    "a=tr0ub4dor%",
    "a=",
  ])("refuses REGISTRY_HEADERS %j without repeating them", (REGISTRY_HEADERS) => {
    const message = refusalOf({ REGISTRY_HEADERS });
    expect(message).toMatch(/^REGISTRY_HEADERS must be headers such as/);
    expect(message).not.toContain("tr0ub4dor");
  });

  it("requires REGISTRY_PUBLIC_KEY", () => {
    expect(refusalOf({ REGISTRY_URL: "https://companies.example/published" })).toMatch(
      /^REGISTRY_PUBLIC_KEY is required with REGISTRY_URL/,
    );
  });
});
