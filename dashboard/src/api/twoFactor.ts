/** Two-factor sign-in, `/account/two-factor…`. */
import type {
  RecoveryCodes,
  TwoFactorSecret,
  TwoFactorState,
} from "../../../src/contract/twoFactorResources.ts";
import { send } from "./request.ts";

const PATH = "/account/two-factor";

export const readTwoFactor = () => send<TwoFactorState>("GET", PATH);
export const beginTwoFactor = (password: string) =>
  send<TwoFactorSecret>("POST", `${PATH}/begin`, { password });
export const turnOnTwoFactor = (code: string) => send<RecoveryCodes>("POST", `${PATH}/turn-on`, { code });
export const renewRecoveryCodes = (password: string, code: string) =>
  send<RecoveryCodes>("POST", `${PATH}/recovery-codes`, { password, code });
export const turnOffTwoFactor = (password: string, code: string) =>
  send<void>("POST", `${PATH}/turn-off`, { password, code });
