/**
 * Kinds of keys: `live` for servers; `test`, free, with fictional data; `pub` for browsers, where the key is visible.
 */
export const KEY_KINDS = ["live", "test", "pub"] as const;
export type KeyKind = (typeof KEY_KINDS)[number];
