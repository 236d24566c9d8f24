import { isPageKey, PAGE_KEY_NAME } from "../../../contract/pageKey.ts";
import type { NamedKeys, NameOfKey } from "../../../metering/usage.ts";
import type { Visit } from "../route.ts";

/**
 * What an account calls keys of its own, by id. Keys of an earlier account of the address have no name.
 * @param ids may hold one several times
 */
export async function namesOf(
  { account }: Visit,
  accountId: string,
  ids: readonly string[],
): Promise<NamedKeys> {
  const keyIds = [...new Set(ids)];
  const keys = await account.people.keysNamed(accountId, keyIds);
  const names = new Map<string, NameOfKey>(keys.map(({ id, name, lastFour }) => [id, { name, lastFour }]));
  for (const id of keyIds.filter(isPageKey)) names.set(id, { name: PAGE_KEY_NAME, isPage: true });
  return names;
}
