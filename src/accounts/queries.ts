import type { Kysely } from "kysely";
import type { StoreClock } from "../database/clock.ts";
import type { Tables } from "../database/schema/tables.ts";
import { accountListQueries } from "./queries/accounts.ts";
import { allowanceNoticeQueries } from "./queries/allowanceNotices.ts";
import { ownerQueries } from "./queries/deletion.ts";
import { emailQueries } from "./queries/emails.ts";
import { keyQueries } from "./queries/keys.ts";
import { mailQueries } from "./queries/mails.ts";
import { monitorNoticeQueries } from "./queries/monitorNotices.ts";
import { auditQueries, operatorQueries, planQueries } from "./queries/operators.ts";
import { personQueries, secretQueries, suspensionQueries } from "./queries/persons.ts";
import { retentionQueries } from "./queries/retention.ts";
import { sessionQueries } from "./queries/sessions.ts";
import { attemptQueries, tokenQueries } from "./queries/tokens.ts";
import { twoFactorQueries } from "./queries/twoFactors.ts";

export function peopleQueries(db: Kysely<Tables>, now: StoreClock) {
  return {
    ...ownerQueries(db),
    ...secretQueries(db),
    ...personQueries(db, now),
    ...suspensionQueries(db),
    ...emailQueries(db, now),
    ...sessionQueries(db),
    ...tokenQueries(db),
    ...attemptQueries(db),
    ...twoFactorQueries(db),
    ...auditQueries(db),
    ...operatorQueries(db),
    ...mailQueries(db, now),
    ...allowanceNoticeQueries(db, now),
    ...monitorNoticeQueries(db, now),
    ...keyQueries(db),
    ...planQueries(db),
    ...accountListQueries(db),
    ...retentionQueries(db),
  };
}

export type PeopleQueries = ReturnType<typeof peopleQueries>;
