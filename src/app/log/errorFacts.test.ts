import { expect, it } from "vitest";
import { makeKey } from "../../contract/keyForm.ts";
import { errorFacts } from "./errorFacts.ts";

const KEY = makeKey("live", (count) => new Uint8Array(count).fill(7));

it("logs what happened, where, and its cause", () => {
  const cause = Object.assign(new TypeError("no such file"), { code: "ENOENT" });
  const facts = errorFacts(new Error("the registry cannot be read", { cause }));
  expect(facts).toMatchObject({
    type: "Error",
    message: "the registry cannot be read",
    cause: { type: "TypeError", code: "ENOENT", message: "no such file" },
  });
  expect(facts.stack).toMatch(/^Error: the registry cannot be read\n\s+at .*errorFacts\.test\.ts:\d+/);
});

it.each([
  ["a key", `refused ${KEY}`, KEY.slice(12)],
  ["the token in a link", `bad #${"aB3-_".repeat(9)}`, "aB3-_aB3"],
  ["the password of an address", "connect postgres://me:tr0ub4dor@db.example/opzoek", "tr0ub4dor"],
  ["an email address", 'Key (email)=("jan@fabel.example") exists', "jan"],
  ["a VAT number that contains a citizen number", "asked for NL123456789B01", "123456789"],
])("hides %s, in the message and in the stack", (_what, message, secret) => {
  expect(JSON.stringify(errorFacts(new Error(message)))).not.toContain(secret);
});

it("omits other properties of an error, and unparsable text", () => {
  const carrying = Object.assign(new Error("failed"), { request: { headers: { authorization: KEY } } });
  expect(JSON.stringify(errorFacts(carrying))).not.toContain("authorization");
  let parsing: unknown;
  try {
    JSON.parse("zoekterm");
  } catch (error) {
    parsing = error;
  }
  expect(JSON.stringify(errorFacts(parsing))).not.toContain("zoekterm");
});

it("ends for a circular cause, an endless text and values that are not errors", () => {
  const around = new Error("x".repeat(100_000));
  around.cause = around;
  expect(JSON.stringify(errorFacts(around)).length).toBeLessThan(50_000);
  expect(errorFacts(undefined)).toEqual({ type: "undefined", message: "undefined" });
  expect(errorFacts(`sent ${KEY}`)).toEqual({ type: "string", message: "sent [hidden]" });
});
