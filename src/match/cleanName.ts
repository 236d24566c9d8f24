import { tidy } from "../lib/values.ts";
import { cleanQuery } from "../search/query.ts";

/** A line or a part between commas that names a person or a department: `T.a.v. de heer Jansen`, `Afd. Inkoop`. */
const ADDRESSEE =
  /(?:^|[,;|/\n]|\s-\s|\s)\s*(?:t\.?\s?a\.?\s?v\.?|ter attentie van|p\/a|c\/o|attn?\.?:?|afd\.|afdeling|dept\.|department)(?=[\s:.])[^,;|\n]*/giu;
/** A KVK number, phone number or e-mail address behind a name. */
const CONTACT = /\s*\(?(?<!\p{L})(?:kvk|k\.v\.k\.|tel\.?|e-?mail)[\s:.]+[^\s,;)]+\)?|\s*\S+@\S+\.\S+/giu;

/**
 * Removes what lists of addresses add to a name: HTML entities, a person or department to address, contact data. Keeps the text if nothing else
 * would be left.
 */
export function cleanName(text: string): string {
  const decoded = cleanQuery(text);
  const rest = tidy(decoded.replace(ADDRESSEE, " ").replace(CONTACT, " "))?.replace(
    /^[\s,;|-]+|[\s,;|-]+$/g,
    "",
  );
  return rest === undefined || !/\p{L}|\p{N}/u.test(rest) ? (tidy(decoded) ?? "") : rest;
}
