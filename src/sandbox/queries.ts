import type { Said } from "./said.ts";

/** What may be typed with a test key, and what it shows. */
export interface TestQuery {
  readonly q: string;
  readonly shows: Said;
}

/** What is typed to be told more companies than are counted. */
export const UNCOUNTED = "tienduizend";

/** Any words are searched for among the names of the sandbox's companies; these show what there is to show. */
export const TEST_QUERIES: readonly TestQuery[] = [
  { q: "test", shows: { en: "many companies, more than a page", nl: "veel bedrijven, meer dan een pagina" } },
  {
    q: "proefdeeg",
    shows: { en: "found by a trading name: `matchedName`", nl: "gevonden op een handelsnaam: `matchedName`" },
  },
  {
    q: "testbakerij",
    shows: { en: "found though misspelled: `isFuzzy`", nl: "gevonden ondanks een spelfout: `isFuzzy`" },
  },
  {
    q: "niemand heet zo",
    shows: { en: "nothing: 200 and an empty list", nl: "niets: 200 en een lege lijst" },
  },
  {
    q: UNCOUNTED,
    shows: {
      en: "a search told as 10,000 with `totalIsExact: false`",
      nl: "een zoekopdracht met 10.000 als totaal en `totalIsExact: false`",
    },
  },
];
