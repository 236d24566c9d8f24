import fc from "fast-check";
import { expect, it } from "vitest";
import { isListedOrigin, isPageOrigin, originRule } from "./origins.ts";

const label = fc
  .stringMatching(/^[a-z]([a-z0-9-]{0,10}[a-z0-9])?$/)
  .filter((text) => !text.startsWith("xn--"));
const name = fc.array(label, { minLength: 2, maxLength: 4 }).map((labels) => labels.join("."));

it.each([
  ["https://shop.example", "https://shop.example"],
  [" HTTPS://Shop.Example/ ", "https://shop.example"],
  ["https://shop.example:443", "https://shop.example"],
  ["https://shop.example:8443", "https://shop.example:8443"],
  ["http://localhost:3000", "http://localhost:3000"],
  ["http://192.0.2.7:80", "http://192.0.2.7"],
  ["http://[2001:DB8::1]:8080", "http://[2001:db8::1]:8080"],
  ["https://bücher.example", "https://xn--bcher-kva.example"],
  ["*.shop.example", "https://*.shop.example"],
  ["https://*.Shop.example:8443", "https://*.shop.example:8443"],
  ["http://*.shop.example", "http://*.shop.example"],
])("normalises %j to %j", (text, rule) => {
  expect(originRule(text)).toBe(rule);
  expect(originRule(rule)).toBe(rule);
});

it.each([
  ...["", "null", "*", "https://*", "shop.example", "https://", "ftp://shop.example", "file:///x"],
  ...[
    "https://shop.example/path",
    "https://shop.example?x",
    "https://shop.example#x",
    "https://a@shop.example",
  ],
  ...["https://shop.example.", "https://*.shop.example.", "https://shop..example", "https://*.example"],
  ...[
    "https://sh*p.example",
    "https://*.*.example",
    "https://shop.*",
    "https://*shop.example",
    "*.192.0.2.7",
  ],
  ...["https://shop.example,https://evil.example", "https://shop.example https://evil.example"],
  ...["https://shop.example:99999", "https://*.[2001:db8::1]", `https://${"a".repeat(64)}.example`],
  ...[`https://${"abc.".repeat(70)}example`, "https:\\\\shop.example", "javascript://shop.example"],
])("rejects %j", (text) => {
  expect(originRule(text)).toBeUndefined();
});

it("matches an origin exactly: another scheme, port, name, case or ending differs", () => {
  fc.assert(
    fc.property(name, fc.integer({ min: 1, max: 65_535 }), (host, port) => {
      const rule = originRule(`https://${host}`) ?? "";
      expect(isListedOrigin(`https://${host}`, rule)).toBe(true);
      const others = [
        `http://${host}`,
        `https://${host}.`,
        `https://${host}/`,
        `https://${host.toUpperCase()}`,
      ];
      others.push(
        `https://${host}:${port}`,
        `https://x.${host}`,
        `https://x${host}`,
        `https://${host}.evil.example`,
      );
      others.push(
        `https://${host}@evil.example`,
        `https://${host}%00.evil.example`,
        `https://${host}, https://evil.example`,
      );
      for (const other of others) expect(isListedOrigin(other, rule), other).toBe(false);
    }),
  );
});

it("matches one or more labels below a wildcard's name, and nothing that merely ends or begins with it", () => {
  fc.assert(
    fc.property(name, name, label, (base, below, word) => {
      const rule = originRule(`*.${base}`) ?? "";
      for (const host of [`${word}.${base}`, `${below}.${base}`]) {
        expect(isListedOrigin(`https://${host}`, rule), host).toBe(true);
      }
      const hostile = [
        base,
        `${word}${base}`,
        `.${base}`,
        `${word}..${base}`,
        `evil.example#.${base}`,
        `evil.example/.${base}`,
      ];
      hostile.push(
        `evil.example:443/.${base}`,
        `a@evil.example?.${base}`,
        `*.${base}`,
        `${word}.${base}.`,
        `${word}.${base}:8443`,
      );
      hostile.push(
        `${word}.${base}.evil.example`,
        `${word}\\.${base}`,
        `${word} .${base}`,
        `${word.toUpperCase()}.${base}`,
      );
      for (const host of hostile) expect(isListedOrigin(`https://${host}`, rule), host).toBe(false);
      expect(isListedOrigin(`http://${word}.${base}`, rule)).toBe(false);
    }),
  );
});

it("matches no other text, no missing origin and not `null`", () => {
  const rules = "https://shop.example,https://*.shop.example,http://localhost:3000";
  for (const none of [undefined, "", "null", "*", "https://*.shop.example", "https://"]) {
    expect(isListedOrigin(none, rules), String(none)).toBe(false);
  }
  expect(isListedOrigin("", "")).toBe(false);
  fc.assert(
    fc.property(fc.string({ unit: "binary" }), (text) => {
      for (const origin of [text, `https://${text}.evil.example`, `${text}://shop.example.evil`]) {
        if (isPageOrigin(origin) && /^https:\/\/([^/]+\.)?shop\.example$/.test(origin)) continue;
        if (origin === "http://localhost:3000") continue;
        expect(isListedOrigin(origin, rules)).toBe(false);
      }
    }),
  );
  expect(isListedOrigin("http://localhost:3000", rules)).toBe(true);
});

it("recognises the origin of a page as a browser sends it", () => {
  for (const good of ["https://shop.example", "http://localhost:3000"]) expect(isPageOrigin(good)).toBe(true);
  const bad = [
    "https://Shop.example",
    "https://shop.example/",
    "https://*.shop.example",
    "null",
    "https://shop.example:443",
  ];
  for (const text of bad) expect(isPageOrigin(text), text).toBe(false);
});
