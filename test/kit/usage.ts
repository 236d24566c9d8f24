import { jsonOf } from "./answer.ts";
import { ask } from "./client.ts";

/** The tokens that a key's account has used this month, according to a service; for a test key, the test usage. */
export async function usedTokens(service: { readonly port: number }, key: string): Promise<number> {
  const usage = jsonOf(await ask(service, { path: "/v1/usage", key }));
  return (usage as { readonly tokens: { readonly used: number } }).tokens.used;
}
