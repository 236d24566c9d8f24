import { parseKvkDate } from "../../company/dates.ts";
import type { Deviation } from "../../company/rejection.ts";
import type { InsolvencyType } from "../../contract/insolvency.ts";
import { parseSbiCode } from "../../contract/numbers.ts";
import type { Activity } from "../../contract/resources.ts";
import { isJsonObject, type JsonObject, known } from "../../lib/values.ts";
import type { UpstreamResponse } from "../../upstream/pool.ts";
import * as codes from "../api/codes.ts";
import { bodyOf, readKvkResponse } from "../api/readResponse.ts";
import type { KvkNoAnswer } from "../api/results.ts";
import type { Found, NotFound } from "../liveSource.ts";

/** The part of KVK's open data about a company that is used. An absent field is unknown. */
export interface OpenData {
  readonly insolvency?: InsolvencyType;
  readonly isActive?: boolean;
  /** Without descriptions. */
  readonly activities?: readonly Activity[];
  /** When the business began, YYYY-MM-DD; not the day of registration. */
  readonly startDate?: string;
}

/** `not-found`: the open data does not have the company. It has only BVs and NVs. */
export type OpenDataResult = Found<OpenData> | NotFound | KvkNoAnswer;

/** KVK's codes: faillissement, surseance van betaling, schuldsanering. */
const INSOLVENCIES: ReadonlyMap<string, InsolvencyType> = new Map([
  ["FAIL", "bankruptcy"],
  ["SURS", "suspension_of_payments"],
  ["SSAN", "debt_restructuring"],
]);
const CODE_FIELD = "insolventieCode";
const ABOUT_INSOLVENCY = /insolv/i;
/** The code of a 404 for anything but a BV or NV. */
const NO_DATA = "IPD0015";
/** Of codes and fields that KVK may add. */
const MAX_NAME_LENGTH = 100;
/** A longer list is no list of one company's activities. */
const MAX_ACTIVITIES = 200;
const KINDS: ReadonlyMap<unknown, boolean> = new Map([
  ["Hoofdactiviteit", true],
  ["Nevenactiviteit", false],
]);
const HTML = /^\s*</;
const BROKEN_JSON = /^\s*\{/;

/**
 * Reads a response of KVK's open data (High Value Dataset, basisbedrijfsgegevens). A company is solvent only in a
 * response of the known form without a code: an unknown code is reported and makes the insolvency unknown. Never
 * throws.
 * @param asOf when it was received, ISO 8601 UTC
 */
export function readOpenData(
  response: UpstreamResponse,
  asOf: string,
  onDeviation: (deviation: Deviation) => void,
): OpenDataResult {
  if (response.status === 404) return readAbsence(response, asOf);
  const result = readKvkResponse(response, asOf);
  if (result.kind !== "found") return result;
  const { actief, rechtsvormCode, activiteiten, datumAanvang } = result.value;
  if (typeof actief !== "string" && typeof rechtsvormCode !== "string") return codes.UNREADABLE;
  const insolvency = readInsolvency(result.value, onDeviation);
  const isActive = readActive(actief, onDeviation);
  return {
    kind: "found",
    value: {
      ...known("insolvency", insolvency),
      ...known("isActive", isActive),
      ...known("activities", readActivities(activiteiten, onDeviation)),
      ...known("startDate", readStartDate(datumAanvang, onDeviation)),
    },
    asOf,
  };
}

/** The form of KVK's 404 is not known, so any counts, except a page of a proxy and a code that asks for a later try. */
function readAbsence(response: UpstreamResponse, asOf: string): OpenDataResult {
  const body = bodyOf(response);
  if (body === undefined && HTML.test(response.text)) return codes.NO_SUCH_ADDRESS;
  if (body === undefined && BROKEN_JSON.test(response.text)) return codes.UNREADABLE;
  const [fault] = Array.isArray(body?.fout) ? body.fout : [];
  const code =
    isJsonObject(fault) && typeof fault.code === "string" ? fault.code.slice(0, MAX_NAME_LENGTH) : undefined;
  const result = code === undefined || code.trim() === NO_DATA ? undefined : readKvkResponse(response, asOf);
  if (result?.kind === "no-answer" && result.cause !== "request") return result;
  return { kind: "not-found", reason: code ?? "NO_DATA", asOf };
}

function readInsolvency(
  body: JsonObject,
  onDeviation: (deviation: Deviation) => void,
): InsolvencyType | undefined {
  const moved = Object.keys(body).find((key) => key !== CODE_FIELD && ABOUT_INSOLVENCY.test(key));
  if (moved !== undefined) {
    onDeviation({ path: moved.slice(0, MAX_NAME_LENGTH), kind: "unmapped" });
    return undefined;
  }
  const code = body[CODE_FIELD];
  if (code === undefined || code === null || code === "") return "none";
  const insolvency = typeof code === "string" ? INSOLVENCIES.get(code.trim().toUpperCase()) : undefined;
  if (insolvency === undefined) onDeviation({ path: CODE_FIELD, kind: "unmapped" });
  return insolvency;
}

function readActive(value: unknown, onDeviation: (deviation: Deviation) => void): boolean | undefined {
  if (value === "J") return true;
  if (value === "N") return false;
  onDeviation({ path: "actief", kind: "unmapped" });
  return undefined;
}

/** Unknown when one activity is: a part of the list would look like a change. An empty list says nothing. */
function readActivities(
  value: unknown,
  onDeviation: (deviation: Deviation) => void,
): readonly Activity[] | undefined {
  if (value === undefined || value === null) return undefined;
  const items: readonly unknown[] = Array.isArray(value) ? value : [value];
  const activities = items.slice(0, MAX_ACTIVITIES).flatMap((item) => readActivity(item) ?? []);
  if (activities.length < items.length) {
    onDeviation({ path: "activiteiten", kind: "unmapped" });
    return undefined;
  }
  return activities.length === 0 ? undefined : activities;
}

function readActivity(item: unknown): Activity | undefined {
  if (!isJsonObject(item)) return undefined;
  const sbiCode = typeof item.sbiCode === "string" ? parseSbiCode(item.sbiCode) : undefined;
  const isMain = KINDS.get(item.soortActiviteit);
  return sbiCode === undefined || isMain === undefined ? undefined : { sbiCode, isMain };
}

/** Unknown when KVK knows only a part of the date. */
function readStartDate(value: unknown, onDeviation: (deviation: Deviation) => void): string | undefined {
  if (value === undefined || value === null || value === "") return undefined;
  const day = typeof value === "string" ? parseKvkDate(value.trim()) : undefined;
  if (day === undefined) onDeviation({ path: "datumAanvang", kind: "unmapped" });
  return day === "partial" ? undefined : day;
}
