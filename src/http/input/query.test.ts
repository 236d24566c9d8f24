import { randomBytes } from "node:crypto";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { ApiError } from "../../contract/errors.ts";
import { makeKey } from "../../contract/keyForm.ts";
import { keyInQuery, readRawQuery, uniqueParameters } from "./read.ts";

const anyText = fc.string({ unit: "binary", maxLength: 60 }).filter((text) => text.isWellFormed());

function refusalOf(url: string, known: readonly string[] = ["q", "limit"]): string {
  try {
    uniqueParameters(readRawQuery(url), known);
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    expect(error.code).toBe("INVALID_REQUEST");
    return error.message;
  }
  return "accepted";
}

describe("the query of a URL", () => {
  it("returns every encoded pair in order, with any characters", () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(anyText, anyText), { maxLength: 6 }), (pairs) => {
        const sent = pairs.map(([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(value)}`);
        expect(readRawQuery(`/v1/search?${sent.join("&")}`)).toEqual({ pairs });
      }),
    );
    expect(readRawQuery("/v1/search?q=a+b%2Bc&empty&=x&a=b=c&&").pairs).toEqual([
      ["q", "a b+c"],
      ["empty", ""],
      ["", "x"],
      ["a", "b=c"],
    ]);
    for (const url of ["", "/v1/search", "/v1/search?", "/v1/search?&&"])
      expect(readRawQuery(url)).toEqual({ pairs: [] });
  });

  it("reports undecodable escapes and UTF-8 by the name of the parameter", () => {
    for (const bad of ["%", "%zz", "%e2%28", "%ff", "%c0%80", "%ed%a0%80"]) {
      expect(refusalOf(`/?limit=1&q=${bad}`)).toBe('"q" must be percent-encoded UTF-8; it cannot be decoded');
      expect(refusalOf(`/?${bad}=1`)).toContain("cannot be decoded");
    }
  });

  it("refuses unknown and repeated parameters, and lists the known ones", () => {
    expect(refusalOf("/?qq=1")).toBe('unknown query parameter "qq"; known: q, limit');
    expect(refusalOf("/?x=1", [])).toBe('unknown query parameter "x"; known: none');
    expect(refusalOf("/?__proto__=1")).toContain("unknown query parameter");
    expect(refusalOf("/?q=1&q=1")).toBe("query parameter q must be given once; it was repeated");
    expect(refusalOf("/?apikey=a&apikey=b")).toContain("apikey must be given once");
  });

  it("reads at most 100 parts, and refuses more without reading them", () => {
    expect(refusalOf(`/?${"&".repeat(99)}q=1`)).toBe("accepted");
    for (const part of ["&", "q=1&", "a&", "%zz&", "q&"]) {
      const url = `/?q=1&${part.repeat(120_000)}`;
      expect(readRawQuery(url).pairs.length).toBeLessThanOrEqual(100);
      expect(refusalOf(url)).toMatch(/too many query parameters; send at most 100|cannot be decoded/);
    }
  });

  it("passes the endpoint its own parameters, without the key", () => {
    const query = readRawQuery("/?apikey=secret&q=x");
    expect(Object.entries(uniqueParameters(query, ["q"]))).toEqual([["q", "x"]]);
    expect(keyInQuery(query)).toBe("secret");
    expect(keyInQuery(readRawQuery("/?apikey=a&apikey=b"))).toBeUndefined();
    expect(keyInQuery(readRawQuery("/?q=x"))).toBeUndefined();
  });

  it("fails for any URL only with an error of the contract, which never contains a key", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary", maxLength: 80 }), fc.boolean(), (text, isEncoded) => {
        const key = makeKey("live", randomBytes);
        const sent = `${text}${key}${text}`;
        for (const url of [`/?${sent}`, `/?q=1&${sent}=1`, `/?apikey=${sent}&x=${text}`]) {
          const message = refusalOf(isEncoded ? encodeURI(url.toWellFormed()) : url);
          expect(message).not.toContain(key);
          expect(message).not.toContain(key.slice(9));
        }
      }),
    );
  });
});
