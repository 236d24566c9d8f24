import { quoted } from "../contract/quoting.ts";

/**
 * Why a record or a field could not be used. `reason` is the same text for every record with the same fault, so that a
 * report can count it; `detail` is about this one and never contains a VAT number.
 */
export interface Rejection {
  readonly reason: string;
  readonly detail?: string;
  /** Set when an upstream's format differs from the known one. */
  readonly deviation?: Deviation;
}

/** A field of an upstream's answer in an unknown form; it is treated as absent. */
export interface Deviation {
  /** Such as `_embedded.eigenaar.rechtsvorm`: the name of a field, never part of a value. */
  readonly path: string;
  /** The type found: `text`, `number`, `boolean`, `list`, `object`, or `unmapped` for a value that no rule maps. */
  readonly kind: string;
}

/** Notes a part of an address that no field holds. @param isHidden whether its text must not be shown */
export function unplacedPart(text: string, isHidden = false): Rejection {
  const reason = "a part of an address that no field holds";
  return isHidden ? { reason } : { reason, detail: quoted(text) };
}

/** The rejection of a record with `PLACEHOLDER_KVK_NUMBER`. */
export const PLACEHOLDER: Rejection = { reason: "the KVK number is a placeholder (00000000)" };
