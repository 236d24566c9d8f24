import type { LegalForm } from "../../../src/contract/legalForms.ts";
import { bilingual } from "./bilingual.ts";

const en = {
  BV: "private limited company (B.V.)",
  NV: "public limited company (N.V.)",
  EMZ: "sole proprietorship",
  VOF: "general partnership (V.O.F.)",
  CV: "limited partnership (C.V.)",
  MTS: "professional partnership",
  STI: "foundation",
  VER: "association",
  VVE: "owners' association",
  COOP: "cooperative",
  OWM: "mutual insurance society",
  KG: "church",
  PPR: "body of public law",
  OPR: "other body of private law",
  SE: "European company",
  SCE: "European cooperative society",
  EESV: "European economic interest grouping",
  FGR: "fund for joint account",
  REDE: "shipping company",
  BUI: "foreign legal form",
} satisfies Record<LegalForm, string>;

/** Names of the legal forms. */
export const legalForms = bilingual(en, {
  BV: "besloten vennootschap (B.V.)",
  NV: "naamloze vennootschap (N.V.)",
  EMZ: "eenmanszaak",
  VOF: "vennootschap onder firma (V.O.F.)",
  CV: "commanditaire vennootschap (C.V.)",
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
});
