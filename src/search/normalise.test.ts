import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { normalise } from "./normalise.ts";

const same = (...texts: readonly string[]) => {
  const [first = "", ...others] = texts.map(normalise);
  for (const other of others) expect(other).toBe(first);
  return first;
};

describe("normalise", () => {
  it("changes nothing when applied again, and leaves letters, digits and single spaces alone", () => {
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

  it("does not mind case", () => {
    expect(same("Bakkerij JANSEN", "bakkerij jansen")).toBe("bakkerij jansen");
  });

  it("does not mind accents, also of letters that Unicode keeps whole", () => {
    expect(same("Coöperatie Hobré", "COOPERATIE HOBRE", "Coo\u0308peratie Hobre\u0301")).toBe(
      "cooperatie hobre",
    );
    expect(normalise("Søren Łódź Straße Ærø Œuvre")).toBe("soren lodz strasse aero oeuvre");
  });

  it("takes every way of writing a Dutch legal form for one", () => {
    expect(same("Jansen B.V.", "jansen bv", "Jansen BV.", "JANSEN B.V", "Jansen b v", "Jansen B. V.")).toBe(
      "jansen bv",
    );
    expect(same("N.V. Jansen", "nv jansen", "n v jansen")).toBe("nv jansen");
    expect(same("V.O.F. De Kat", "vof de kat", "v o f de kat")).toBe("vof de kat");
    expect(same("Coöperatief U.A.", "cooperatief ua", "cooperatief u a")).toBe("cooperatief ua");
    expect(same("S.à r.l.", "sarl", "S.A.R.L.")).toBe("sarl");
  });

  it("reads abbreviations with dots as one word, but leaves other loose letters and numbers apart", () => {
    expect(same("A.S.R. Verzekeringen", "ASR verzekeringen")).toBe("asr verzekeringen");
    expect(normalise("J.P. Coen")).toBe("jp coen");
    expect(normalise("team b k")).toBe("team b k");
    expect(normalise("Zorg 2.0")).toBe("zorg 2 0");
  });

  it("takes &, +, and and en between words for one, and no other plus", () => {
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

  it("reads a sign that ends a word as a word", () => {
    expect(same("C++ Canal+", "c plus plus canal plus", "c++, canal+")).toBe("c plus plus canal plus");
    expect(same("C# Academy", "c sharp academy")).toBe("c sharp academij");
    expect(normalise("# 1 + c #5")).toBe("1 en c 5");
  });

  it("takes a word that an apostrophe glues to the next one for a word of its own", () => {
    expect(same("d'Oude", "D’oude", "d oude")).toBe("d oude");
    expect(same("'tHoekje", "'t Hoekje", "T'Hoekje")).toBe("t hoekje");
    expect(normalise("dell'Arte L'Oréal qu'il")).toBe("dell arte l oreal qu il");
    expect(normalise("O'Neil 'Tuin' d's foto's")).toBe("oneil tuin ds fotos");
  });

  it("drops apostrophes, straight and curly", () => {
    expect(same("'t Hoekje", "’t Hoekje", "‘t hoekje", "´t Hoekje", "t hoekje")).toBe("t hoekje");
    expect(same("Xiao's", "xiaos", "Xiao’s")).toBe("xiaos");
  });

  it("takes ij, ĳ, ÿ and y for one", () => {
    expect(same("Meijer", "Meĳer", "Meÿer", "MEŸER", "Meyer", "MEIJER")).toBe("meijer");
  });

  it("makes spaces of other punctuation and of control characters", () => {
    expect(normalise(" Booking.com/Zuid-Nederland (NL)\u0000\t24/7 ")).toBe(
      "booking com zuid nederland nl 24 7",
    );
    expect(normalise("†!?…")).toBe("");
  });
});
