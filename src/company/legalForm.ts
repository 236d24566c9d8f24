/** Legal forms as KVK, GLEIF and spreadsheets write them, to the short codes of the contract. */
import { isLegalForm, LEGAL_FORM_CODES, LEGAL_FORMS, type LegalForm } from "../contract/legalForms.ts";

/** A code; `none` for a legal person in formation, which has no form yet; undefined when no rule maps a text. */
export type LegalFormFound = LegalForm | "none" | undefined;

/**
 * Each form with the texts that name it and its ELF codes: GLEIF's codes of the Netherlands, all 21 of list 1.5. The
 * first match wins. A text is matched by its letters only: KVK's API has written "Besloten Vennootschap", "Besloten
 * vennootschap met gewone structuur" and "BeslotenVennootschap" for one form. English is as in KVK's own extracts. Two
 * digits are KVK's codes from before its JSON API. "Openbare vennootschap" has no rule: its law never came into force.
 */
const RULES: readonly (readonly [form: LegalForm | "none", texts: RegExp, ...elfCodes: string[]])[] = [
  ["none", /^(03|12|23|40)$|inoprichting|^(bv|nv|rp|rechtspersoon)?io$/, "EZQW"],
  ["EESV", /^93$|^europeeseconomisch|^europeaneconomicinterest/, "5WU6"],
  ["SCE", /^europesecooperat|^societascooperativaeuropaea/, "Y3ZB"],
  ["SE", /^5[56]$|^europesenaamloze|^europesevennootschap|^societaseuropaea/, "BBEB"],
  ["BUI", /^9[124-7]$|buitenland|^kapitaalvennootschap(binnen|buiten)|^foreign/],
  ["BV", /^4[12]$|^beslotenvennootschap|^privatelimited/, "54M6"],
  ["NV", /^5[1-4]$|^naamlozevennootschap|^publiclimited/, "B5PM"],
  ["EMZ", /^0[12]$|^eenmanszaak|^eenmansbedrijf|^soleproprietor/, "4QXM"],
  ["VOF", /^11$|^vennootschaponderfirma|^generalpartnership/, "62Y3"],
  ["CV", /^2[124]$|^commanditairevennootschap|^limitedpartnership/, "CODH"],
  ["MTS", /^07$|^maatschap(?!p)|^professionalpartnership/, "9AAK"],
  ["STI", /^74$|^stichting|^foundation/, "V44D"],
  ["VVE", /^70$|^verenigingvaneigenaa?r|^ownersassociation|^associationofowners/, "GNXT"],
  ["VER", /^7[12]$|^vereniging|^association/, "33MN", "8VFX"],
  ["COOP", /^6[1-6]$|^cooperati|^coop(ua|wa|ba)?$/, "NFFH"],
  ["OWM", /^8[1-6]$|^onderlingewaarborg|^mutualinsurance/, "DEO1"],
  ["KG", /^73$|^kerkgenootschap|^churchorgani[sz]ation|^religious/, "L7HX"],
  ["PPR", /^88$|^(overige)?publiekrechtelijk|^legalentityunderpubliclaw/, "A0W7"],
  ["OPR", /^89$|^(overige)?privaatrechtelijk/, "M1IZ"],
  ["FGR", /^fondsvoorgemenerekening/, "JHK5"],
  ["REDE", /^05$|^rederij/, "UNJ2"],
];

export const ELF_CODES: Readonly<Record<string, LegalForm | "none">> = Object.fromEntries(
  RULES.flatMap(([form, , ...elfCodes]) => elfCodes.map((code) => [code, form])),
);

/** The form that a text names: a short code (`B.V.`), one of KVK's two-digit codes, or a description. */
export function parseLegalForm(text: string): LegalFormFound {
  const code = text.trim().replace(/[.\s]/g, "").toUpperCase();
  if (isLegalForm(code)) return code;
  const name = /^[0-9]{2}$/.test(code) ? code : lettersOf(text);
  return RULES.find(([, texts]) => texts.test(name))?.[0] ?? DESCRIPTIONS.get(name);
}

function lettersOf(text: string): string {
  return text
    .normalize("NFD")
    .replace(/[^\p{L}]/gu, "")
    .toLowerCase();
}

/** The contract's own descriptions are recognised as well, in any future wording. */
const DESCRIPTIONS: ReadonlyMap<string, LegalForm> = new Map(
  LEGAL_FORM_CODES.map((code) => [lettersOf(LEGAL_FORMS[code]), code]),
);
