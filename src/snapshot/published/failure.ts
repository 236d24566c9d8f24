import { RegistryRefusal } from "../refusal.ts";

/**
 * Why a published snapshot was not taken. `address`: nothing answers; `answer`: something else does than was asked for;
 * `slow`: it does not end in time; `cut`: it ended early and is gone on with; `signature`, `manifest`, `older`, `layout`,
 * `size`: the manifest is not one to follow; `content`: the file is not what the manifest says; `disk`: no room.
 */
export type FetchFailureKind =
  | "address"
  | "answer"
  | "slow"
  | "cut"
  | "signature"
  | "manifest"
  | "older"
  | "layout"
  | "size"
  | "content"
  | "disk";

/** A published snapshot could not be taken; what was there is served on. The message says what to do. */
export class FetchFailure extends RegistryRefusal {
  readonly kind: FetchFailureKind;

  constructor(kind: FetchFailureKind, message: string, options: { cause?: unknown } = {}) {
    super(message, options);
    this.kind = kind;
  }
}
