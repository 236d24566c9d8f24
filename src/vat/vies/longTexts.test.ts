import { expect, it } from "vitest";
import { parseVatNumber } from "../numbers/parse.ts";
import { readViesResponse } from "./readResponse.ts";

const AT = "2026-03-01T12:00:00.000Z";
const LONG = "FABEL ".repeat(10_000);

it.each(["name", "address", "requestIdentifier"])(
  "a %s of 60 KB in an answer of VIES is unknown, and the verdict stays",
  (field) => {
    const parsed = parseVatNumber("DE136695976");
    if (!("countryCode" in parsed)) throw new Error("not a VAT number");
    const body = { valid: true, requestDate: AT, name: "FABEL GMBH", [field]: LONG };
    const result = readViesResponse(200, JSON.stringify(body), parsed, AT);
    expect(result).toMatchObject({ kind: "answer", valid: true });
    expect(JSON.stringify(result).length).toBeLessThan(300);
  },
);
