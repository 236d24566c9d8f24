/** Entity tags, and whether a client already has the current representation (RFC 9110, sections 8.8.3 and 13.1.2). */
import { hash } from "node:crypto";

/**
 * Makes strong entity tags of bodies with a secret of the installation, the same on every node and after every start.
 * Without the secret a caller cannot compute the tag of a body it guesses, which a free 304 would confirm.
 */
export class EntityTags {
  readonly #secret: () => Promise<string>;
  #loaded: string | undefined;
  #loading: Promise<void> | undefined;

  /** @param secret reads the secret from the state, in hexadecimal digits */
  constructor(secret: () => Promise<string>) {
    this.#secret = secret;
  }

  /** Reads the secret. Never rejects: while the state is unavailable, responses have no tags. */
  load(): Promise<void> {
    this.#loading ??= this.#secret()
      .then(
        (secret) => {
          this.#loaded = secret;
        },
        () => {},
      )
      .finally(() => {
        this.#loading = undefined;
      });
    return this.#loading;
  }

  /**
   * Returns the tag of a body; undefined while the secret has not been read.
   * @param scope the key and the request: a tag of another one would confirm a guess for free
   */
  tagOf(scope: string, text: string): string | undefined {
    // The secret comes last, so that a known hash cannot be extended by more text.
    if (this.#loaded !== undefined) return `"${hash("sha256", scope + text + this.#loaded, "base64url")}"`;
    void this.load();
    return undefined;
  }
}

/** One element of a list of entity tags. Quotes may contain commas; empty elements and `*` are skipped. */
const TAG = /(?:[ \t]*(?:\*[ \t]*)?,)*[ \t]*(?:W\/)?("[\x21\x23-\x7e\x80-\xff]*")[ \t]*(?=,|$)/gy;
/** Appended by proxies that compress a response: mod_deflate of Apache, Jetty. */
const CODING_SUFFIX = /(?:--?|;)(?:gzip|br|deflate|zstd)"$/;

/**
 * Returns the tags in `If-None-Match`, up to the first malformed element. `*` is not a tag: it would read data for
 * free.
 */
export function tagsIn(ifNoneMatch = ""): readonly string[] {
  return ifNoneMatch === "" ? [] : Array.from(ifNoneMatch.matchAll(TAG), ([, tag = ""]) => tag);
}

/** Whether `If-None-Match` contains a tag (weak comparison). A tag with a suffix of a compressing proxy matches too. */
export function matchesTag(ifNoneMatch: string | undefined, tag: string): boolean {
  return tagsIn(ifNoneMatch).some((sent) => sent === tag || sent.replace(CODING_SUFFIX, '"') === tag);
}
