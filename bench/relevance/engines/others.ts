import type { FilledEngine } from "./engine.ts";
import { openFlexSearch } from "./flexSearch.ts";
import { openMiniSearch } from "./miniSearch.ts";
import { openTrigrams } from "./trigrams.ts";

/** An engine that ours is compared with. */
export interface Other {
  readonly id: string;
  /** For the table. */
  readonly title: string;
  open(): FilledEngine | Promise<FilledEngine>;
}

export const OTHERS: readonly Other[] = [
  { id: "minisearch", title: "MiniSearch", open: openMiniSearch },
  { id: "flexsearch", title: "FlexSearch", open: openFlexSearch },
  { id: "trigrams", title: "PostgreSQL, trigrams", open: openTrigrams },
];
