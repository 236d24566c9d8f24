/** Data extension: properties of companies by KVK number. */
import { enrichedCharge } from "../../contract/enrichedCharge.ts";
import { invalid } from "../../contract/errors.ts";
import { isKvkNumber } from "../../contract/numbers.ts";
import { PRICES } from "../../contract/prices.ts";
import { quoted } from "../../contract/quoting.ts";
import type { BasicCompany, Company } from "../../contract/resources.ts";
import { isJsonObject, type JsonObject } from "../../lib/values.ts";
import { deliver } from "../../lookup/answer.ts";
import type { BatchItem } from "../../lookup/batch.ts";
import type { Delivered, HandlerResult, Services } from "../endpoint.ts";
import { unknownName } from "../input/schemaReader.ts";
import { EXTENSION_PROPERTIES, type ExtensionProperty } from "./properties.ts";

export const MAX_IDS = 100;
const IDS = EXTENSION_PROPERTIES.map(({ id }) => id);

export interface Extension {
  readonly kind: "extension";
  /** KVK numbers as they were sent, each once. */
  readonly ids: readonly string[];
  readonly properties: readonly ExtensionProperty[];
  readonly isEnriched: boolean;
}

/** @throws {ApiError} INVALID_REQUEST */
export function readExtension({ ids, properties }: JsonObject): Extension {
  if (!Array.isArray(ids) || !ids.every((id) => typeof id === "string")) {
    throw invalid("extend.ids must be an array of strings");
  }
  if (ids.length > MAX_IDS) {
    throw invalid(`extend.ids must have at most ${MAX_IDS} ids; received ${ids.length}`);
  }
  if (!Array.isArray(properties)) {
    throw invalid("extend.properties must be an array of objects with id");
  }
  const known = new Set(properties.map(readProperty));
  const isEnriched = [...known].some((property) => property.isEnriched);
  return { kind: "extension", ids: [...new Set(ids)], properties: [...known], isEnriched };
}

function readProperty(property: unknown): ExtensionProperty {
  const id = isJsonObject(property) ? property["id"] : undefined;
  if (typeof id !== "string") {
    throw invalid("extend.properties must be objects with id");
  }
  const found = EXTENSION_PROPERTIES.find((known) => known.id === id);
  if (found === undefined) throw unknownName(`property ${quoted(id)} in extend`, IDS);
  return found;
}

/** Each delivered company has the price of a lookup: an enriched one if a property needs it. */
export function priceOfExtension({ ids, isEnriched }: Extension) {
  const operation = isEnriched ? "reconcile.extend.enriched" : "reconcile.extend";
  return { operation, price: PRICES[operation] * ids.filter(isKvkNumber).length } as const;
}

export function extend(
  extension: Extension,
  { lookup }: Pick<Services, "lookup">,
): HandlerResult | Promise<HandlerResult> {
  const { ids, isEnriched } = extension;
  return isEnriched
    ? deliver(lookup.enrichedBatch(ids), (items) => delivered(extension, items, enrichedCharge))
    : deliver(lookup.basicBatch(ids), (items) =>
        delivered(extension, items, () => PRICES["reconcile.extend"]),
      );
}

/**
 * Returns the rows of the response. A company that does not exist has a row without values; one whose source does not
 * answer has no row, so that it does not look like a company without data.
 */
function delivered<Found extends BasicCompany | Company>(
  { properties }: Extension,
  items: readonly BatchItem<Found>[],
  chargeFor: (company: Found) => number,
): Delivered {
  let charge = 0;
  const rows = items.flatMap(({ sent, answer }) => {
    if (answer.kind === "found") {
      charge += chargeFor(answer.found);
      const values = properties.map(({ id, valuesOf }) => [id, valuesOf(answer.found)] as const);
      return [[sent, Object.fromEntries(values)] as const];
    }
    if (answer.kind !== "absent" && answer.kind !== "invalid") return [];
    return [[sent, Object.fromEntries(properties.map(({ id }) => [id, []]))] as const];
  });
  const meta = properties.map(({ id, name }) => ({ id, name }));
  return { charge, body: { meta, rows: Object.fromEntries(rows) } };
}
