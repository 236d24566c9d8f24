import type { LegalForm } from "../../../src/contract/legalForms.ts";
import { bilingual, type Pair } from "./bilingual.ts";

export const legalForms = bilingual({
  BV: ["private limited company (B.V.)", "besloten vennootschap (B.V.)"],
  NV: ["public limited company (N.V.)", "naamloze vennootschap (N.V.)"],
  EMZ: ["sole proprietorship", "eenmanszaak"],
  VOF: ["general partnership (V.O.F.)", "vennootschap onder firma (V.O.F.)"],
  CV: ["limited partnership (C.V.)", "commanditaire vennootschap (C.V.)"],
  MTS: ["professional partnership", "maatschap"],
  STI: ["foundation", "stichting"],
  VER: ["association", "vereniging"],
  VVE: ["owners' association", "vereniging van eigenaars"],
  COOP: ["cooperative", "coöperatie"],
  OWM: ["mutual insurance society", "onderlinge waarborgmaatschappij"],
  KG: ["church", "kerkgenootschap"],
  PPR: ["body of public law", "publiekrechtelijke rechtspersoon"],
  OPR: ["other body of private law", "overige privaatrechtelijke rechtspersoon"],
  SE: ["European company", "Europese naamloze vennootschap"],
  SCE: ["European cooperative society", "Europese coöperatieve vennootschap"],
  EESV: ["European economic interest grouping", "Europees economisch samenwerkingsverband"],
  FGR: ["fund for joint account", "fonds voor gemene rekening"],
  REDE: ["shipping company", "rederij"],
  BUI: ["foreign legal form", "buitenlandse rechtsvorm"],
} satisfies Record<LegalForm, Pair>);
