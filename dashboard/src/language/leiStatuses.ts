import type { LeiStatus } from "../../../src/contract/identifiers.ts";
import { bilingual, type Pair } from "./bilingual.ts";

export const leiStatuses = bilingual({
  issued: ["issued", "uitgegeven"],
  lapsed: ["lapsed: not renewed", "verlopen: niet verlengd"],
  retired: ["retired", "beëindigd"],
  merged: ["merged into another", "opgegaan in een andere LEI"],
  transferred: ["transferred to another issuer", "overgedragen aan een andere uitgever"],
  pending_transfer: ["being transferred to another issuer", "in overdracht naar een andere uitgever"],
  pending_archival: ["being transferred: to be archived", "in overdracht: wordt gearchiveerd"],
} satisfies Record<LeiStatus, Pair>);
