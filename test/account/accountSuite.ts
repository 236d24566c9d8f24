import { describe } from "vitest";
import type { MakeWorld } from "../kit/world.ts";
import { allowanceMails } from "./suite/allowanceMails.ts";
import { calls } from "./suite/calls.ts";
import { emails } from "./suite/emails.ts";
import { keyBounds } from "./suite/keyBounds.ts";
import { keys } from "./suite/keys.ts";
import { monitors } from "./suite/monitors.ts";
import { oneAccount } from "./suite/oneAccount.ts";
import { operator } from "./suite/operator.ts";
import { sessions } from "./suite/sessions.ts";
import { signingIn } from "./suite/signingIn.ts";
import { signingUp } from "./suite/signingUp.ts";
import { trying } from "./suite/trying.ts";
import { twoFactor } from "./suite/twoFactor.ts";
import { usage } from "./suite/usage.ts";

/** The suite of the account API, for each kind of store. Call it once per file. */
export function accountSuite(name: string, makeWorld: MakeWorld): void {
  describe(name, () => {
    describe("signing up", () => signingUp(makeWorld));
    describe("signing in", () => signingIn(makeWorld));
    describe("two-factor sign-in", () => twoFactor(makeWorld));
    describe("sessions", () => sessions(makeWorld));
    describe("addresses and exports", () => emails(makeWorld));
    describe("keys", () => keys(makeWorld));
    describe("bounds of keys", () => keyBounds(makeWorld));
    describe("calls", () => calls(makeWorld));
    describe("trying", () => trying(makeWorld));
    describe("monitors", () => monitors(makeWorld));
    describe("usage", () => usage(makeWorld));
    describe("allowance", () => allowanceMails(makeWorld));
    describe("operator", () => operator(makeWorld));
    describe("viewing one account", () => oneAccount(makeWorld));
  });
}
