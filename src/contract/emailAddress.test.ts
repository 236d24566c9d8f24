import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { comparedAddress, emailAddress, mailboxOf } from "./emailAddress.ts";

const LABEL_63 = "a".repeat(63);

describe("an address", () => {
  it.each([
    ["v@example.com", "v@example.com"],
    ["  V.Van+Veen@EXAMPLE.Com\n", "v.van+veen@example.com"],
    ["!#$%&'*+-/=?^_`{|}~@example.com", "!#$%&'*+-/=?^_`{|}~@example.com"],
    ["-@x1.example", "-@x1.example"],
    [`${"l".repeat(64)}@${LABEL_63}.example`, `${"l".repeat(64)}@${LABEL_63}.example`],
    ["v@1.2.3.example", "v@1.2.3.example"],
    ["v@a--b.example", "v@a--b.example"],
    ["v@bücher.example", "v@xn--bcher-kva.example"],
    ["v@BÜCHER.example", "v@xn--bcher-kva.example"],
    ["v@XN--BCHER-KVA.example", "v@xn--bcher-kva.example"],
  ])("is accepted if it needs no quotes, in one form: %s", (text, address) => {
    expect(emailAddress(text)).toBe(address);
    expect(emailAddress(address)).toBe(address);
  });

  it.each([
    "",
    "v",
    "@example.com",
    "v@",
    "v@@example.com",
    "v@example.com@example.net",
    '"v"@example.com',
    '"v v"@example.com',
    ".v@example.com",
    "v.@example.com",
    "v..v@example.com",
    "v v@example.com",
    "v(x)@example.com",
    "v\\@example.com",
    "vé@example.com",
    "\u212a@example.com",
    "v\u0000@example.com",
    "v@-example.com",
    "v@example-.com",
    "v@example..com",
    "v@.example.com",
    "v@exam_ple.com",
    "v@example.com:25",
    "v@ex%61mple.com",
    "v@[192.0.2.1]",
    "v@[IPv6:::1]",
    "v@192.0.2.1",
    "v@0x7f.1",
    "v@example.1",
    "v@localhost",
    "v@xn--example-.com",
    `v@${"a".repeat(64)}.example`,
    `${"l".repeat(65)}@example.com`,
    `v@${`${LABEL_63}.`.repeat(4)}nl`,
  ])("is refused if it is not a public mailbox without quotes: %j", (text) => {
    expect(emailAddress(text)).toBeUndefined();
  });

  it("may be a local one for a sender", () => {
    expect(mailboxOf("Opzoek@localhost")).toEqual({ localPart: "Opzoek", domain: "localhost" });
    expect(mailboxOf("opzoek@local host")).toBeUndefined();
  });

  it("that is not accepted is compared as it was stored before", () => {
    expect(comparedAddress(" V@Example.com> ")).toBe("v@example.com>");
    expect(comparedAddress(" V@Example.com ")).toBe("v@example.com");
  });

  it("has a single form, however it was written", () => {
    const unit = fc.constantFrom(...'aK.@<>"(),;:\\[]%- \u212a\uff45\u3002\ufe0f\u00df\u0000');
    const anyPart = fc.string({ unit, maxLength: 6 });
    fc.assert(
      fc.property(anyPart, anyPart, (localPart, domain) => {
        const taken = emailAddress(`${localPart}@${domain}.example`);
        if (taken === undefined) return;
        expect(taken).toMatch(/^[!-~]+$/);
        expect(taken).not.toMatch(/[<>()[\]\\,;:"\s]/);
        expect(emailAddress(taken)).toBe(taken);
      }),
      { numRuns: 200 },
    );
  });
});
