import { describe } from "vitest";
import { accountLifecycle } from "./accountLifecycle.ts";
import { accountsAndKeys } from "./accounts.ts";
import { allowanceNotices } from "./allowanceNotices.ts";
import { browserKeys } from "./browserKeys.ts";
import { wrongClocks } from "./clock.ts";
import { emails } from "./emails.ts";
import { failedCalls } from "./failedCalls.ts";
import type { OpenStore } from "./fixture.ts";
import { keptAnswers } from "./kept.ts";
import { liveRegistry } from "./live.ts";
import { metering } from "./metering.ts";
import { operators } from "./operators.ts";
import { paidCalls } from "./paidCalls.ts";
import { people } from "./people.ts";
import { randomHistories } from "./randomHistory.ts";
import { recentCalls } from "./recentCalls.ts";
import { suspensions } from "./suspensions.ts";
import { testKeys } from "./testKeys.ts";
import { twoFactors } from "./twoFactors.ts";
import { typingSessions } from "./typingSessions.ts";
import { verdicts } from "./verdicts.ts";
import { waitingMails } from "./waitingMails.ts";

/** For tests: what every state store must hold. `open` connects to the state that a folder names. */
export function stateStoreSuite(name: string, open: OpenStore): void {
  describe(`${name}: metering`, () => metering(open));
  describe(`${name}: kept answers`, () => keptAnswers(open));
  describe(`${name}: test keys`, () => testKeys(open));
  describe(`${name}: wrong clocks`, () => wrongClocks(open));
  describe(`${name}: sessions of typing`, () => typingSessions(open));
  describe(`${name}: accounts and keys`, () => accountsAndKeys(open));
  describe(`${name}: keys for browsers`, () => browserKeys(open));
  describe(`${name}: people`, () => people(open));
  describe(`${name}: changes of address`, () => emails(open));
  describe(`${name}: two-factor sign-in`, () => twoFactors(open));
  describe(`${name}: operators`, () => operators(open));
  describe(`${name}: the life of an account`, () => accountLifecycle(open));
  describe(`${name}: waiting mails`, () => waitingMails(open));
  describe(`${name}: mails about an allowance`, () => allowanceNotices(open));
  describe(`${name}: recent calls`, () => recentCalls(open));
  describe(`${name}: failed calls`, () => failedCalls(open));
  describe(`${name}: suspensions`, () => suspensions(open));
  describe(`${name}: verdicts`, () => verdicts(open));
  describe(`${name}: a live registry`, () => liveRegistry(open));
  describe(`${name}: paid calls`, () => paidCalls(open));
  describe(`${name}: any history of events`, () => randomHistories(open));
}
