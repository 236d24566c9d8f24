/** The fixture of Try it: an account with enough tokens, and a VIES simulator. */
import type { Page } from "playwright-core";
import type { ViesSimulator } from "../../../src/demo/vies/server.ts";
import { fictionalRsins, REGISTERED, startVies } from "../../kit/vies.ts";
import { openStage, type StoreFixture, signUp, type Visit, visit } from "./visit.ts";

/** VAT numbers: unregistered, of {@link REGISTERED}, and one used only during an outage of VIES. */
export const [UNREGISTERED = "", KNOWN = "", NEVER_ASKED = ""] = fictionalRsins(3).map(
  (digits) => `NL${digits}B01`,
);

export interface TryStage {
  readonly fixture: StoreFixture;
  readonly vies: ViesSimulator;
  /** Signs a person up and opens Try it. */
  readonly enter: (email: string) => Promise<Visit>;
}

/** Creates the fixture for the tests of a file. */
export async function openTryStage(): Promise<TryStage> {
  const vies = await startVies({
    companyOf: (_state, number) => (UNREGISTERED.endsWith(number) ? undefined : REGISTERED),
  });
  const fixture = await openStage({
    tiers: { free: { monthlyTokens: 500, ratePerMinute: 1_000 } },
    environment: { VIES_URL: vies.url, VIES_FRESH_FOR: "0" },
  });
  const enter = async (email: string) => {
    const visitor = await visit(fixture);
    await signUp(visitor, email);
    await visitor.go("try");
    return visitor;
  };
  return { fixture, vies, enter };
}

export const spentOf = ({ page }: Visit) => page.getByTestId("spent").last().innerText();
export const companyBox = (page: Page) => page.getByRole("combobox", { name: "Name or KVK number" });
export const focusedText = (page: Page) => page.locator(":focus").first().innerText();
