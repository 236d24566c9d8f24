/** What the account page lets people choose and do. Apart from the resources, as commands and settings need no schemas. */

export const SIGNUP_MODES = ["open", "invite", "closed"] as const;
export const LANGUAGES = ["en", "nl"] as const;

/** NIST SP 800-63B asks for 8 at least, and no rule of composition; characters, not bytes. */
export const PASSWORD_LENGTH = { least: 12, most: 128 } as const;
/** Hours for which a rolled key goes on working. */
export const OVERLAP_HOURS = [0, 1, 24] as const;
