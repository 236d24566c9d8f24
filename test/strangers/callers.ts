/** The callers: with every kind of key or session. */
import { randomBytes } from "node:crypto";
import { Accounts } from "../../src/accounts/accounts.ts";
import { Passwords } from "../../src/accounts/passwords.ts";
import { newToken } from "../../src/accounts/secrets.ts";
import { Sessions } from "../../src/accounts/sessions.ts";
import { openCommandState } from "../../src/app/compose/state.ts";
import { readSettings } from "../../src/app/settings/settings.ts";
import { makeKey } from "../../src/contract/keyForm.ts";
import { PASSWORD } from "../kit/browser.ts";
import { variants } from "../kit/thorough.ts";
import { makeAccount, type TestAccount, type World } from "../kit/world.ts";

const ALL = ["a good", "no", "a deleted account's", "nonsense", "a made-up", "a revoked"] as const;
export type Caller = (typeof ALL)[number];
export const CALLERS: readonly Caller[] = variants(ALL, { ordinary: 3 });

export interface Callers {
  readonly good: TestAccount;
  /** The headers of a call of the API, and of one of the account page. */
  readonly withKey: (caller: Caller) => Record<string, string>;
  /** `place` selects one of the valid sessions: some calls end theirs. */
  readonly withSession: (caller: Caller, place: number) => Record<string, string>;
}

/** Creates accounts, people and their sessions before the service starts. */
export async function makeCallers(world: World, sessionCount: number): Promise<Callers> {
  const settings = readSettings(world.environment);
  const state = await openCommandState(settings);
  try {
    const accounts = new Accounts(state, settings.TIERS_FILE);
    const sessions = new Sessions(state.people, { idleMs: 3_600_000, longestMs: 3_600_000 }, Date.now);
    const passwordHash = await new Passwords().hash(PASSWORD);
    const person = async (email: string) => {
      const account = await makeAccount(accounts, email, "plenty", 2);
      await state.people.setPassword(account.id, passwordHash);
      await state.people.setAdmin(account.id, true);
      return account;
    };
    const session = async ({ id }: TestAccount) => {
      const opened = await sessions.open(id, passwordHash, { client: undefined, address: "127.0.0.1" });
      if (opened === undefined) throw new Error("no session was opened");
      return opened;
    };
    const good = await person("good@fabel.example");
    const gone = await person("gone@fabel.example");
    const goodTokens: string[] = [];
    while (goodTokens.length < sessionCount) goodTokens.push((await session(good)).token);
    const ended = await session(good);
    await sessions.end(good.id, ended.signedIn.session.id);
    const goneSession = await session(gone);
    await accounts.remove(gone.id);
    const revoked = good.keys[1];
    if (revoked === undefined) throw new Error("there is no second key");
    await accounts.revokeKey(revoked.id);
    const keys: Record<Caller, () => string | undefined> = {
      no: () => undefined,
      nonsense: () => "opz_live_nonsense",
      "a made-up": () => makeKey("live", randomBytes),
      "a deleted account's": () => gone.key,
      "a revoked": () => revoked.key,
      "a good": () => good.key,
    };
    const tokens: Record<Caller, (place: number) => string | undefined> = {
      no: () => undefined,
      nonsense: () => "nonsense",
      "a made-up": newToken,
      "a deleted account's": () => goneSession.token,
      "a revoked": () => ended.token,
      "a good": (place) => goodTokens[place % goodTokens.length],
    };
    return {
      good,
      withKey: (caller) => {
        const key = keys[caller]();
        return key === undefined ? {} : { authorization: `Bearer ${key}` };
      },
      withSession: (caller, place) => {
        const token = tokens[caller](place);
        return token === undefined ? {} : { cookie: `opzoek=${token}` };
      },
    };
  } finally {
    await state.close();
  }
}
