import { isPageKey, PAGE_KEY_NAME } from "../../../contract/pageKey.ts";
import type { NamedKeys, NameOfKey } from "../../../metering/usage.ts";
import type { SignedInVisit } from "../route.ts";

/**
 * What the person calls keys of theirs, by id. Keys of an earlier account of the address have no name.
 * @param ids may hold one several times
 */
export async function namesOf(
  { account, signedIn }: SignedInVisit,
  ids: readonly string[],
): Promise<NamedKeys> {
  const keyIds = [...new Set(ids)];
  const keys = await account.people.keysNamed(signedIn.person.account.id, keyIds);
  const names = new Map<string, NameOfKey>(keys.map(({ id, name, lastFour }) => [id, { name, lastFour }]));
  for (const id of keyIds.filter(isPageKey)) names.set(id, { name: PAGE_KEY_NAME, isPage: true });
  return names;
}
