/**
 * Why something could not be used. `reason` is the same text for every record with the same fault, so that a report
 * can count it; `detail` is about this one and never holds a VAT number.
 */
export interface Rejection {
  readonly reason: string;
  readonly detail?: string;
}
