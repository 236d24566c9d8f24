/**
 * Why something could not be used. `reason` is the same text for every record with the same fault, so that a report
 * can count it; `detail` is about this one and never holds a VAT number.
 */
export interface Rejection {
  readonly reason: string;
  readonly detail?: string;
  /** Set when a foreign wire format is not what is known of it. */
  readonly deviation?: Deviation;
}

/** A field of a foreign wire format in a form that nobody knows; it is treated as absent. */
export interface Deviation {
  /** Such as `_embedded.eigenaar.rechtsvorm`: one of the fields that are read, never a part of a value. */
  readonly path: string;
  /** What it turned out to be: `text`, `number`, `boolean`, `list`, `object`, or `unmapped` for a value that no rule maps. */
  readonly kind: string;
}

/** Why a record is not used whose KVK number is `PLACEHOLDER_KVK_NUMBER`. */
export const PLACEHOLDER: Rejection = { reason: "the KVK number is a placeholder (00000000)" };
