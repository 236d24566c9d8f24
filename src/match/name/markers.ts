/**
 * Signs and words of lists that show which part of a text is a name. Each expression reads at most 700 letters without
 * double spaces.
 */

/** Another name of the company follows. */
const ANOTHER_NAME =
  /h\.? ?\/ ?o\.?|h\.o\.|(?:t\.?)?h\.?o\.?d\.?n\.?|(?:tevens )?handelende? (?:onder(?: de na(?:am|men))?|o\.?d\.?n\.?)|handelsnaam|t\/a|v ?\/ ?h\.?|v\.h\.|voorheen(?: genaamd)?|vroeger|eertijds|f[./]?k[./]?a\.?|a[./]k[./]a\.?|d[./]b[./]a\.?|formerly(?: known as)?|trading as|ook bekend als|oude naam|(?:is )?thans|is nu|nu genaamd|overgenomen door|opgegaan in|(?<=[,;(] ?)(?:nu|ex)|nu(?=:)|zie(?: ook)?/iu;
/** A subject or a reference follows; words that names have too need a number: `factuur 2026-0113`. */
const MATTER =
  /inz\.?|inzake|o\.?v\.?v\.?|onder vermelding van|betr\.?|betreft|betreffende|i\.?v\.?m\.?|m\.?b\.?t\.?|re(?=:)|(?:ons|uw) kenmerk|(?:(?:onze|uw) ref|kenmerk|kenm|ref|referentie|reference|factuur|fact|invoice|inv|po|nota|order|bestelling|opdracht|dossier|polis|contract|project|zaak|klant|deb|debiteur|cred|crediteur|relatie|account|code|[\p{L}.]{0,20}(?:nummer|nr)|id)(?=[.:# ]{1,3}[\p{L}-]{0,6}[0-9])/iu;
/** A branch follows: a place or a number. */
const BRANCH =
  /(?:filiaal|fil|(?:neven)?vestiging|vest|locatie|loc|bijkantoor|branch)(?=[.: ])|(?:winkel|kantoor|regio|store|shop|depot|unit|pand)(?=[.:# ]{1,3}[0-9])/iu;
/** Signs that separate a name from other things. */
export const SEPARATOR = / [-=]{1,2}>? | [–—] |(?: ?\/ | \/)| ?[|;] ?|, ?|: /;
/** Its group is absent between stars. */
export const BRACKETED = /[([]([^()[\]]*)[)\]]|\*{1,5}[^*]+\*{1,5}/g;
const bounded = (pattern: string) => `(?<![\\p{L}\\p{N}])(?:${pattern})(?![\\p{L}\\p{N}/])[.:]*`;
export const ALIAS = new RegExp(bounded(ANOTHER_NAME.source), "iu");
export const MARKED = new RegExp(bounded(`${MATTER.source}|(?<branch>${BRANCH.source})`), "iu");

/** A remark of the bookkeeping, or a department, that stands before or after a name. */
const REMARK =
  "oud|old|z{3,}|x{3,}|vervallen|dubbele?|duplicaat|duplicate|double|geblokkeerd|geblokt|blocked|on hold|failliet|faillissement|bankrupt|surseance|in (?:staat van )?faillissement|niet (?:meer )?(?:gebruiken|leveren|actief)|do not use|inactief|inactive|gestopt|gestaakt|opgeheven|beëindigd|beeindigd|gesloten|closed|verwijderd|uitgeschreven|overleden|archief|incasso|let op|test";
const DEPARTMENT =
  "(?:(?:de|het|uw|onze) )?(?:(?:afdeling|afd\\.?|dept\\.?) )?(?:\\p{L}*(?:administratie|boekhouding|zaken|afdeling|verwerking)|\\p{L}*crediteuren|\\p{L}*debiteuren|inkoop|verkoop|facturatie|facturen|financiën|financiële administratie|finance|team \\p{L}+|directie|secretariaat|receptie|magazijn|planning|logistiek|hrm?|p&o|ict|klantenservice|(?:accounts|invoice|purchase|human|customer) \\p{L}+)(?: department| dept\\.?)?";
/** A number of the bookkeeping: `10432`, `#23`, `D-10432`, `2026/0113`. */
const CODE = "#?(?:\\p{L}{1,4}[-.:]?)?[0-9]+(?:[./-][0-9]+)*";
/** Numbers that names have too: short ones, years and `24/7`. */
export const NAME_NUMBER =
  /^(?:[1-9][0-9]{0,2}|0|100[01]|(?:19|20)[0-9]{2}|[1-9][0-9]?(?:[/-][1-9][0-9]?){1,2})$/;
const SIGN = "(?<sign> ?[-–/|:;,!.]{1,3} | )";
const END = `(?<code>${CODE})|(?<remark>(?i:${REMARK}|${DEPARTMENT}))|(?<loud>\\p{Lu}{4,}(?: \\p{Lu}{4,})?)`;
export const END_BEFORE = new RegExp(
  `^(?:(?<label>\\p{L}[\\p{L} ]{1,20})(?=: )|${END})${SIGN}(?=[\\p{L}\\p{N}(])`,
  "u",
);
export const END_AFTER = new RegExp(`${SIGN}(?:${END})[!.]?$`, "u");
export const ONLY_NOISE = new RegExp(`^(?:${CODE}|(?i:${REMARK}|${DEPARTMENT}))$`, "u");

const TRAILING_FORM =
  /(?<![\p{L}\p{N}])(?:b\.? ?v|n\.? ?v|v\.? ?o\.? ?f|c\.? ?v|u\.? ?a|ltd|limited|inc|gmbh)(?:\.|(?![\p{L}\p{N}.]))/giu;

/** The offset behind the last legal form that may end a name. */
export function endOfForm(text: string): number | undefined {
  const last = [...text.matchAll(TRAILING_FORM)].at(-1);
  return last === undefined || last.index === 0 ? undefined : last.index + last[0].length;
}

/** A legal form, an article, initials or the small words of a surname, put behind a name for sorting. */
export const SORTED_BEHIND =
  /^(?:[Ss]tichting|STICHTING|[Ss]tg\.?|[Vv]ereniging|VERENIGING|Ver\.|[Vv][Vv][Ee]|[Cc]o[oö]peratie|[Mm]aatschap|(?:\p{Lu}\.? ?){0,5}(?:van|von|de|der|den|ten|ter|te|la|le|el)(?: de| der| den| het| 't)?|(?:\p{Lu}\. ?){1,5}|De|Het|'t|The|DE|HET)$/u;

export const ADDRESSEE_FIRST =
  /^(?:t\.? ?a\.? ?v\.?|ter attentie van|attn?\.?|attention|afd\.?|afdeling|dept\.?|department)(?![\p{L}\p{N}])[:. ]* /iu;
/** The word after it is the last of a person or a department. */
export const TITLE =
  /^(?:afd|afdeling|dept|department|team|dhr|de ?heer|heer|hr|mevr|mw|mevrouw|mr|mrs|ms|drs|ing|ir|dr|fam|familie)\.?$/iu;
/** Words between the mark of an addressee and his name or department. */
export const FILLER =
  /^(?:[Dd]e|het|uw|onze|the|[Vv]an|[Dd]er|den|ten|ter|el|'t|(?:\p{Lu}\p{Ll}?\.)+|\p{Lu})$/u;
export const DEPARTMENT_WORD = new RegExp(`^(?:${DEPARTMENT})$`, "iu");
