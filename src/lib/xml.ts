import { SaxesParser } from "saxes";
import { inSteps, type Steps } from "./steps.ts";

/** An element with its namespace resolved. */
export interface XmlElement {
  /** Without prefix. */
  readonly name: string;
  /** Empty for none. */
  readonly namespace: string;
  /** By name without prefix, of attributes in no namespace. */
  readonly attributes: ReadonlyMap<string, string>;
  readonly children: readonly XmlElement[];
  /** Its own text without that of its children, not trimmed. */
  readonly text: string;
}

/** `dtd`: it has a document type, which could define entities. `excessive`: too deep, or too many elements. */
export type XmlFault = "malformed" | "dtd" | "excessive";

export interface XmlLimits {
  readonly maxDepth?: number;
  readonly maxElements?: number;
}

/** An element while it is read. */
interface OpenElement {
  readonly element: { -readonly [Key in keyof XmlElement]: XmlElement[Key] };
  readonly children: XmlElement[];
  readonly texts: string[];
}

const MAX_DEPTH = 64;
const MAX_ELEMENTS = 500_000;
/** Of one element. They are read in one step. */
const MAX_ATTRIBUTES = 100;
/** About a millisecond of parsing. */
const STEP_LENGTH = 8 * 1024;
const NO_ATTRIBUTES: ReadonlyMap<string, string> = new Map();

/**
 * Parses the XML of strangers: no document type, so no entities but the five of XML and character references. Other
 * work runs between its steps. Never rejects.
 * @param text decoded from UTF-8; broken bytes (U+FFFD) make it malformed
 * @returns the root element
 */
export function parseXml(text: string, limits: XmlLimits = {}): Promise<XmlElement | XmlFault> {
  return inSteps(parsing(text, limits));
}

function* parsing(
  text: string,
  { maxDepth = MAX_DEPTH, maxElements = MAX_ELEMENTS }: XmlLimits,
): Steps<XmlElement | XmlFault> {
  const parser = new SaxesParser({ xmlns: true, position: false });
  const open: OpenElement[] = [];
  let root: XmlElement | undefined;
  let fault: XmlFault | undefined;
  let elements = 0;
  let attributesOfNext = 0;
  const addText = (part: string) => void open.at(-1)?.texts.push(part);
  parser.on("error", () => {
    fault ??= "malformed";
  });
  parser.on("doctype", () => {
    fault = "dtd";
  });
  parser.on("text", addText);
  parser.on("cdata", addText);
  parser.on("attribute", () => {
    attributesOfNext += 1;
    if (attributesOfNext > MAX_ATTRIBUTES) fault ??= "excessive";
  });
  parser.on("opentag", ({ local, uri, attributes }) => {
    attributesOfNext = 0;
    elements += 1;
    if (elements > maxElements || open.length >= maxDepth) fault ??= "excessive";
    if (fault !== undefined) return;
    const own = Object.values(attributes).flatMap(({ uri: of, local: key, value }) =>
      of === "" ? [[key, value] as const] : [],
    );
    const children: XmlElement[] = [];
    const element = {
      name: local,
      namespace: uri,
      attributes: own.length === 0 ? NO_ATTRIBUTES : new Map(own),
      children,
      text: "",
    };
    open.at(-1)?.children.push(element);
    root ??= element;
    open.push({ element, children, texts: [] });
  });
  parser.on("closetag", () => {
    const closed = open.pop();
    if (closed !== undefined) closed.element.text = closed.texts.join("");
  });
  for (let at = 0; at < text.length && fault === undefined; at += STEP_LENGTH) {
    const part = text.slice(at, at + STEP_LENGTH);
    if (part.includes("\ufffd")) return "malformed";
    parser.write(part);
    yield;
  }
  if (fault === undefined) parser.close();
  return fault ?? root ?? "malformed";
}
