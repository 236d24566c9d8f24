import { describe, expect, it } from "vitest";
import { refusalOf } from "../../../test/kit/refusalOf.ts";
import { readSettings } from "./settings.ts";

describe("CIR_USER", () => {
  const login = { CIR_USER: "user", CIR_PASSWORD: "tr0ub4dor" };

  it("and CIR_PASSWORD require each other", () => {
    expect(refusalOf({ CIR_USER: "user" })).toBe("CIR_PASSWORD is required with CIR_USER");
    expect(refusalOf({ CIR_PASSWORD: "tr0ub4dor" })).toBe("CIR_USER is required with CIR_PASSWORD");
    expect(readSettings(login)).toMatchObject(login);
  });

  it.each([
    ["CIR_URL", "http://rechtspraak.example/cir.asmx", "must begin with https://"],
    ["CIR_URL", "https://user:tr0ub4dor@rechtspraak.example/cir.asmx", "no user"],
    ["CIR_CA", "/no/such/file.pem", "must name a readable file"],
    ["CIR_TIME", "24:00", "must be a time from 00:00 to 23:59"],
    ["CIR_TIME", "4:30", "must be a time from 00:00 to 23:59"],
  ])("comes with a rule for %s: %s is refused", (name, value, rule) => {
    const message = refusalOf({ ...login, [name]: value });
    expect(message).toContain(name);
    expect(message).toContain(rule);
    expect(message).not.toContain("tr0ub4dor");
  });

  it("may be sent to this machine without encryption", () => {
    const CIR_URL = "http://127.0.0.1:8092/cir.asmx";
    expect(readSettings({ ...login, CIR_URL, CIR_TIME: "23:59" })).toMatchObject({
      CIR_URL,
      CIR_TIME: "23:59",
    });
  });
});
