import { parsePostalCode } from "../company/address.ts";
import { parseKvkNumberText } from "../contract/kvkNumberText.ts";
import { MATCH_BOUNDS } from "../contract/matchResources.ts";
import { lostZeroHint, parseKvkNumber } from "../contract/numbers.ts";
import { quoted } from "../contract/quoting.ts";
import { present, tidy } from "../lib/values.ts";
import type { MatchQuery } from "./types.ts";

/** A query as a caller or a file gives it: any text, possibly empty. */
export type SentQuery = { readonly [Field in keyof MatchQuery]?: string | undefined };

export interface InvalidQuery {
  readonly code: "INVALID_REQUEST" | "INVALID_KVK_NUMBER" | "INVALID_VAT_NUMBER";
  readonly message: string;
}

const RSIN = /^[0-9]{9}$/;
const DUTCH_VAT_NUMBER = /^NL[0-9]{9}B[0-9]{2}$/;

/** Reads a query: tidies its texts and checks its numbers. A name that is a KVK number in any notation counts as that number. Messages repeat no VAT number, which may contain a citizen's number. */
export function readQuery(sent: SentQuery): MatchQuery | InvalidQuery {
  for (const [field, text = ""] of Object.entries(sent)) {
    const maxLength = field === "name" ? MATCH_BOUNDS.nameLength : MATCH_BOUNDS.fieldLength;
    if (text.length > maxLength) return invalid(`${field} must have at most ${maxLength} characters`);
  }
  const text = (field: keyof MatchQuery) => tidy(sent[field] ?? "");
  // A line break separates a name from a department or a person.
  const name = tidy((sent.name ?? "").replace(/(?<!\s)\s*\n\s*/g, ", "));
  const written = parseKvkNumberText(name ?? "");
  const isNumber = written.kind === "number" && text("kvkNumber") === undefined;
  const kvkText = isNumber ? written.number : text("kvkNumber");
  const kvkNumber = kvkText === undefined ? undefined : parseKvkNumber(kvkText);
  if (kvkText !== undefined && kvkNumber === undefined) {
    const message = `kvkNumber must be exactly 8 digits; received ${quoted(kvkText)}${lostZeroHint(kvkText)}`;
    return { code: "INVALID_KVK_NUMBER", message };
  }
  const rsin = text("rsin")?.replace(/[\s.]/g, "");
  if (rsin !== undefined && !RSIN.test(rsin)) return invalid("rsin must be exactly 9 digits");
  const vatNumber = text("vatNumber")
    ?.replace(/[\s.-]/g, "")
    .toUpperCase();
  if (vatNumber !== undefined && !DUTCH_VAT_NUMBER.test(vatNumber)) {
    const message = "vatNumber must be a Dutch one: NL, nine digits, B and two digits";
    return { code: "INVALID_VAT_NUMBER", message };
  }
  const query = present<MatchQuery>({
    name: isNumber ? undefined : name,
    city: text("city"),
    postalCode: text("postalCode"),
    street: text("street"),
    houseNumber: text("houseNumber"),
    kvkNumber,
    rsin,
    vatNumber,
    website: text("website"),
  });
  const hasAddress = query.houseNumber !== undefined && parsePostalCode(query.postalCode ?? "") !== undefined;
  if ((query.name ?? kvkNumber ?? rsin ?? vatNumber) === undefined && !hasAddress) {
    return invalid(
      "a query needs a name, a kvkNumber, an rsin, a vatNumber, or a postalCode with a houseNumber",
    );
  }
  return query;
}

function invalid(message: string): InvalidQuery {
  return { code: "INVALID_REQUEST", message };
}
