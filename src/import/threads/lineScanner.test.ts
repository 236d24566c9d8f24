import fc from "fast-check";
import { expect, it } from "vitest";
import { arbitraryFacts } from "../../../test/kit/arbitraryFacts.ts";
import { generateCompanies } from "../../demo/generateCompanies.ts";
import { tidy } from "../../lib/values.ts";
import { FactsPacker } from "../../snapshot/incoming/factsPacker.ts";
import { FactsSpans } from "../../snapshot/incoming/factsSpans.ts";
import { jsonlOutcome } from "../formats/jsonl.ts";
import { formatFacts } from "../jsonl.ts";
import { LineScanner } from "./lineScanner.ts";

const CONTEXT = { origin: "import:proef", asOf: "2026-03-01T00:00:00.000Z" };
const spans = new FactsSpans();
const scanner = new LineScanner(spans, CONTEXT);
const scanned = new FactsPacker(true);
const parsed = new FactsPacker(true);

/** Whether a line is read by its bytes; then it must be read as it is by its text. */
function isScanned(line: string): boolean {
  const bytes = Buffer.from(`>${line}<`);
  if (!scanner.scan(bytes, 1, bytes.length - 1)) return false;
  const outcome = jsonlOutcome({ line: 1, bytes: bytes.subarray(1, -1) }, CONTEXT);
  if (outcome.kind !== "facts") throw new Error(`read by its bytes, though not by its text: ${line}`);
  scanned.addSpans(spans);
  parsed.add(outcome.sourced);
  expect(scanned.packed(), line).toEqual(parsed.packed());
  return true;
}

const generated = [...generateCompanies({ companies: 150, seed: 11 })].map(formatFacts);

it("lines as they are exported are read by their bytes, to what their text says", () => {
  const isPlain = (line: string) => !/[\\\u00a0]/.test(line);
  const plain = generated.filter(isPlain);
  expect(plain.length).toBeGreaterThan(100);
  expect(plain.filter((line) => !isScanned(line))).toEqual([]);
  fc.assert(
    fc.property(arbitraryFacts, (facts) => {
      isScanned(formatFacts({ origin: "gleif", asOf: CONTEXT.asOf, facts }));
    }),
  );
});

it("a text that is to be tidied is read by its text, whatever character it is for", () => {
  const isWholeCharacter = (code: number) => code < 0xd800 || code >= 0xe000;
  const untidy = [...Array(0x10000).keys()].filter(isWholeCharacter).flatMap((code) => {
    const character = String.fromCharCode(code);
    return [`${character}b`, `a${character}b`, `a${character}`].filter((name) => {
      const line = Buffer.from(`{"kvkNumber":"50000012","name":${JSON.stringify(name)},"isActive":true}`);
      return scanner.scan(line, 0, line.length) && tidy(name) !== name;
    });
  });
  expect(untidy).toEqual([]);
});

/** What may stand where something else stood. */
const VALUES = [
  ...[
    "",
    "x",
    "é",
    "Ĳ",
    "\u2028",
    "\ufeff",
    " ",
    "a  b",
    " a",
    "a ",
    "a\u00a0b",
    "\u3000a",
    "a\u0085",
    "a\u007fb",
    "\u{1f600}",
    'a"b',
    "a\\b",
    "NL",
    "nl",
    "UK",
    "ZZ",
    "1012 AB",
    "1012AB",
    "0012 aa",
    "2024-02-30",
  ],
  ...[
    "2024-02-29",
    "9999-12-31",
    "1900-01-01",
    "2099-01-01",
    "2023-02-29",
    "0999-01-01",
    "99999999",
    "9999999",
    "BV",
    "bv",
    "VVE",
    "Postbus",
    "demo",
    "gleif",
    "import:Ü",
  ],
  ...[
    "import:a.b",
    "2026-01-01",
    "2026-01-01T00:00:00Z",
    "2026-01-01T00:00:00",
    "NL123456782B01",
    "NL1",
    "N1123",
    "000000000012",
  ],
  ...[
    null,
    true,
    false,
    0,
    12,
    1.5,
    1e21,
    [],
    {},
    ["a"],
    ["a", ""],
    [null],
    ["é", "b"],
    { total: 1 },
    { fullTime: 2, partTime: 0 },
  ],
  ...[
    { partTime: 1, total: 2 },
    { street: "Postbus", city: "X" },
    { street: "Antwoordnummer", city: "X" },
    { city: "X", isShielded: true },
    { city: "X 12", isShielded: true },
    { country: "DE" },
    { city: "" },
  ],
  { postalCode: "1012 AB" },
].map((value) => JSON.stringify(value));
const RAW = [
  "-0",
  "00",
  "1.0",
  "1e3",
  "0123",
  '"\\u00e9"',
  '{"city":"X","city":"Y"}',
  '[ "a"]',
  '["a",]',
  "9007199254740993",
  "tru",
  '"',
];
const KEYS = Object.keys(JSON.parse(generated[0] ?? "{}"));

it("a line that is anything else is read by its bytes to what its text says, or not at all", () => {
  const place = fc.nat({ max: 10_000 });
  const change = fc.oneof(
    fc.record({ how: fc.constant("value" as const), place, text: fc.constantFrom(...VALUES, ...RAW) }),
    fc.record({
      how: fc.constant("key" as const),
      place,
      text: fc.constantFrom(...KEYS, "vat", "kvk", "isShielded"),
    }),
    fc.record({ how: fc.constant("bytes" as const), place, text: fc.string({ maxLength: 2 }) }),
    fc.record({ how: fc.constant("move" as const), place, text: fc.constant("") }),
  );
  let read = 0;
  const lines = fc.tuple(fc.constantFrom(...generated), fc.array(change, { minLength: 1, maxLength: 3 }));
  fc.assert(
    fc.property(lines, ([line, changes]) => {
      if (isScanned(changes.reduce(changed, line))) read++;
    }),
    { numRuns: 3_000 },
  );
  expect(read).toBeGreaterThan(100);
});

function changed(
  line: string,
  { how, place, text }: { how: "value" | "key" | "bytes" | "move"; place: number; text: string },
): string {
  const replaced = (form: RegExp, by: (found: string) => string) => {
    const found = [...line.matchAll(form)];
    const one = found[place % Math.max(1, found.length)];
    if (one === undefined) return line;
    return line.slice(0, one.index) + by(one[0]) + line.slice(one.index + one[0].length);
  };
  switch (how) {
    case "value":
      return replaced(/(?<=":)(?:"[^"]*"|[a-z0-9]+|\[[^\][{]*\]|\{[^{}[\]]*\})/g, () => text);
    case "key":
      return replaced(/(?<=[{,]")\w+(?=":)/g, () => text);
    case "bytes": {
      const at = place % line.length;
      return line.slice(0, at) + text + line.slice(at + (place % 3));
    }
    case "move":
      // The field goes behind all others.
      return replaced(/"\w+":(?:"[^"]*"|[a-z0-9]+),/g, () => "").replace(/\}$/, (end) => {
        const field = [...line.matchAll(/"\w+":(?:"[^"]*"|[a-z0-9]+),/g)];
        const one = field[place % Math.max(1, field.length)]?.[0] ?? "";
        return one === "" ? end : `,${one.slice(0, -1)}}`;
      });
  }
}
