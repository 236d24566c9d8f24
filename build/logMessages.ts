/** Extracts the log messages from the sources of the program. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { parseSync } from "vite";
import { isJsonObject } from "../src/lib/values.ts";
import { type Node, nodesOf } from "./syntaxTree.ts";

export const LEVELS = ["error", "warn", "info"] as const;
type Level = (typeof LEVELS)[number];

export interface LogMessage {
  readonly level: Level;
  readonly message: string;
  readonly fields: readonly string[];
}

/** Methods that log a message passed as an argument. */
const FORWARDERS = [
  { of: ["failures", "this"], method: "failed", level: "error", argument: 1, fields: ["leftOut", "err"] },
] as const;
const FORWARDED_NAMES = ["message", "problem"];

type Source = readonly [path: string, text: string];

/** Every source file of the program, without tests. */
export function sourcesIn(folder: string): Source[] {
  return readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((path) => path.endsWith(".ts") && !path.endsWith(".test.ts"))
    .sort()
    .map((path) => [path, readFileSync(join(folder, path), "utf8")]);
}

/** @throws {Error} for a message that is not a literal */
export function logMessagesIn(sources: readonly Source[]): LogMessage[] {
  const programs = sources.map(([path, text]) => {
    const { program, errors } = parseSync(path, text);
    if (errors.length > 0) throw new Error(`${path} cannot be parsed: ${errors[0]?.message}`);
    return { path, nodes: [...nodesOf(program)] };
  });
  const everywhere = programs.flatMap(({ nodes }) => nodes.flatMap(constantsOf));
  const found = programs.flatMap(({ path, nodes }) => {
    // A file's own constants win over constants of the same name in other files.
    const constants = new Map([...everywhere, ...nodes.flatMap(constantsOf)]);
    return nodes.flatMap((node) => callsOf(node, path, constants));
  });
  const merged = new Map<string, LogMessage>();
  for (const one of found) {
    const key = `${one.level} ${one.message}`;
    merged.set(key, { ...one, fields: [...new Set([...(merged.get(key)?.fields ?? []), ...one.fields])] });
  }
  return [...merged.values()].sort(
    (a, b) => LEVELS.indexOf(a.level) - LEVELS.indexOf(b.level) || (a.message < b.message ? -1 : 1),
  );
}

/** `const NAME = "…"`, and `const NAME = { a: "…", b: "…" }` */
function constantsOf({ type, id, init }: Node): [string, readonly string[]][] {
  const name = nameOf(id);
  if (type !== "VariableDeclarator" || !/^[A-Z_]+$/.test(name)) return [];
  const texts = textsOf(init, new Map());
  return texts === undefined ? [] : [[name, texts]];
}

/** The possible texts of an expression; undefined when they are not in the source. */
function textsOf(
  node: unknown,
  constants: ReadonlyMap<string, readonly string[]>,
): readonly string[] | undefined {
  if (!isJsonObject(node)) return undefined;
  const all = (nodes: readonly unknown[]) => {
    const texts = nodes.map((one) => textsOf(one, constants));
    return texts.every((one) => one !== undefined) ? texts.flat() : undefined;
  };
  switch (node["type"]) {
    case "Literal":
      return typeof node["value"] === "string" ? [node["value"]] : undefined;
    case "TemplateLiteral":
      return templateText(node["quasis"]);
    case "ConditionalExpression":
      return all([node["consequent"], node["alternate"]]);
    case "Identifier":
      return constants.get(String(node["name"]));
    case "MemberExpression":
      return textsOf(node["object"], constants);
    case "TSSatisfiesExpression":
    case "TSAsExpression":
      return textsOf(node["expression"], constants);
    case "ObjectExpression":
      return Array.isArray(node["properties"])
        ? all(
            node["properties"].map((property: unknown) =>
              isJsonObject(property) ? property["value"] : property,
            ),
          )
        : undefined;
    default:
      return undefined;
  }
}

/** The text of a template literal, with `…` for each value. */
function templateText(quasis: unknown): readonly string[] | undefined {
  if (!Array.isArray(quasis)) return undefined;
  const texts = quasis.map((quasi: unknown) => {
    const value = isJsonObject(quasi) ? quasi["value"] : undefined;
    return isJsonObject(value) ? String(value["cooked"]) : "";
  });
  return [texts.join("…")];
}

function callsOf(
  { type, callee, arguments: given }: Node,
  path: string,
  constants: ReadonlyMap<string, readonly string[]>,
): LogMessage[] {
  if (type !== "CallExpression" || !isJsonObject(callee) || !Array.isArray(given)) return [];
  const isPlain = callee["type"] === "Identifier";
  const method = nameOf(isPlain ? callee : callee["property"]);
  const receiver = isPlain ? "" : receiverOf(callee["object"]);
  const forwarder = FORWARDERS.find((one) => one.method === method && one.of.some((of) => of === receiver));
  if (forwarder !== undefined) {
    const texts = textsOf(given[forwarder.argument], constants) ?? [];
    return texts.map((message) => ({ level: forwarder.level, message, fields: forwarder.fields }));
  }
  const level = LEVELS.find((one) => one === method);
  if (level === undefined || receiver !== "logger") return [];
  const [facts, text = facts]: readonly unknown[] = given;
  const texts = textsOf(text, constants);
  if (texts !== undefined) return texts.map((message) => ({ level, message, fields: fieldsOf(facts) }));
  // The line of an answered call has no message.
  const isForwarded = isJsonObject(text) && FORWARDED_NAMES.includes(nameOf(text));
  if (text === facts || isForwarded) return [];
  throw new Error(`${path}: logger.${level} needs a literal message: write it out`);
}

/** `logger` of `logger`, `log.logger` and `this.#logger` */
function receiverOf(node: unknown): string {
  if (!isJsonObject(node)) return "";
  if (node["type"] === "ThisExpression") return "this";
  return nameOf(node["type"] === "MemberExpression" ? node["property"] : node);
}

function nameOf(node: unknown): string {
  return isJsonObject(node) ? String(node["name"]) : "";
}

/** The keys of every object literal in the fields argument. */
function fieldsOf(facts: unknown): string[] {
  return [...nodesOf(facts)].flatMap(({ type, properties }) =>
    type === "ObjectExpression" && Array.isArray(properties)
      ? properties.flatMap((property: unknown) =>
          isJsonObject(property) && property["type"] === "Property" ? [nameOf(property["key"])] : [],
        )
      : [],
  );
}
