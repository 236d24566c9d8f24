/** The browser's database of lists. */
export const LISTS_DATABASE = "opzoek-lists";
