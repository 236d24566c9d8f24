import { parseKvkDate } from "../company/dates.ts";
import type { Deviation, Rejection } from "../company/rejection.ts";
import { quoted, quotedValue } from "../contract/quoting.ts";
import { DECIMALS, isJsonObject, type JsonObject, known, parseWhole, tidy } from "../lib/values.ts";

/** Names and addresses of KVK have at most some 600. */
const MAX_TEXT_LENGTH = 1_000;
/** The largest companies have some thousand branches. */
const MAX_ITEMS = 20_000;
/** More than KVK has companies, branches, or people at one company. */
const MAX_WHOLE = 100_000_000;

/**
 * Reads the fields of an object in an external format. Never throws: an absent, null or empty field is undefined; one
 * with an unexpected form or beyond a bound is undefined too and recorded in `leftOut`.
 */
export class Fields {
  readonly #object: JsonObject;
  readonly #path: string;
  readonly #leftOut: Rejection[];

  constructor(object: JsonObject, path: string, leftOut: Rejection[]) {
    this.#object = object;
    this.#path = path;
    this.#leftOut = leftOut;
  }

  has(key: string): boolean {
    const value = this.#value(key);
    return value !== undefined && value !== null && value !== "";
  }

  /** A text that may consist of digits, such as a name or a date; a number with at least `minDigits` is accepted. */
  textOrNumber(key: string, minDigits = 1): string | undefined {
    const value = this.#value(key);
    const digits =
      typeof value === "number" && Number.isSafeInteger(value) && value >= 0 ? String(value) : "";
    return digits.length >= minDigits ? digits : this.text(key);
  }

  /** A text, its white space normalised. */
  text(key: string): string | undefined {
    const value = this.#value(key);
    if (typeof value === "string" && value.length <= MAX_TEXT_LENGTH) return tidy(value);
    return this.unexpected(key, value);
  }

  /** Digits of a fixed length. A JSON number is accepted only if it cannot have lost a leading zero. */
  digits(key: string, length: number): string | undefined {
    const value = this.#value(key);
    const text =
      typeof value === "number"
        ? String(value)
        : typeof value === "string"
          ? value.replace(DECIMALS, "").replace(/[\s.\p{Cf}]/gu, "")
          : undefined;
    if (text === "") return undefined;
    if (text !== undefined && /^[0-9]+$/.test(text) && text.length === length) return text;
    if (typeof value === "number" && text !== undefined && text.length < length) {
      const deviation = { path: this.name(key), kind: "number" };
      this.leaveOut(`${this.name(key)} is a number that lost its leading zeros`, quoted(text), deviation);
      return undefined;
    }
    return this.unexpected(key, value);
  }

  /** A whole number from 0 on, or its digits as text. */
  whole(key: string): number | undefined {
    const value = this.#value(key);
    const number = typeof value === "string" ? parseWhole(value) : value;
    if (typeof number === "number" && Number.isInteger(number) && number >= 0 && number <= MAX_WHOLE)
      return number;
    return value === "" ? undefined : this.unexpected(key, value);
  }

  /** A JSON number that a rule accepts; a text is none. Undefined for 0. */
  numberExceptZero(key: string, isValid: (value: unknown) => value is number): number | undefined {
    const value = this.#value(key);
    if (value === 0) return undefined;
    return isValid(value) ? value : this.unexpected(key, value);
  }

  /** KVK's `Ja` and `Nee`, or another spelling of yes and no. */
  yesNo(key: string): boolean | undefined {
    const value = this.#value(key);
    if (typeof value === "boolean") return value;
    if (typeof value === "string") {
      const word = value.trim().toLowerCase();
      if (["ja", "j", "yes", "y", "true", "1"].includes(word)) return true;
      if (["nee", "n", "no", "false", "0"].includes(word)) return false;
      if (word === "") return undefined;
    }
    return this.unexpected(key, value);
  }

  /** `YYYYMMDD` as YYYY-MM-DD; a date with a part of zero is absent. */
  day(key: string): string | undefined {
    const value = this.textOrNumber(key);
    if (value === undefined) return undefined;
    const day = parseKvkDate(value);
    if (day === "partial") {
      this.leaveOut(`${this.name(key)} is only partly known`, quoted(value));
      return undefined;
    }
    return day ?? this.unexpected(key, value);
  }

  object(key: string): Fields | undefined {
    const value = this.#value(key);
    if (isJsonObject(value)) return new Fields(value, this.name(key), this.#leftOut);
    return this.unexpected(key, value);
  }

  /** The objects of an array, without other items. Undefined when the field is absent or not an array. */
  objects(key: string): Fields[] | undefined {
    return this.#list(key)?.flatMap((item) => {
      if (isJsonObject(item)) return [new Fields(item, `${this.name(key)}[]`, this.#leftOut)];
      this.#deviates(`an item of ${this.name(key)}`, `${this.name(key)}[]`, item);
      return [];
    });
  }

  /** The non-empty texts of an array. */
  texts(key: string): string[] | undefined {
    return this.#list(key)?.flatMap((item) => {
      const isText = typeof item === "string" && item.length <= MAX_TEXT_LENGTH;
      const text = isText ? tidy(item) : undefined;
      if (text !== undefined) return [text];
      if (item !== "" && item !== null)
        this.#deviates(`an item of ${this.name(key)}`, `${this.name(key)}[]`, item);
      return [];
    });
  }

  leaveOut(reason: string, detail?: string, deviation?: Deviation): void {
    this.#leftOut.push({ reason, ...known("detail", detail), ...known("deviation", deviation) });
  }

  /** The full name of a field, for a message. */
  name(key: string): string {
    return this.#path === "" ? key : `${this.#path}.${key}`;
  }

  #list(key: string): readonly unknown[] | undefined {
    const value = this.#value(key);
    return Array.isArray(value) && value.length <= MAX_ITEMS ? value : this.unexpected(key, value);
  }

  #value(key: string): unknown {
    return Object.hasOwn(this.#object, key) ? this.#object[key] : undefined;
  }

  /** Records that a field has an unexpected form. */
  unexpected(key: string, value = this.#value(key)): undefined {
    if (value !== undefined && value !== null && value !== "") {
      this.#deviates(this.name(key), this.name(key), value);
    }
    return undefined;
  }

  #deviates(what: string, path: string, value: unknown): void {
    this.leaveOut(`${what} has an unexpected form`, Array.isArray(value) ? undefined : quotedValue(value), {
      path,
      kind: kindOf(value),
    });
  }
}

function kindOf(value: unknown): string {
  if (Array.isArray(value)) return "list";
  return typeof value === "string" ? "text" : typeof value;
}
