import { createHash } from "node:crypto";
import type { Accounts } from "../accounts/accounts.ts";
import { makeKey } from "../contract/keyForm.ts";
import type { TierTable } from "../contract/tiers.ts";

/** Public on purpose: everybody's demo has the same keys, so that examples can be pasted. */
const PUBLIC_SEED = "opzoek demo";
/** Not "demo": that name has the key that earlier versions printed, which goes on. */
const KEY_NAMES = { live: "demo live", test: "demo test" };
/** Whose test key is printed. */
const TEST_TIER = "pro";

export interface DemoKey {
  readonly tierName: string;
  readonly key: string;
  /** Set for the key that knows the sandbox alone. */
  readonly isTest?: true;
}

/** The key of a tier's demo account, the same on every machine. */
export function demoKey(tierName: string): string {
  return makeKey("live", seededBytes(`${PUBLIC_SEED} ${tierName}`));
}

/** The demo's test key, the same on every machine. */
export function demoTestKey(): string {
  return makeKey("test", seededBytes(`${PUBLIC_SEED} test key`));
}

/** One account with one key for each tier, and a test key for one of them; what is there already is kept. */
export async function ensureDemoAccounts(accounts: Accounts, tiers: TierTable): Promise<DemoKey[]> {
  const known = new Map((await accounts.list()).map((account) => [account.email, account]));
  const [keys, test]: [DemoKey[], DemoKey[]] = [[], []];
  for (const tierName of Object.keys(tiers)) {
    const email = demoEmail(tierName);
    const { id } = known.get(email) ?? (await accounts.add(email, tierName));
    const held = new Set((await accounts.keys(id)).keys.map(({ name }) => name));
    const ensure = async (name: string, key: string) => {
      if (!held.has(name)) await accounts.addKey(id, name, key);
      return { tierName, key };
    };
    keys.push(await ensure(KEY_NAMES.live, demoKey(tierName)));
    if (tierName === TEST_TIER) test.push({ ...(await ensure(KEY_NAMES.test, demoTestKey())), isTest: true });
  }
  return [...keys, ...test];
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
