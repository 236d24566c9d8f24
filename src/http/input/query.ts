import { ApiError } from "../../contract/errors.ts";
import { quoted } from "../../contract/quoting.ts";

/** The query of a URL as it was sent: decoded pairs in order, and the first name whose escapes cannot be decoded. */
export interface RawQuery {
  readonly pairs: readonly (readonly [name: string, value: string])[];
  readonly undecodable?: string;
}

const EMPTY: RawQuery = { pairs: [] };

/** Splits and decodes what follows `?`. Invalid percent escapes and invalid UTF-8 are reported, never guessed. */
export function readRawQuery(url: string): RawQuery {
  const start = url.indexOf("?");
  if (start === -1 || start === url.length - 1) return EMPTY;
  const pairs: [string, string][] = [];
  let undecodable: string | undefined;
  for (const part of url.slice(start + 1).split("&")) {
    if (part === "") continue;
    const equals = part.indexOf("=");
    const name = decode(equals === -1 ? part : part.slice(0, equals));
    const value = decode(equals === -1 ? "" : part.slice(equals + 1));
    if (name === undefined || value === undefined) undecodable ??= name ?? "a parameter name";
    else pairs.push([name, value]);
  }
  return undecodable === undefined ? { pairs } : { pairs, undecodable };
}

/** Where a key may stand in a query; every endpoint that needs one knows it. */
export const KEY_PARAMETER = "apikey";

/** The key of a query when there is exactly one. */
export function keyInQuery({ pairs }: RawQuery): string | undefined {
  const found = pairs.filter(([name]) => name === KEY_PARAMETER);
  return found.length === 1 ? found[0]?.[1] : undefined;
}

/**
 * The parameters by name, each one known, given once and decodable.
 * @throws {ApiError} INVALID_REQUEST that names the parameter and the known ones
 */
export function knownOnce(query: RawQuery, known: readonly string[]): ReadonlyMap<string, string> {
  if (query.undecodable !== undefined) {
    throw new ApiError(
      "INVALID_REQUEST",
      `${quoted(query.undecodable)} must be percent-encoded UTF-8; it cannot be decoded`,
    );
  }
  const values = new Map<string, string>();
  for (const [name, value] of query.pairs) {
    if (name !== KEY_PARAMETER && !known.includes(name)) {
      const names = known.length === 0 ? "none" : known.join(", ");
      throw new ApiError("INVALID_REQUEST", `unknown query parameter ${quoted(name)}; known here: ${names}`);
    }
    if (values.has(name)) {
      throw new ApiError("INVALID_REQUEST", `query parameter ${name} must be given once; it was repeated`);
    }
    values.set(name, value);
  }
  values.delete(KEY_PARAMETER);
  return values;
}

function decode(text: string): string | undefined {
  if (!text.includes("%")) return text.includes("+") ? text.replaceAll("+", " ") : text;
  try {
    return decodeURIComponent(text.replaceAll("+", " "));
  } catch {
    return undefined;
  }
}
