import { createHash } from "node:crypto";
import type { Accounts } from "../accounts/accounts.ts";
import { makeKey } from "../contract/keyForm.ts";
import type { TierTable } from "../contract/tiers.ts";

/** Public on purpose: everybody's demo has the same keys, so that examples can be pasted. */
const PUBLIC_SEED = "opzoek demo";
const KEY_NAME = "demo";

export interface DemoKey {
  readonly tierName: string;
  readonly key: string;
}

/** The key of a tier's demo account, the same on every machine. */
export function demoKey(tierName: string): string {
  return makeKey("test", seededBytes(`${PUBLIC_SEED} ${tierName}`));
}

/** One account with one key for each tier; what is there already is kept. */
export async function ensureDemoAccounts(accounts: Accounts, tiers: TierTable): Promise<DemoKey[]> {
  const known = new Map((await accounts.list()).map((account) => [account.email, account]));
  const keys: DemoKey[] = [];
  for (const tierName of Object.keys(tiers)) {
    const email = demoEmail(tierName);
    const { id } = known.get(email) ?? (await accounts.add(email, tierName));
    const key = demoKey(tierName);
    const hasKey = (await accounts.keys(id)).keys.some(({ name }) => name === KEY_NAME);
    if (!hasKey) await accounts.addKey(id, KEY_NAME, key);
    keys.push({ tierName, key });
  }
  return keys;
}

/** Whether a state holds the demo's accounts, whose keys everybody knows. */
export async function demoIsHere(accounts: Accounts): Promise<boolean> {
  return (await accounts.list()).some(({ email }) => email.endsWith(DEMO_DOMAIN));
}

const DEMO_DOMAIN = "@demo.example";

function demoEmail(tierName: string): string {
  return `${tierName}${DEMO_DOMAIN}`;
}

/** Bytes that follow from a text: SHA-256 in counter mode. */
function seededBytes(seed: string): (count: number) => Uint8Array {
  let block = 0;
  return (count) => {
    const blocks: Buffer[] = [];
    for (let length = 0; length < count; length += 32) {
      blocks.push(createHash("sha256").update(`${seed} ${block++}`).digest());
    }
    return Buffer.concat(blocks).subarray(0, count);
  };
}
