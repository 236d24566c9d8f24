import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { escapeXml } from "../../insolvency/court/soap.ts";
import { PARTICIPANT_SCHEME } from "../../peppol/participants.ts";
import type { Outgoing, Reply } from "../simulator/sending.ts";

export interface SimulatedParticipant {
  /** `0106:90001001` or `9944:NL…`, compared without case. */
  readonly id: string;
  /** Whole document type identifiers, `busdox-docid-qns::…`. */
  readonly documents: readonly string[];
  /** 1 (busdox, default) or 2 (OASIS SMP 2.0). */
  readonly version?: 1 | 2;
}

/** A participant that answers for others under some faults. */
export const OTHER_ID = "0106:90009999";
const OASIS = "http://docs.oasis-open.org/bdxr/ns/SMP/2";
const PADDING = Array<Buffer>(320).fill(Buffer.alloc(64 * 1024, " "));

/** Returns the XML of an SMP for a participant, under a kind of fault. @param smp its base address */
export function serviceGroup({ version, ...facts }: SimulatedParticipant, smp: string, kind = "") {
  const id = escapeXml(kind === "wrongParticipant" ? OTHER_ID : facts.id);
  const type = `<!DOCTYPE ServiceGroup [<!ENTITY participant "${id}">]>\n`;
  const [documentType, shown] = kind === "dtd" ? [type, "&participant;"] : ["", id];
  const references = facts.documents.map((document) => {
    const [, scheme, name] = /^(.*?)::(.*)$/.exec(escapeXml(document)) ?? [];
    const inner = `<b:ID schemeID="${scheme}">${name}</b:ID>`;
    if (version === 2) return `<a:ServiceReference>${inner}</a:ServiceReference>`;
    const parts = [`${PARTICIPANT_SCHEME}::${facts.id}`, "services", document].map(encodeURIComponent);
    return `<ServiceMetadataReference href="${escapeXml([smp, ...parts].join("/"))}"/>`;
  });
  const oasis = `<ServiceGroup xmlns="${OASIS}/ServiceGroup" xmlns:a="${OASIS}/AggregateComponents" xmlns:b="${OASIS}/BasicComponents">
<b:SMPVersionID>2.0</b:SMPVersionID><b:ParticipantID schemeID="${PARTICIPANT_SCHEME}">${shown}</b:ParticipantID>
${references.join("\n")}</ServiceGroup>\n`;
  const busdox = `<ServiceGroup xmlns="http://busdox.org/serviceMetadata/publishing/1.0/" xmlns:id="http://busdox.org/transport/identifiers/1.0/">
<id:ParticipantIdentifier scheme="${PARTICIPANT_SCHEME}">${shown}</id:ParticipantIdentifier>
<ServiceMetadataReferenceCollection>${references.join("\n")}</ServiceMetadataReferenceCollection></ServiceGroup>\n`;
  return `<?xml version="1.0" encoding="UTF-8"?>\n${documentType}${version === 2 ? oasis : busdox}`;
}

/** Sends a response with spaces before its last tag, only as fast as they are read. */
export async function sendLarge({ response }: Outgoing, { status, headers, text = "" }: Reply) {
  const end = text.lastIndexOf("</");
  const parts = [text.slice(0, end), ...PADDING, text.slice(end)];
  await pipeline(Readable.from(parts), response.writeHead(status, { ...headers }));
}
