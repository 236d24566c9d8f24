import { isPageKey, PAGE_KEY_NAME } from "../../../contract/pageKey.ts";
import type { NamedKeys, NameOfKey } from "../../../metering/usage.ts";
import type { Visit } from "../route.ts";

const NAMED_AT_ONCE = 500;

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
  const names = new Map<string, NameOfKey>();
  // Some at a time, so that nobody waits long for the state.
  for (let from = 0; from < keyIds.length; from += NAMED_AT_ONCE) {
    const keys = await account.people.keysNamed(accountId, keyIds.slice(from, from + NAMED_AT_ONCE));
    for (const { id, name, lastFour } of keys) names.set(id, { name, lastFour });
  }
  for (const id of keyIds.filter(isPageKey)) names.set(id, { name: PAGE_KEY_NAME, isPage: true });
  return names;
}
