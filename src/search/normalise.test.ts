import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { normalise } from "./normalise.ts";

const same = (...texts: readonly string[]) => {
  const [first = "", ...others] = texts.map(normalise);
  for (const other of others) expect(other).toBe(first);
  return first;
};

describe("normalise", () => {
  it("is idempotent and returns only letters, digits and single spaces", () => {
    const tricky = fc.string({
      unit: fc.constantFrom(
        ..."abvnosrlufy.'’& +ijÿĳÅéßøσςΣİ-\u0308\u0000",
        "b.v.",
        "S.à r.l.",
        " & ",
        " and ",
        "C++",
        "c#",
        "d'Oude",
      ),
    });
    fc.assert(
      fc.property(fc.oneof(fc.string({ unit: "binary" }), tricky), (text) => {
        const normal = normalise(text);
        expect(normalise(normal)).toBe(normal);
        expect(normal).toMatch(/^(?:[\p{L}\p{N}]+(?: [\p{L}\p{N}]+)*)?$/u);
      }),
      { numRuns: 300 },
    );
  });

  it("ignores case", () => {
    expect(same("Bakkerij JANSEN", "bakkerij jansen")).toBe("bakkerij jansen");
  });

  it("removes accents, also of letters that Unicode does not decompose", () => {
    expect(same("Coöperatie Hobré", "COOPERATIE HOBRE", "Coo\u0308peratie Hobre\u0301")).toBe(
      "cooperatie hobre",
    );
    expect(normalise("Søren Łódź Straße Ærø Œuvre")).toBe("soren lodz strasse aero oeuvre");
  });

  it("unifies all spellings of a Dutch legal form", () => {
    expect(same("Jansen B.V.", "jansen bv", "Jansen BV.", "JANSEN B.V", "Jansen b v", "Jansen B. V.")).toBe(
      "jansen bv",
    );
    expect(same("N.V. Jansen", "nv jansen", "n v jansen")).toBe("nv jansen");
    expect(same("V.O.F. De Kat", "vof de kat", "v o f de kat")).toBe("vof de kat");
    expect(same("Coöperatief U.A.", "cooperatief ua", "cooperatief u a")).toBe("cooperatief ua");
    expect(same("S.à r.l.", "sarl", "S.A.R.L.")).toBe("sarl");
  });

  it("joins abbreviations with dots but keeps other single letters and numbers separate", () => {
    expect(same("A.S.R. Verzekeringen", "ASR verzekeringen")).toBe("asr verzekeringen");
    expect(normalise("J.P. Coen")).toBe("jp coen");
    expect(normalise("team b k")).toBe("team b k");
    expect(normalise("Zorg 2.0")).toBe("zorg 2 0");
  });

  it("unifies &, +, and and en between words, but no other plus", () => {
    expect(same("Smit & Zn", "smit en zn", "SMIT + ZN", "Smit&Zn", "Smit+Zn", "Smit AND Zn")).toBe(
      "smit en zn",
    );
    expect(normalise("smit &")).toBe("smit");
    expect([normalise("and so"), normalise("so and"), normalise("sand andes so")]).toEqual([
      "and so",
      "so and",
      "sand andes so",
    ]);
  });

  it("converts a sign at the end of a word to a word", () => {
    expect(same("C++ Canal+", "c plus plus canal plus", "c++, canal+")).toBe("c plus plus canal plus");
    expect(same("C# Academy", "c sharp academy")).toBe("c sharp academij");
    expect(normalise("# 1 + c #5")).toBe("1 en c 5");
  });

  it("separates an elided article", () => {
    expect(same("d'Oude", "D’oude", "d oude")).toBe("d oude");
    expect(same("'tHoekje", "'t Hoekje", "T'Hoekje")).toBe("t hoekje");
    expect(normalise("dell'Arte L'Oréal qu'il")).toBe("dell arte l oreal qu il");
    expect(normalise("O'Neil 'Tuin' d's foto's")).toBe("oneil tuin ds fotos");
  });

  it("removes straight and curly apostrophes", () => {
    expect(same("'t Hoekje", "’t Hoekje", "‘t hoekje", "´t Hoekje", "t hoekje")).toBe("t hoekje");
    expect(same("Xiao's", "xiaos", "Xiao’s")).toBe("xiaos");
  });

  it("unifies ij, ĳ, ÿ and y", () => {
    expect(same("Meijer", "Meĳer", "Meÿer", "MEŸER", "Meyer", "MEIJER")).toBe("meijer");
  });

  it("replaces other punctuation and control characters by spaces", () => {
    expect(normalise(" Booking.com/Zuid-Nederland (NL)\u0000\t24/7 ")).toBe(
      "booking com zuid nederland nl 24 7",
    );
    expect(normalise("†!?…")).toBe("");
  });
});
