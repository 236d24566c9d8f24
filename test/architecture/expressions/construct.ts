/** A program: loads modules and writes each regular expression that they construct, as JSON. */
import { pathToFileURL } from "node:url";

export interface Constructed {
  /** Path and line of the call. */
  readonly at: string;
  readonly source: string;
  readonly flags: string;
}

const [root = "", ...paths] = process.argv.slice(2);
const folder = pathToFileURL(root.endsWith("/") ? root : `${root}/`).href;
const constructed: Constructed[] = [];
const Plain = RegExp;

class Recorded extends Plain {
  constructor(pattern: string | RegExp, flags?: string) {
    super(pattern, flags);
    const caller = (new Error().stack ?? "").split("\n")[2] ?? "";
    const [, at] = new Plain("(\\S+:[0-9]+):[0-9]+\\)?$").exec(caller) ?? [];
    if (at?.includes(folder)) {
      constructed.push({
        at: at.slice(at.indexOf(folder) + folder.length),
        source: this.source,
        flags: this.flags,
      });
    }
  }

  static override get [Symbol.species](): RegExpConstructor {
    return Plain;
  }
}

Object.defineProperty(globalThis, "RegExp", { value: Recorded });
for (const path of paths) await import(`${folder}${path}`);
process.stdout.write(JSON.stringify(constructed));
