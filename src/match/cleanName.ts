import { tidy } from "../lib/values.ts";
import { cleanQuery } from "../search/query.ts";

/** The company is an address of somebody else: the name follows. */
const CARE_OF = /^\s*(?:p\/a|c\/o|per adres)[\s:]+/iu;
/** A line or a part between commas that names a person: `T.a.v. de heer Jansen`. */
const ADDRESSEE =
  /(?:[,;|]\s*|(?<=\s)-\s+|(?<=^|\s))(?:t\.?\s?a\.?\s?v\.?|ter attentie van|p\/a|c\/o|attn?\.?:?)(?=[\s:.])[^,;|\n]*/giu;
/** A department at the end: `Afd. Inkoop`, `- Accounts Payable`. Input: at most 700 letters. */
const DEPARTMENT =
  /(?<![\s,;|(-])[\s,;|(-]+(?:(?:de|het|uw)\s)?(?:(?:afd\.|afdeling|dept\.)\s[^,;|\n]*(?:\n[\s)]*)?|(?:(?:\p{L}+\s)?(?:department|dept)|accounts\s(?:payable|receivable)|(?:crediteuren|debiteuren|salaris|financi[eë]le\s)administratie|personeelszaken|boekhouding)[\s)]*)$/giu;
/** A KVK number, phone number or e-mail address behind a name. */
const CONTACT =
  /\(?(?<!\p{L})(?:kvk|k\.v\.k\.|tel\.?|e-?mail)[\s:.]+[^\s,;)]+\)?|(?:(?<!\S)\S[^\s@]*@\S[^\s.]*|(?<=[,;)])[^\s@,;)]+@[^\s,;)][^\s.,;)]*)\.\S+/giu;

/**
 * Removes what lists of addresses add to a name: HTML entities, a person or department to address, contact data. Keeps
 * the text if nothing else would be left.
 */
export function cleanName(text: string): string {
  const decoded = cleanQuery(text);
  const rest = tidy(
    decoded.replace(CARE_OF, "").replace(ADDRESSEE, " ").replace(CONTACT, " ").replace(DEPARTMENT, ""),
  )?.replace(/^[\s,;|-]+|(?<![\s,;|-])[\s,;|-]+$/g, "");
  // A number alone is the customer's: the name is in what was removed.
  const isName = rest !== undefined && (/\p{L}/u.test(rest) || (rest !== "" && !/\p{L}/u.test(decoded)));
  return isName ? rest : (tidy(decoded) ?? "");
}
