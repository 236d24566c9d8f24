/** The fields of a query that are numbers which few companies share. */
export const NUMBER_LABELS = {
  kvkNumber: "KVK number",
  rsin: "RSIN",
  vatNumber: "VAT number",
  lei: "LEI",
  euid: "EUID",
} as const;
export type NumberField = keyof typeof NUMBER_LABELS;
export const NUMBER_FIELDS = [
  "kvkNumber",
  "rsin",
  "vatNumber",
  "lei",
  "euid",
] as const satisfies readonly NumberField[];
