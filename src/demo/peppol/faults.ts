import { isJsonObject } from "../../lib/values.ts";
import { COMMON_KINDS, FaultBoard, type FaultOf, text } from "../simulator/faults.ts";
import type { NaptrList } from "./dns.ts";

const RECORDS = {
  isRight: (value: unknown): value is NaptrList => Array.isArray(value) && value.every(isJsonObject),
  rule: "a list of NAPTR records: order, preference, flags, services and regexp",
};
const OWN_KINDS = {
  /** The DNS server fails. A `code` does the same, and so does `flapping` for every other question. */
  servfail: {},
  refused: {},
  /** The DNS server says that it is not the one of this zone. */
  notAuth: {},
  /** No response, ever. */
  silence: {},
  /** Over UDP a response without records that says that it was cut; over TCP the right one. */
  truncation: {},
  /** The right records under another name. */
  wrongOwner: {},
  /** The name exists, without records. */
  noData: {},
  /** Other NAPTR records for every participant. */
  records: { records: RECORDS },
  /** Bytes that are no DNS message, except for the number of the question. */
  badPacket: {},
  /** The SMP sends its caller elsewhere. */
  redirect: { to: text(/^[!-~]+$/, "an address") },
  /** The right response of the SMP, with more than 20 MB of spaces. */
  large: {},
  /** The right document types for another participant. */
  wrongParticipant: {},
  /** The right XML with a document type, and an entity instead of the identifier. */
  dtd: {},
} as const;

export type OwnFault = FaultOf<typeof OWN_KINDS>;
/**
 * The DNS server, the SMP, or (`*`) each of them without a fault of its own. Each ignores kinds of the other; of the
 * common ones the DNS server has `code`, `flapping` and `hang`.
 */
export type PeppolTarget = "dns" | "smp" | "*";

export const isOwn = (fault: { kind: string }): fault is OwnFault => Object.hasOwn(OWN_KINDS, fault.kind);

export function openFaultBoard(): FaultBoard<PeppolTarget, OwnFault> {
  return new FaultBoard({
    kinds: { ...COMMON_KINDS, ...OWN_KINDS },
    isTarget: (target): target is PeppolTarget => ["dns", "smp", "*"].includes(target),
    targets: "dns, smp, or * for both",
  });
}
