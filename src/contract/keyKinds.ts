/** Kinds of keys: `live` for programs; `test`, free and with fictional answers; `pub` for browsers, where anybody can copy it. */
export const KEY_KINDS = ["live", "test", "pub"] as const;
export type KeyKind = (typeof KEY_KINDS)[number];
