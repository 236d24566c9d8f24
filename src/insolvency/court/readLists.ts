import { parseInstant } from "../../company/dates.ts";
import { tidy } from "../../lib/values.ts";
import type { XmlElement } from "../../lib/xml.ts";
import type { CourtAnswer, CourtList, RemovedCase } from "../types.ts";
import { childrenOf, textOf } from "./elements.ts";
import { BAD_CONTENT } from "./failures.ts";

/** Reads the references of new and changed cases. */
export function readReferences(content: XmlElement): CourtAnswer<CourtList<string>> {
  return readList(content, "publicatieKenmerk", ({ text }) => tidy(text));
}

export function readRemovals(content: XmlElement): CourtAnswer<CourtList<RemovedCase>> {
  return readList(content, "verwijderdeInsolventie", (item) => {
    const caseNumber = textOf(item, "insolventienummer");
    const publication = textOf(item, "publicatieKenmerk");
    if (caseNumber === undefined || publication === undefined) return undefined;
    return { caseNumber, publication, reason: textOf(item, "reden") ?? "" };
  });
}

/** A list counts only as a whole: a skipped item would be a case that is never fetched, or never removed. */
function readList<Item>(
  content: XmlElement,
  name: string,
  read: (element: XmlElement) => Item | undefined,
): CourtAnswer<CourtList<Item>> {
  const extractedAt = content.attributes.get("extractiedatum")?.trim() ?? "";
  if (parseInstant(extractedAt) === undefined) return BAD_CONTENT;
  const elements = childrenOf(content, name);
  const others = content.children.filter((child) => child.name !== "exceptie").length - elements.length;
  const items = elements.map(read).filter((item) => item !== undefined);
  const isWhole = others === 0 && items.length === elements.length;
  return isWhole ? { kind: "found", value: { items, extractedAt } } : BAD_CONTENT;
}
