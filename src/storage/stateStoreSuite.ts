import { describe } from "vitest";
import { accountsAndKeys } from "./suite/accounts.ts";
import { wrongClocks } from "./suite/clock.ts";
import { comingsAndGoings } from "./suite/comings.ts";
import { coursesOfEvents } from "./suite/course.ts";
import type { OpenStore } from "./suite/fixture.ts";
import { liveRegistry } from "./suite/live.ts";
import { metering } from "./suite/metering.ts";
import { paidCalls } from "./suite/paidCalls.ts";
import { people } from "./suite/people.ts";
import { suspensions } from "./suite/suspensions.ts";
import { verdicts } from "./suite/verdicts.ts";
import { waitingMails } from "./suite/waitingMails.ts";

/** For tests: what every state store must hold. `open` connects to the state that a folder names. */
export function stateStoreSuite(name: string, open: OpenStore): void {
  describe(`${name}: metering`, () => metering(open));
  describe(`${name}: wrong clocks`, () => wrongClocks(open));
  describe(`${name}: accounts and keys`, () => accountsAndKeys(open));
  describe(`${name}: people`, () => people(open));
  describe(`${name}: comings and goings`, () => comingsAndGoings(open));
  describe(`${name}: waiting mails`, () => waitingMails(open));
  describe(`${name}: suspensions`, () => suspensions(open));
  describe(`${name}: verdicts`, () => verdicts(open));
  describe(`${name}: a live registry`, () => liveRegistry(open));
  describe(`${name}: paid calls`, () => paidCalls(open));
  describe(`${name}: any course of events`, () => coursesOfEvents(open));
}
