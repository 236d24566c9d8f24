/** What may be typed with a test key, and what it shows. */
export interface TestQuery {
  readonly q: string;
  readonly shows: string;
}

/** What is typed to be told more companies than are counted. */
export const UNCOUNTED = "tienduizend";

/** Any words are searched for among the names of the sandbox's companies; these show what there is to show. */
export const TEST_QUERIES: readonly TestQuery[] = [
  { q: "test", shows: "many companies, more than a page" },
  {
    q: "proefdeeg",
    shows: "found by a trading name: `matchedName`",
  },
  {
    q: "testbakerij",
    shows: "found though misspelled: `isFuzzy`",
  },
  {
    q: "niemand heet zo",
    shows: "nothing: 200 and an empty list",
  },
  {
    q: UNCOUNTED,
    shows: "a total returned as 10,000 with `totalIsExact: false`",
  },
];
