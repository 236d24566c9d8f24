import fc from "fast-check";
import { expect, it } from "vitest";
import { dictionaryOf } from "../../../test/kit/dictionary.ts";

const WORDS =
  "Stichting,van,B.V.,BV,b,v,s a,Jansen,jansen,ij,IJ,y,en,EN,&,Café,™,日本,☃,\u{1f600},\uffee,-,.,ﬁ,ß,771,1e,x";

it("stores each word of a dictionary once, sorted by its bytes", () => {
  const text = fc.oneof(fc.constantFrom(...WORDS.split(",")), fc.string({ unit: "grapheme", minLength: 1 }));
  const long = fc.tuple(fc.constantFrom("", "voorzet", "voorzetting"), text).map((parts) => parts.join(""));
  fc.assert(
    fc.property(fc.array(long, { maxLength: 400 }), (words) => {
      const dictionary = dictionaryOf(words);
      const expected = [...new Set(words)].map((word) => Buffer.from(word)).sort(Buffer.compare);
      expect(Array.from({ length: dictionary.count }, (_, number) => dictionary.word(number))).toEqual(
        expected.map(String),
      );
    }),
    { numRuns: 100 },
  );
});
