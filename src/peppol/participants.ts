/** How the network finds a participant: its identifiers, its host name in DNS, and its SMP by the record there. */
import { createHash } from "node:crypto";
import type { NaptrRecord } from "node:dns";
import type { CompanyFacts } from "../company/facts.ts";
import { isLegalPerson } from "../contract/legalForms.ts";
import type { KvkNumber } from "../contract/numbers.ts";
import { base32 } from "../lib/base32.ts";
import { isVatNumber, parseVatNumber } from "../vat/numbers/parse.ts";

/** The scheme of all identifiers of participants. */
export const PARTICIPANT_SCHEME = "iso6523-actorid-upis";

/** KVK number and VAT number, in the code list of Peppol. */
const SCHEMES = { kvk: "0106", vat: "9944" } as const;

/**
 * Returns the identifiers to ask about, the most likely first: the KVK number, and the VAT number of a legal person.
 * The VAT number of a person is never used: before 2020 it contained a citizen number.
 */
export function participantsOf(
  kvkNumber: KvkNumber,
  facts: Pick<CompanyFacts, "legalForm" | "vatNumber"> | undefined,
): readonly string[] {
  const byNumber = `${SCHEMES.kvk}:${kvkNumber}`;
  const { legalForm, vatNumber } = facts ?? {};
  if (vatNumber === undefined || !isLegalPerson(legalForm)) return [byNumber];
  const number = parseVatNumber(vatNumber);
  const isDutch = isVatNumber(number) && /^NL[0-9]{9}B[0-9]{2}$/.test(number.vatNumber);
  return isDutch ? [byNumber, `${SCHEMES.vat}:${number.vatNumber}`] : [byNumber];
}

/** Returns the name in DNS of a participant, by its hash (Peppol's policy for the SML, 2026). */
export function hostOf(participantId: string, zone: string): string {
  const hash = createHash("sha256").update(participantId.toLowerCase()).digest();
  return `${base32(hash)}.${PARTICIPANT_SCHEME}.${zone}`;
}

/** The delimiter is the first character; the pattern matches any name. Flags may follow. */
const REWRITE = /^(.)\^?\.\*\$?\1((?:(?!\1).)+)\1i?$/;

/** Returns the address of the SMP: that of the usable record with the lowest order, then the lowest preference. */
export function smpOf(records: readonly NaptrRecord[]): URL | undefined {
  const usable = records.flatMap(({ flags, service, regexp, order, preference }) => {
    const isSmp = flags.toLowerCase() === "u" && service.toLowerCase() === "meta:smp";
    const url = isSmp ? URL.parse(REWRITE.exec(regexp)?.[2] ?? "") : null;
    return url !== null && mayAsk(url) ? [{ url, order, preference }] : [];
  });
  return usable.sort((a, b) => a.order - b.order || a.preference - b.preference)[0]?.url;
}

/** Whether a URL of a stranger may be called by its form: https on its own port, or http as older SMPs publish it. */
export function mayAsk({ protocol, port, username, password }: URL): boolean {
  const isUsual = protocol === "http:" || (protocol === "https:" && port === "");
  return isUsual && username === "" && password === "";
}
