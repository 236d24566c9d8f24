import { type Answer, encode, type NaptrData, type Question, TRUNCATED_RESPONSE } from "dns-packet";
import { hostOf as nameOf } from "../../peppol/participants.ts";
import { OTHER_ID } from "./smp.ts";

export interface DnsQuery extends Question {
  readonly id: number;
  readonly transport: "udp" | "tcp";
}
export type NaptrList = readonly Omit<NaptrData, "replacement">[];

/** The zone of the host names of participants. */
export const SIMULATED_ZONE = "participant.sml.simulated.example";
/** A name of the SMP, which is resolved to 127.0.0.1. */
export const SIMULATED_SMP_HOST = "smp.simulated.example";
const SMP_ADDRESS: Answer = { type: "A", name: SIMULATED_SMP_HOST, data: "127.0.0.1" };
/** Codes of a response (RFC 1035, 4.1.1). */
const FAILURES: Readonly<Record<string, number>> = { code: 2, servfail: 2, refused: 5, notAuth: 9 };
const NO_SUCH_NAME = 3;

/** The host name that stands for a participant, in lowercase. */
export const hostOf = (id: string): string => nameOf(id, SIMULATED_ZONE).toLowerCase();

/**
 * Returns the response to a question under a kind of fault, or undefined for none.
 * @param naptr the records of the participant whose host is asked for, if it is registered
 */
export function dnsResponse(query: DnsQuery, naptr: NaptrList | undefined, kind = "") {
  if (kind === "silence") return undefined;
  if (kind === "badPacket") return Buffer.of(query.id >> 8, query.id & 255, ...Buffer.from("no DNS message"));
  const records = query.name.toLowerCase() === SIMULATED_SMP_HOST ? [SMP_ADDRESS] : naptr?.map(naptrRecord);
  const isCut = kind === "truncation" && query.transport === "udp";
  const isEmpty = isCut || kind === "noData" || kind in FAILURES;
  const found = isEmpty ? [] : (records ?? []).filter(({ type }) => type === query.type);
  const name = kind === "wrongOwner" ? hostOf(OTHER_ID) : query.name;
  const code = FAILURES[kind] ?? (records === undefined && kind !== "noData" ? NO_SUCH_NAME : 0);
  const flags = code | (isCut ? TRUNCATED_RESPONSE : 0);
  const answers = found.map((record) => ({ ...record, name }));
  return encode({ type: "response", id: query.id, flags, questions: [query], answers });
}

function naptrRecord(fields: NaptrList[number]): Answer {
  return { type: "NAPTR", name: "", data: { ...fields, replacement: "." } };
}
