import fc from "fast-check";
import { expect, it } from "vitest";
import { tableOf } from "../../../test/kit/dictionary.ts";
import { sortedTexts } from "./sortedTexts.ts";

const WORDS =
  "Stichting,van,B.V.,BV,b,v,s a,Jansen,jansen,ij,IJ,y,ÿ,Ĳ,iij,en,EN,&,Café,'t,coöperatie,™,日本,☃,\u{1f600},-,.,ﬁ,ß,771,1e,x";

it("texts are sorted by their bytes", () => {
  const text = fc.oneof(fc.constantFrom(...WORDS.split(",")), fc.string({ unit: "grapheme", minLength: 1 }));
  const long = fc.tuple(fc.constantFrom("", "voorzet", "voorzetting"), text).map((parts) => parts.join(""));
  fc.assert(
    fc.property(fc.array(long, { maxLength: 400 }), (texts) => {
      const table = tableOf(texts.map((one) => one.replaceAll("\0", "")));
      const at = (number: number) => table.bytes.subarray(table.starts[number], table.starts[number + 1]);
      const numbers = Array.from({ length: table.count }, (_, number) => number);
      expect([...sortedTexts(table)]).toEqual(numbers.sort((a, b) => Buffer.compare(at(a), at(b))));
    }),
    { numRuns: 100 },
  );
});
