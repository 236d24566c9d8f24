import { readFileSync } from "node:fs";

/** Of the program, as `package.json` states it. */
export function programVersion(): string {
  const parsed: unknown = JSON.parse(readFileSync(new URL("../../package.json", import.meta.url), "utf8"));
  const isNamed = typeof parsed === "object" && parsed !== null && "version" in parsed;
  return isNamed ? String(parsed.version) : "unknown";
}
