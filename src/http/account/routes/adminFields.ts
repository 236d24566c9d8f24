/** What routes of operators share. */
import { Type } from "typebox";
import type { StoredPerson } from "../../../accounts/peopleStore.ts";
import { PersonRefusal } from "../../../accounts/refusal.ts";
import type { Services } from "../../endpoint.ts";
import type { SignedInVisit, Visit } from "../route.ts";

/** Of a list that an operator leafs through. */
export const PAGE_SIZE = 25;
const MOST_PAGES = 10_000;

export const PageQuery = Type.Object({
  page: Type.Integer({ minimum: 1, maximum: MOST_PAGES, default: 1, description: "Which page." }),
});

/** Who changes something, as the log names them. */
export function operatorOf({ signedIn }: SignedInVisit): string {
  return signedIn.person.account.id;
}

/** The person of an account. @throws {PersonRefusal} nothing */
export async function accountThere({ account }: Visit, id: string): Promise<StoredPerson> {
  const person = await account.people.person(id);
  if (person !== undefined) return person;
  throw new PersonRefusal("nothing", "there is no account with this id; it may have been deleted");
}

/** The month's tokens of a plan; 0 where the table has it no more. */
export function allowanceOf({ tiers }: Services, tierName: string): number {
  return (Object.hasOwn(tiers, tierName) ? tiers[tierName] : undefined)?.monthlyTokens ?? 0;
}
