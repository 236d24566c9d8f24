import { parseInstant } from "../../company/dates.ts";
import { inSteps, type Steps } from "../../lib/steps.ts";
import { tidy } from "../../lib/values.ts";
import type { XmlElement } from "../../lib/xml.ts";
import type { CourtAnswer, CourtList, RemovedCase } from "../types.ts";
import { CONTENT, textOf } from "./elements.ts";
import { BAD_CONTENT } from "./failures.ts";

type ListAnswer<Item> = CourtAnswer<CourtList<Item>>;

/** Elements between two pauses, about a millisecond of work. */
const STEP_ELEMENTS = 1_000;

/** Reads the references of new and changed cases. */
export function readReferences(content: XmlElement): Promise<ListAnswer<string>> {
  return inSteps(reading(content, "publicatieKenmerk", ({ text }) => tidy(text)));
}

export function readRemovals(content: XmlElement): Promise<ListAnswer<RemovedCase>> {
  return inSteps(
    reading(content, "verwijderdeInsolventie", (item) => {
      const caseNumber = textOf(item, "insolventienummer");
      const publication = textOf(item, "publicatieKenmerk");
      if (caseNumber === undefined || publication === undefined) return undefined;
      return { caseNumber, publication, reason: textOf(item, "reden") ?? "" };
    }),
  );
}

/** A list counts only as a whole: a skipped item would be a case that is never fetched, or never removed. */
function* reading<Item>(
  { attributes, children }: XmlElement,
  name: string,
  read: (element: XmlElement) => Item | undefined,
): Steps<ListAnswer<Item>> {
  const extractedAt = attributes.get("extractiedatum")?.trim() ?? "";
  if (parseInstant(extractedAt) === undefined) return BAD_CONTENT;
  const items: Item[] = [];
  for (const [index, element] of children.entries()) {
    if (index % STEP_ELEMENTS === STEP_ELEMENTS - 1) yield;
    if (element.name === "exceptie") continue;
    const item = element.name === name && element.namespace === CONTENT ? read(element) : undefined;
    if (item === undefined) return BAD_CONTENT;
    items.push(item);
  }
  return { kind: "found", value: { items, extractedAt } };
}
