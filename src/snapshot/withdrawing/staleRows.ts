import { isLearned } from "../../company/learned.ts";
import { type CompanyRow, FLAGS } from "../codec.ts";
import type { Interner } from "../interning.ts";
import type { LayerFile } from "../layers/layerFile.ts";
import { mergeRows } from "../mergeCompanies.ts";

/** What has to leave a registry. */
export interface Leaving {
  /** KVK numbers that must be forgotten. */
  readonly forgotten: ReadonlySet<string>;
  /** What was learned before this moment has to go, Unix milliseconds. */
  readonly learnedBeforeMs: number;
}

/** A company of a layer as it is stored, and what each origin says of it. */
interface Held {
  readonly company: CompanyRow;
  /** One row where one origin knows it. */
  readonly byOrigin: readonly CompanyRow[];
}

/** A company that does not stay as it is in a layer. */
export interface StaleRow {
  readonly before: Held;
  /** What is left of it; undefined when nothing is. */
  readonly after: Held | undefined;
}

/** What has to leave a layer, by KVK number; empty when it can stay as it is. */
export function staleRows(
  layer: LayerFile,
  { forgotten, learnedBeforeMs }: Leaving,
): ReadonlyMap<number, StaleRow> {
  const stale = new Map<number, StaleRow>();
  for (const text of forgotten) {
    const before = heldBy(layer, Number(text));
    if (before !== undefined) stale.set(Number(text), { before, after: undefined });
  }
  const interner = layer.interner();
  for (const kvk of layer.learnedBefore(learnedBeforeMs)) {
    const before = stale.has(kvk) ? undefined : heldBy(layer, kvk);
    if (before === undefined) continue;
    const isKept = ([, , , , , , , , , , origin, asOf]: CompanyRow) =>
      asOf >= learnedBeforeMs || !isLearned(interner.originName(origin));
    stale.set(kvk, { before, after: heldAs(before.byOrigin.filter(isKept), interner) });
  }
  return stale;
}

function heldBy(layer: LayerFile, kvk: number): Held | undefined {
  const company = layer.row(kvk);
  if (company === undefined) return undefined;
  const isMerged = (company[2] & FLAGS.merged) !== 0;
  return { company, byOrigin: isMerged ? layer.rowsByOrigin(kvk) : [company] };
}

function heldAs(byOrigin: readonly CompanyRow[], interner: Interner): Held | undefined {
  const [first, second] = byOrigin;
  if (first === undefined) return undefined;
  return { company: second === undefined ? first : mergeRows(byOrigin, interner), byOrigin };
}
