import { PRODUCTS, type Product } from "../../kvk/api/results.ts";
import { FaultBoard, isFlapDown } from "../faultBoard.ts";
import { COUNT, type Kinds, MS, matching, optional, problemIn, STATUS } from "../kinds.ts";
import { TRANSPORT_KINDS, type TransportFault } from "../transport.ts";

/** Something that goes wrong with every request for which it is set. Times are in milliseconds. */
export type Fault =
  | TransportFault
  /** An error of KVK; `status` replaces the HTTP status that it gives to this code. */
  | { readonly kind: "code"; readonly code: string; readonly status?: number }
  /** The gateway before the products refuses: 401, 403, 404, 502, … */
  | { readonly kind: "gateway"; readonly status: number }
  /** Every other request, beginning with the first, gets the code; with `first`: that many, and then none. */
  | { readonly kind: "flapping"; readonly code: string; readonly first?: number }
  /** No answer until the fault is cleared or replaced, or the caller hangs up. */
  | { readonly kind: "hang" }
  /** The right answer under another content type. */
  | { readonly kind: "contentType"; readonly type: string }
  /** The right answer, too large for anybody. */
  | { readonly kind: "tooLarge" }
  /** The right answer with another value in the place of every field of this name. */
  | { readonly kind: "deviate"; readonly field: string; readonly value: unknown }
  /** The right answer with `links` as an array, or `_links` as an object, which is the rule. */
  | { readonly kind: "links"; readonly form: "array" | "object" };

/** A fault as one request meets it. */
export type MetFault = Exclude<Fault, { kind: "flapping" | "hang" }>;

/** What a fault is set for: one product, or (`*`) every one that has none of its own. */
export type FaultTarget = Product | "*";

export function isFaultTarget(text: string): text is FaultTarget {
  return text === "*" || PRODUCTS.some((product) => product === text);
}

const CODE = matching(/^[A-Z]{3}[0-9]{4}$/, "a code such as IPD5200");
const TEXT = matching(/^[ -~]{1,100}$/, "a text of 1 to 100 characters");

const KINDS: Kinds<Fault["kind"]> = {
  code: { code: CODE, status: optional(STATUS) },
  gateway: { status: STATUS },
  flapping: { code: CODE, first: optional(COUNT) },
  hang: {},
  contentType: { type: TEXT },
  tooLarge: {},
  deviate: { field: TEXT, value: { isRight: () => true, rule: "any JSON value" } },
  links: { form: matching(/^(array|object)$/, "array or object") },
  ...TRANSPORT_KINDS,
  latency: { ms: MS },
};

/** Every kind of fault. */
export const FAULT_KINDS = Object.keys(KINDS);

/** Why a value is no fault, with what would be right; undefined when it is one. */
export function faultProblem(value: unknown): string | undefined {
  return problemIn(KINDS, value);
}

export function isFault(value: unknown): value is Fault {
  return faultProblem(value) === undefined;
}

export type KvkFaultBoard = FaultBoard<FaultTarget, Fault, MetFault>;

export function openFaultBoard(): KvkFaultBoard {
  return new FaultBoard<FaultTarget, Fault, MetFault>({
    problemIn: faultProblem,
    fallbackOf: () => "*",
    meet: (fault, metBefore) => {
      if (fault.kind === "hang") return fault.kind;
      if (fault.kind !== "flapping") return fault;
      return isFlapDown(metBefore, fault.first) ? { kind: "code", code: fault.code } : undefined;
    },
  });
}
