import { word } from "./fields.ts";

/** The versions of the SBI, the Dutch classification of business activities. */
export const SBI_VERSIONS = ["2008", "2025"] as const;
export type SbiVersion = (typeof SBI_VERSIONS)[number];

export const SbiVersionSchema = word(
  SBI_VERSIONS,
  "The version of the SBI that the code is of, as text; absent when the code, its description and the date of the data fit both.",
  "2025",
);
