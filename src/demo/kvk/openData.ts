import { known } from "../../lib/values.ts";
import type { Reply } from "../simulator/sending.ts";
import { errorAnswer } from "./answers.ts";
import type { Register } from "./register.ts";

/** KVK's codes of insolvency: bankruptcy, suspension of payments, debt restructuring. */
export type InsolventieCode = "FAIL" | "SURS" | "SSAN";

/** The open data of some companies, in place of their own. */
export interface OpenDataChange {
  /** Any text, so that tests can send an unknown code. */
  readonly insolventieCode?: string;
  readonly actief?: string;
}

/**
 * `GET /v1/hvds/basisbedrijfsgegevens/kvknummer/{number}`: of BVs and NVs only. The shape is that of recorded
 * responses: no number, name or address, and no code for a company that is solvent. Its 404 is as other clients
 * describe it.
 */
export function openDataAnswer(
  register: Register,
  kvkNumber: string,
  change: OpenDataChange | undefined,
): Reply {
  if (!/^[0-9]{8}$/.test(kvkNumber)) return errorAnswer("IPD0004", kvkNumber);
  const facts = register.company(kvkNumber)?.facts;
  if (facts === undefined || (facts.legalForm !== "BV" && facts.legalForm !== "NV")) {
    return errorAnswer("IPD0015", kvkNumber);
  }
  const { registrationDate, isActive, legalForm, address, activities = [] } = facts;
  const region = Number(address?.postalCode?.slice(0, 2));
  return {
    status: 200,
    body: {
      datumAanvang: (registrationDate ?? "").replaceAll("-", ""),
      actief: isActive ? "J" : "N",
      rechtsvormCode: legalForm,
      ...known("postcodeRegio", Number.isInteger(region) ? region : undefined),
      activiteiten: activities.map(({ sbiCode, isMain }) => ({
        sbiCode,
        soortActiviteit: isMain ? "Hoofdactiviteit" : "Nevenactiviteit",
      })),
      lidstaat: "NL",
      ...change,
    },
  };
}
