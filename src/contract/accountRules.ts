/** Choices and limits of the account page. Apart from the resources, as commands and settings need no schemas. */

export const SIGNUP_MODES = ["open", "invite", "closed"] as const;
export const LANGUAGES = ["en", "nl"] as const;

/** In characters, not bytes. NIST SP 800-63B requires at least 8, and no rules of composition. */
export const PASSWORD_LENGTH = { least: 12, most: 128 } as const;
/** The shares of a month's allowance, in percent, at which people are notified. */
export type AllowancePercent = 80 | 100;

/** The number of tokens at a percentage of an allowance, rounded up. */
export function tokensAtPercent(percent: AllowancePercent, allowance: number): number {
  return Math.ceil((allowance * percent) / 100);
}

/** Hours for which a rolled key keeps working. */
export const OVERLAP_HOURS = [0, 1, 24] as const;
