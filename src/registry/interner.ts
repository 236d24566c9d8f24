import type { DatabaseSync } from "node:sqlite";
import type { Activity } from "../contract/resources.ts";
import { known } from "../lib/values.ts";

/** An activity, without its version and the mark of the main one. */
type Kind = Pick<Activity, "sbiCode" | "description">;

/**
 * Further distinct activities are written in full in the row of their company, to bound memory. The SBI has two
 * thousand codes.
 */
const MAX_KINDS = 50_000;

/** Numbers of origins and activities, as in the tables `origin` and `activity`. Numbers begin at 1. */
export class Interner {
  readonly #origins: string[] = [];
  readonly #originNumbers = new Map<string, number>();
  readonly #kinds: Kind[] = [];
  readonly #kindNumbers = new Map<string, number>();

  /** Reads the numbers of a layer. New ones continue them, so its rows stay valid. */
  static of(db: DatabaseSync, schema: "main" | "base" = "main"): Interner {
    const interner = new Interner();
    for (const { name } of db.prepare(`SELECT name FROM ${schema}.origin ORDER BY id`).iterate()) {
      interner.origin(String(name));
    }
    const rows = db.prepare(`SELECT code, description FROM ${schema}.activity ORDER BY id`);
    for (const { code, description } of rows.iterate()) {
      const text = typeof description === "string" ? description : undefined;
      interner.kind({ sbiCode: String(code), ...known("description", text) });
    }
    return interner;
  }

  origin(name: string): number {
    return this.#originNumbers.get(name) ?? this.#addOrigin(name);
  }

  originName(number: number): string {
    const name = this.#origins[number - 1];
    if (name === undefined) throw new RangeError(`no origin has the number ${number}`);
    return name;
  }

  /** The number of an activity; undefined when there are too many. */
  kind({ sbiCode, description }: Kind): number | undefined {
    const key = description === undefined ? sbiCode : `${sbiCode} ${description}`;
    const number = this.#kindNumbers.get(key);
    if (number !== undefined || this.#kinds.length === MAX_KINDS) return number;
    this.#kinds.push({ sbiCode, ...known("description", description) });
    this.#kindNumbers.set(key, this.#kinds.length);
    return this.#kinds.length;
  }

  kindOf(number: number): Kind {
    const kind = this.#kinds[number - 1];
    if (kind === undefined) throw new RangeError(`no activity has the number ${number}`);
    return kind;
  }

  /** Writes both tables, which must be empty. */
  save(db: DatabaseSync): void {
    db.exec("BEGIN");
    const origins = db.prepare("INSERT INTO origin (id, name) VALUES (?, ?)");
    for (const [index, name] of this.#origins.entries()) origins.run(index + 1, name);
    const kinds = db.prepare("INSERT INTO activity (id, code, description) VALUES (?, ?, ?)");
    for (const [index, kind] of this.#kinds.entries()) {
      kinds.run(index + 1, kind.sbiCode, kind.description ?? null);
    }
    db.exec("COMMIT");
  }

  #addOrigin(name: string): number {
    this.#origins.push(name);
    this.#originNumbers.set(name, this.#origins.length);
    return this.#origins.length;
  }
}
