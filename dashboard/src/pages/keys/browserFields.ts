export const MOST_ORIGINS = 20;
export const DEFAULT_DAILY_TOKENS = 500;
export const MOST_DAILY_TOKENS = 1_000_000;

/** What a person fills in of a key for browsers. */
export interface BrowserFields {
  /** One on each line. */
  readonly origins: string;
  readonly dailyTokens: string;
  readonly mayLookUp: boolean;
}

export const NO_BROWSER_FIELDS: BrowserFields = {
  origins: "",
  dailyTokens: String(DEFAULT_DAILY_TOKENS),
  mayLookUp: false,
};

/** The origins that were filled in, one on each line or parted by commas. */
export function originsIn(text: string): string[] {
  const lines = text.split(/[\n,;]/).map((line) => line.trim());
  return [...new Set(lines.filter((line) => line !== ""))];
}

/** What is wrong with the fields. */
export function browserFaultsOf(fields: BrowserFields) {
  const origins = originsIn(fields.origins);
  const wrong = origins.find((origin) => !isOrigin(origin));
  const tokens = Number(fields.dailyTokens);
  return {
    noOrigin: origins.length === 0,
    tooManyOrigins: origins.length > MOST_ORIGINS,
    ...(wrong !== undefined && { origin: wrong }),
    dailyTokens: !(/^[0-9]{1,7}$/.test(fields.dailyTokens) && tokens >= 1 && tokens <= MOST_DAILY_TOKENS),
  };
}

/** What is sent of them. */
export function browserChangeOf({ origins, dailyTokens, mayLookUp }: BrowserFields) {
  return { origins: originsIn(origins), dailyTokens: Number(dailyTokens), mayLookUp };
}

/** Whether this looks like an origin, or all below one; the service has the last word. */
function isOrigin(text: string): boolean {
  const [, scheme, star, host = ""] = /^(https?:\/\/)?(\*\.)?([^\s/?#@*\\]+)\/?$/iu.exec(text) ?? [];
  if (host === "" || host.endsWith(".") || (scheme === undefined && star === undefined)) return false;
  return URL.canParse(`${scheme ?? "https://"}${host}`) && (star === undefined || host.includes("."));
}
