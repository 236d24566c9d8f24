import { Type } from "typebox";

/** The short codes of legal forms and their meanings, shared by schema, import and docs. */
export const LEGAL_FORMS = {
  BV: "besloten vennootschap",
  NV: "naamloze vennootschap",
  EMZ: "eenmanszaak",
  VOF: "vennootschap onder firma",
  CV: "commanditaire vennootschap",
  MTS: "maatschap",
  STI: "stichting",
  VER: "vereniging",
  VVE: "vereniging van eigenaars",
  COOP: "coöperatie",
  OWM: "onderlinge waarborgmaatschappij",
  KG: "kerkgenootschap",
  PPR: "publiekrechtelijke rechtspersoon",
  OPR: "overige privaatrechtelijke rechtspersoon",
  SE: "Europese naamloze vennootschap",
  SCE: "Europese coöperatieve vennootschap",
  EESV: "Europees economisch samenwerkingsverband",
  FGR: "fonds voor gemene rekening",
  REDE: "rederij",
  BUI: "buitenlandse rechtsvorm",
} as const;

export type LegalForm = keyof typeof LEGAL_FORMS;

export const LEGAL_FORM_CODES = Object.keys(LEGAL_FORMS) as readonly LegalForm[];

const LEGAL_PERSONS: ReadonlySet<string> = new Set(
  "BV NV STI VER VVE COOP OWM KG PPR OPR SE SCE EESV".split(" "),
);

/** Whether companies of a legal form are legal persons; false for an unknown form. */
export function isLegalPerson(legalForm: LegalForm | undefined): boolean {
  return legalForm !== undefined && LEGAL_PERSONS.has(legalForm);
}

export function isLegalForm(text: string): text is LegalForm {
  return Object.hasOwn(LEGAL_FORMS, text);
}

export const LegalFormSchema = Type.Unsafe<LegalForm>({
  type: "string",
  enum: [...LEGAL_FORM_CODES],
  description: `Legal form: ${Object.entries(LEGAL_FORMS)
    .map(([code, meaning]) => `${code} ${meaning}`)
    .join(", ")}. Absent when unknown.`,
  examples: ["BV"],
});
