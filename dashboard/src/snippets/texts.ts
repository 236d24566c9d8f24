import { bilingual } from "../language/bilingual.ts";

export const texts = bilingual(
  {
    language: "Language of the examples",
    copy: "Copy",
    copied: "Copied",
    byHand: "Copy by hand",
  },
  {
    language: "Taal van de voorbeelden",
    copy: "Kopiëren",
    copied: "Gekopieerd",
    byHand: "Zelf kopiëren",
  },
);
