import { expect, it } from "vitest";
import { reachedUrl } from "./ownUrl.ts";

const at = (host: string, protocol = "http") =>
  reachedUrl({ host, protocol } as Parameters<typeof reachedUrl>[0]);

it.each([
  "localhost",
  "127.0.0.1:8080",
  "registry.fabel.example",
  "Registry.Fabel.example:443",
  "fabel_1.internal:65535",
  "xn--bcher-kva.example",
  "[::1]",
  "[2001:db8::1]:8080",
  "[::ffff:192.0.2.1]:80",
])("repeats the valid host %s", (host) => {
  expect(at(host)).toBe(`http://${host}`);
  expect(at(host, "https")).toBe(`https://${host}`);
});

it.each([
  "",
  'fabel.example"',
  "<script>",
  "fabel.example<b>",
  "fabel.example:80:81",
  "fabel.example:65536",
  "fabel.example:",
  "fabel.example:8a",
  "a@fabel.example",
  "fabel.example/path",
  "fabel.example?q",
  "fabel.example\\",
  "fabel.example, other.example",
  "-fabel.example",
  "[::1",
  "[::1]]",
  "[:::]",
  "[1:2]",
  "[127.0.0.1]",
  "::1",
  "{{id}}.example",
  `${"a".repeat(254)}`,
  `${"a.".repeat(100_000)}`,
  "bäcker.example",
])("repeats no malformed host %j", (host) => {
  expect(() => at(host)).toThrow(/Host header must be/);
});

it.each(["javascript", "ftp", "", "HTTPS"])("takes the forwarded protocol %j for http", (protocol) => {
  expect(at("fabel.example", protocol)).toBe("http://fabel.example");
});
