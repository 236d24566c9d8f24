import { parsePostalCode } from "../company/address.ts";
import { isUnknownWord } from "../company/table/row.ts";
import { parseKvkNumberText } from "../contract/kvkNumberText.ts";
import { MATCH_BOUNDS } from "../contract/matchResources.ts";
import { parseKvkNumber } from "../contract/numbers.ts";
import { quoted } from "../contract/quoting.ts";
import { present, tidy } from "../lib/values.ts";
import { isNumberField, readNumbers } from "./queryNumbers.ts";
import type { InvalidQuery, MatchQuery, NotedQuery, SentQuery } from "./types.ts";

export type { InvalidQuery, SentQuery };

/** Texts that are written instead of a name: punctuation, zeros, errors of spreadsheets. */
const NO_NAME = /^(?:[^\p{L}\p{N}]*|0+|#(?:N\/[AB]|NV|[A-Z]{3,6}[!?]|(?:DIV|DEEL)\/0!))$/u;
/**
 * The label of a sum, and a line below the headings. No company's name if they stand alone. Input: at most 700 letters.
 */
export const LABEL =
  /^(?:(?:sub|eind|tussen|grand|algemeen)[\s-]?)?tota(?:al|len|ls?)(?: (?:generaal|debiteuren|crediteuren|openstaand|saldo|bedrag|aantal|(?:ex|in)cl\.?(?: btw)?))? ?[:=.]?$|^\((?:verplicht|optioneel|required|optional|mandatory)\)$/i;

/**
 * Reads a query: tidies its texts and checks its numbers. A name that is a KVK number in any notation counts as that
 * number. A number that cannot be right is left out if there is a name or an address.
 */
export function readQuery(sent: SentQuery): NotedQuery | InvalidQuery {
  for (const [field, text = ""] of Object.entries(sent)) {
    const maxLength = field === "name" ? MATCH_BOUNDS.nameLength : MATCH_BOUNDS.fieldLength;
    if (text.length > maxLength && !isNumberField(field))
      return invalid(`${field} must have at most ${maxLength} characters`);
  }
  const text = (field: keyof MatchQuery) => filled(sent[field]);
  // A line break separates a name from a department or a person.
  const given = tidy((sent.name ?? "").replace(/(?<!\s)\s*\n\s*/g, ", "));
  const written = parseKvkNumberText(given ?? "");
  const isNumber = written.kind === "number" && text("kvkNumber") === undefined;
  const isAlone = Object.entries(sent).every(
    ([field, value]) => field === "name" || filled(value) === undefined,
  );
  const isNoName =
    given === undefined || NO_NAME.test(given) || isUnknownWord(given) || (isAlone && LABEL.test(given));
  const name = isNumber || isNoName ? undefined : given;
  const hasAddress =
    text("houseNumber") !== undefined && parsePostalCode(text("postalCode") ?? "") !== undefined;
  const read = readNumbers(
    isNumber ? { ...sent, kvkNumber: written.number } : sent,
    name !== undefined || hasAddress,
  );
  if ("code" in read) return read;
  const { numbers, notes } = read;
  if (name === undefined && !hasAddress && Object.keys(numbers).length === 0) {
    return invalid(
      given === undefined
        ? "a query needs a name, a kvkNumber, an rsin, a vatNumber, an lei, an euid, or a postalCode with a houseNumber"
        : `name must be the name of a company; received ${quoted(given)}`,
    );
  }
  return present<NotedQuery>({
    name,
    city: text("city"),
    postalCode: text("postalCode"),
    street: text("street"),
    houseNumber: text("houseNumber"),
    kvkNumber: parseKvkNumber(numbers.kvkNumber ?? ""),
    rsin: numbers.rsin,
    vatNumber: numbers.vatNumber,
    lei: numbers.lei,
    euid: numbers.euid,
    website: text("website"),
    notes: notes.length === 0 ? undefined : notes,
  });
}

function filled(value = ""): string | undefined {
  const text = tidy(value);
  return text === undefined || isUnknownWord(text) ? undefined : text;
}

function invalid(message: string): InvalidQuery {
  return { code: "INVALID_REQUEST", message };
}
