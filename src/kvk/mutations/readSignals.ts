import type { Rejection } from "../../company/rejection.ts";
import { parseKvkNumber } from "../../contract/numbers.ts";
import type { JsonObject } from "../../lib/values.ts";
import { Fields } from "../fields.ts";
import type { Signal } from "../monitored/stored.ts";

/** A page of signals. */
export interface SignalPage {
  readonly signals: readonly Signal[];
  /** The number of pages of the period. */
  readonly pages: number;
}

const ABOUT_BRANCH = /vestiging/i;
/** Ids are UUIDs. */
const MAX_ID_LENGTH = 100;
/** Half a million signals, more than KVK has in the longest period that is read. */
const MAX_PAGES = 1_000;

/**
 * Reads a page of signals of KVK's Mutatieservice; undefined when it is not one. A signal names a company, not its new
 * data, so every type of signal counts: their names change with versions, such as `SignaalBeeindiging_2025_01`. Signals
 * with an unexpected form are added to `leftOut`.
 */
export function readSignals(body: JsonObject, leftOut: Rejection[]): SignalPage | undefined {
  const fields = new Fields(body, "", leftOut);
  const items = fields.objects("signalen");
  const pages = fields.whole("totaalPaginas");
  if (pages !== undefined && pages > MAX_PAGES) return fields.unexpected("totaalPaginas");
  if (items === undefined || pages === undefined) return undefined;
  const signals = items.flatMap((item) => readSignal(item) ?? []);
  return { signals, pages };
}

function readSignal(item: Fields): Signal | undefined {
  const id = item.textOrNumber("id");
  // In lower case, unlike in KVK's other products.
  const number = item.digits(item.has("kvkNummer") ? "kvkNummer" : "kvknummer", 8);
  const kvkNumber = parseKvkNumber(number ?? "");
  if (id === undefined || id.length > MAX_ID_LENGTH || kvkNumber === undefined) {
    const path = item.name(kvkNumber === undefined ? "kvknummer" : "id");
    item.leaveOut("a signal without an id or a KVK number", undefined, { path, kind: "unmapped" });
    return undefined;
  }
  const isAboutBranch = item.has("vestigingsnummer") || ABOUT_BRANCH.test(item.text("signaalType") ?? "");
  const atMs = Date.parse(item.text("timestamp") ?? "");
  return { id, kvkNumber, isAboutBranch, atMs: Number.isNaN(atMs) ? 0 : atMs };
}
