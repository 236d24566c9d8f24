import { tidy } from "../../lib/values.ts";
import type { XmlElement } from "../../lib/xml.ts";

/** The namespace of lists and cases. */
export const CONTENT = "http://www.rechtspraak.nl/namespaces/inspubber01";

/** The children of a name, by default in the namespace of lists and cases. */
export function childrenOf(
  parent: XmlElement | undefined,
  name: string,
  namespace = CONTENT,
): readonly XmlElement[] {
  return parent?.children.filter((child) => child.name === name && child.namespace === namespace) ?? [];
}

/** The only child of a name; undefined if there are none or several. */
export function childOf(parent: XmlElement | undefined, name: string, namespace = CONTENT) {
  const found = childrenOf(parent, name, namespace);
  return found.length === 1 ? found[0] : undefined;
}

/** The text of the only child of a name; undefined if it is empty. */
export function textOf(
  parent: XmlElement | undefined,
  name: string,
  namespace = CONTENT,
): string | undefined {
  return tidy(childOf(parent, name, namespace)?.text ?? "");
}
