import type { Migration } from "kysely/migration";
import * as state from "./0001_state.ts";
import * as verdicts from "./0002_verdicts.ts";
import * as appliedBatches from "./0003_applied_batches.ts";
import * as kvk from "./0005_kvk.ts";
import * as granted from "./0006_granted.ts";
import * as people from "./0007_people.ts";
import * as openLines from "./0008_open_lines.ts";
import * as departedMonths from "./0009_departed_months.ts";
import * as suspendedAddresses from "./0010_suspended_addresses.ts";
import * as knownAddresses from "./0011_known_addresses.ts";
import * as waitingMails from "./0012_waiting_mails.ts";
import * as sharedCalls from "./0013_shared_calls.ts";
import * as keysInPages from "./0014_keys_in_pages.ts";
import * as keyBounds from "./0016_key_bounds.ts";
import * as calls from "./0017_calls.ts";
import * as twoFactors from "./0019_two_factors.ts";
import * as audit from "./0020_audit.ts";
import * as viesHistory from "./0023_vies_history.ts";
import * as toldMarks from "./0024_told_marks.ts";
import * as failedCalls from "./0025_failed_calls.ts";
import * as allowanceNotices from "./0026_allowance_notices.ts";
import * as operatorNotes from "./0027_operator_notes.ts";
import * as keyKinds from "./0028_key_kinds.ts";
import * as browserKeys from "./0029_browser_keys.ts";
import * as testKeys from "./0030_test_keys.ts";
import * as typingSessions from "./0031_typing_sessions.ts";
import * as keptAnswers from "./0032_kept_answers.ts";
import * as jobs from "./0034_jobs.ts";
import * as webhooks from "./0035_webhooks.ts";
import * as sessionReservations from "./0038_session_reservations.ts";
import * as owners from "./0040_owners.ts";
import * as knownAddressesByAge from "./0041_known_addresses_by_age.ts";
import * as accountTabs from "./0042_account_tabs.ts";
import * as tabsClose from "./0043_tabs_close.ts";
import * as listTotals from "./0044_list_totals.ts";

/** Every change of the tables, in order. A migration that was released is never edited. */
export const MIGRATIONS: Readonly<Record<string, Migration>> = {
  "0001_state": state,
  "0002_verdicts": verdicts,
  "0003_applied_batches": appliedBatches,
  "0005_kvk": kvk,
  "0006_granted": granted,
  "0007_people": people,
  "0008_open_lines": openLines,
  "0009_departed_months": departedMonths,
  "0010_suspended_addresses": suspendedAddresses,
  "0011_known_addresses": knownAddresses,
  "0012_waiting_mails": waitingMails,
  "0013_shared_calls": sharedCalls,
  "0014_keys_in_pages": keysInPages,
  "0016_key_bounds": keyBounds,
  "0017_calls": calls,
  "0019_two_factors": twoFactors,
  "0020_audit": audit,
  "0023_vies_history": viesHistory,
  "0024_told_marks": toldMarks,
  "0025_failed_calls": failedCalls,
  "0026_allowance_notices": allowanceNotices,
  "0027_operator_notes": operatorNotes,
  "0028_key_kinds": keyKinds,
  "0029_browser_keys": browserKeys,
  "0030_test_keys": testKeys,
  "0031_typing_sessions": typingSessions,
  "0032_kept_answers": keptAnswers,
  "0034_jobs": jobs,
  "0035_webhooks": webhooks,
  "0038_session_reservations": sessionReservations,
  "0040_owners": owners,
  "0041_known_addresses_by_age": knownAddressesByAge,
  "0042_account_tabs": accountTabs,
  "0043_tabs_close": tabsClose,
  "0044_list_totals": listTotals,
};
