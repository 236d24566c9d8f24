/** What the account page lets people choose and do. Apart from the resources, as commands and settings need no schemas. */

export const SIGNUP_MODES = ["open", "invite", "closed"] as const;
export const LANGUAGES = ["en", "nl"] as const;

/** NIST SP 800-63B asks for 8 at least, and no rule of composition; characters, not bytes. */
export const PASSWORD_LENGTH = { least: 12, most: 128 } as const;
/** Of a month's allowance, in percent: people are told when their account has used so much. */
export type AllowancePercent = 80 | 100;

/** How many tokens so many percent of an allowance are; whole ones, as they are spent. */
export function tokensAtPercent(percent: AllowancePercent, allowance: number): number {
  return Math.ceil((allowance * percent) / 100);
}

/** Hours for which a rolled key goes on working. */
export const OVERLAP_HOURS = [0, 1, 24] as const;
