/** What the thread that searches is asked, and what it answers. */
import type { AutocompleteItem } from "../../contract/resources.ts";
import type { SearchCriteria } from "../../search/criteria.ts";
import type { FoundPage } from "../../search/finder.ts";
import type { SnapshotPlace } from "../types.ts";

/** What can be asked of the thread, with what it gives. */
export interface Searching {
  readonly search: { readonly asked: SearchCriteria; readonly found: FoundPage };
  readonly autocomplete: {
    readonly asked: { readonly q: string; readonly limit: number };
    readonly found: AutocompleteItem[];
  };
}

export type SearchQuestion = { readonly id: number; readonly place: SnapshotPlace } & (
  | { readonly kind: "search"; readonly asked: SearchCriteria }
  | { readonly kind: "autocomplete"; readonly asked: Searching["autocomplete"]["asked"] }
);

export type SearchAnswer =
  | { readonly id: number; readonly found: unknown }
  | { readonly id: number; readonly failed: string };
