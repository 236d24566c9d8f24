/** A text in the languages of the docs page. */
export interface Said {
  readonly en: string;
  readonly nl: string;
}
