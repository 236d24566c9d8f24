/** Legal forms as KVK, GLEIF and spreadsheets write them, to the short codes of the contract. */
import { isLegalForm, LEGAL_FORM_CODES, LEGAL_FORMS, type LegalForm } from "../contract/legalForms.ts";

/**
 * What a text says about the legal form: a code; `none` when it says that there is none yet (a legal person in
 * formation); undefined when no rule maps it.
 */
export type LegalFormFound = LegalForm | "none" | undefined;

/**
 * GLEIF's ELF codes of the Netherlands, all 21 of list 1.5. `EZQW` is a legal person in formation: the form that it
 * will have is not known.
 */
export const ELF_CODES: Readonly<Record<string, LegalForm | "none">> = {
  "33MN": "VER",
  "4QXM": "EMZ",
  "54M6": "BV",
  "5WU6": "EESV",
  "62Y3": "VOF",
  "8VFX": "VER",
  "9AAK": "MTS",
  A0W7: "PPR",
  B5PM: "NV",
  BBEB: "SE",
  CODH: "CV",
  DEO1: "OWM",
  EZQW: "none",
  GNXT: "VVE",
  JHK5: "FGR",
  L7HX: "KG",
  M1IZ: "OPR",
  NFFH: "COOP",
  UNJ2: "REDE",
  V44D: "STI",
  Y3ZB: "SCE",
};

/**
 * First match wins, over the letters alone: KVK's API has written "Besloten Vennootschap", "Besloten vennootschap met
 * gewone structuur" and "BeslotenVennootschap" for one form. English as in KVK's own extracts. "Openbare
 * vennootschap" has no rule: the law that was to bring it never came into force.
 */
const RULES: readonly (readonly [pattern: RegExp, form: LegalForm | "none"])[] = [
  [/inoprichting|^(bv|nv|rp|rechtspersoon)?io$/, "none"],
  [/^europeeseconomisch|^europeaneconomicinterest/, "EESV"],
  [/^europesecooperat|^societascooperativaeuropaea/, "SCE"],
  [/^europesenaamloze|^europesevennootschap|^societaseuropaea/, "SE"],
  [/buitenland|^kapitaalvennootschap(binnen|buiten)|^foreign/, "BUI"],
  [/^beslotenvennootschap|^privatelimited/, "BV"],
  [/^naamlozevennootschap|^publiclimited/, "NV"],
  [/^eenmanszaak|^eenmansbedrijf|^soleproprietor/, "EMZ"],
  [/^vennootschaponderfirma|^generalpartnership/, "VOF"],
  [/^commanditairevennootschap|^limitedpartnership/, "CV"],
  [/^maatschap(?!p)|^professionalpartnership/, "MTS"],
  [/^stichting|^foundation/, "STI"],
  [/^verenigingvaneigenaa?r|^ownersassociation|^associationofowners/, "VVE"],
  [/^vereniging|^association/, "VER"],
  [/^cooperati|^coop(ua|wa|ba)?$/, "COOP"],
  [/^onderlingewaarborg|^mutualinsurance/, "OWM"],
  [/^kerkgenootschap|^churchorgani[sz]ation|^religious/, "KG"],
  [/^(overige)?publiekrechtelijk|^legalentityunderpubliclaw/, "PPR"],
  [/^(overige)?privaatrechtelijk/, "OPR"],
  [/^fondsvoorgemenerekening/, "FGR"],
  [/^rederij/, "REDE"],
];

/** KVK's two-digit codes, as files of before its JSON API hold them, by range. */
const KVK_CODES: readonly (readonly [from: number, to: number, form: LegalForm | "none"])[] = [
  [1, 2, "EMZ"],
  [3, 3, "none"],
  [5, 5, "REDE"],
  [7, 7, "MTS"],
  [11, 11, "VOF"],
  [12, 12, "none"],
  [21, 22, "CV"],
  [23, 23, "none"],
  [24, 24, "CV"],
  [40, 40, "none"],
  [41, 42, "BV"],
  [51, 54, "NV"],
  [55, 56, "SE"],
  [61, 66, "COOP"],
  [70, 70, "VVE"],
  [71, 72, "VER"],
  [73, 73, "KG"],
  [74, 74, "STI"],
  [81, 86, "OWM"],
  [88, 88, "PPR"],
  [89, 89, "OPR"],
  [91, 92, "BUI"],
  [93, 93, "EESV"],
  [94, 97, "BUI"],
];

/** The form that a free text names: a short code (`B.V.`), one of KVK's two-digit codes, or a description. */
export function parseLegalForm(text: string): LegalFormFound {
  const code = text.trim().replace(/[.\s]/g, "").toUpperCase();
  if (isLegalForm(code)) return code;
  if (/^[0-9]{2}$/.test(code)) {
    return KVK_CODES.find(([from, to]) => Number(code) >= from && Number(code) <= to)?.[2];
  }
  const letters = lettersOf(text);
  return RULES.find(([pattern]) => pattern.test(letters))?.[1] ?? DESCRIPTIONS.get(letters);
}

function lettersOf(text: string): string {
  return text
    .normalize("NFD")
    .replace(/[^\p{L}]/gu, "")
    .toLowerCase();
}

/** The contract's own descriptions are understood too, whatever they come to say. */
const DESCRIPTIONS: ReadonlyMap<string, LegalForm> = new Map(
  LEGAL_FORM_CODES.map((code) => [lettersOf(LEGAL_FORMS[code]), code]),
);
