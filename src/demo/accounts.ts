import { createHash } from "node:crypto";
import type { Accounts } from "../accounts/accounts.ts";
import { makeKey } from "../contract/keyForm.ts";
import type { TierTable } from "../contract/tiers.ts";

/** Public on purpose: every demo has the same keys, so that examples can be pasted. */
const PUBLIC_SEED = "opzoek demo";
/** Not "demo": that is the name of the key that earlier versions printed, which stays valid. */
const KEY_NAMES = { live: "demo live", test: "demo test" };
/** The tier whose account gets the test key. */
const TEST_TIER = "pro";

export interface DemoKey {
  readonly tierName: string;
  readonly key: string;
  /** Set for the key of the sandbox. */
  readonly isTest?: true;
}

/** The live key of a tier's demo account, the same on every machine. */
export function demoKey(tierName: string): string {
  return makeKey("live", seededBytes(`${PUBLIC_SEED} ${tierName}`));
}

/** The demo's test key, the same on every machine. */
export function demoTestKey(): string {
  return makeKey("test", seededBytes(`${PUBLIC_SEED} test key`));
}

/** Creates an account and a key for each tier, and a test key for one of them, unless they exist. */
export async function ensureDemoAccounts(accounts: Accounts, tiers: TierTable): Promise<DemoKey[]> {
  const known = new Map((await accounts.list()).map((account) => [account.email, account]));
  const [keys, test]: [DemoKey[], DemoKey[]] = [[], []];
  for (const tierName of Object.keys(tiers)) {
    const email = demoEmail(tierName);
    const { id } = known.get(email) ?? (await accounts.add(email, tierName));
    const existing = new Set((await accounts.keys(id)).keys.map(({ name }) => name));
    const ensure = async (name: string, key: string) => {
      if (!existing.has(name)) await accounts.addKey(id, name, key);
      return { tierName, key };
    };
    keys.push(await ensure(KEY_NAMES.live, demoKey(tierName)));
    if (tierName === TEST_TIER) test.push({ ...(await ensure(KEY_NAMES.test, demoTestKey())), isTest: true });
  }
  return [...keys, ...test];
}

/** Whether there are demo accounts, whose keys are public. */
export async function hasDemoAccounts(accounts: Accounts): Promise<boolean> {
  return (await accounts.list()).some(({ email }) => email.endsWith(DEMO_DOMAIN));
}

const DEMO_DOMAIN = "@demo.example";

function demoEmail(tierName: string): string {
  return `${tierName}${DEMO_DOMAIN}`;
}

/** Bytes derived from a text: SHA-256 in counter mode. */
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
