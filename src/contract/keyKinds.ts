/** What a key is for: for programs; for trying, free and with fictional answers; for browsers, where anybody can copy it. */
export const KEY_KINDS = ["live", "test", "pub"] as const;
export type KeyKind = (typeof KEY_KINDS)[number];
