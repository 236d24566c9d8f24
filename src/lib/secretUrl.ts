export const SECRET_URL_RULE =
  "must begin with https://, or with http:// and an address of this machine, and have no user, password, ? or #";

/** Whether a secret may be sent to a URL: the connection is encrypted or local, and the URL contains nothing else. */
export function isSecretUrl(text: string): boolean {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined) return false;
  const isSafe = url.protocol === "https:" || (url.protocol === "http:" && isLoopback(hostOf(url)));
  return isSafe && isPlain(url);
}

/** The host without the brackets of IPv6. */
export function hostOf({ hostname }: URL): string {
  return hostname.replace(/^\[|\]$/g, "");
}

/** Whether an address has no user, password, query or fragment, so that a path can be appended. */
export function isPlain({ username, password, href }: URL): boolean {
  // `search` and `hash` are empty for a trailing ? or #, so the whole address is checked.
  return username === "" && password === "" && !/[?#]/.test(href);
}

/** Whether a text is a URL such as `s3://…` or `file:///…` rather than a path of this machine. */
export function hasScheme(text: string): boolean {
  return /^[a-z][a-z0-9+.-]+:\/\//i.test(text);
}

/** Whether a host can be reached from this machine only (RFC 6890: 127.0.0.0/8 and ::1). */
export function isLoopback(host: string): boolean {
  return host === "localhost" || host === "::1" || /^127\.[0-9]{1,3}\.[0-9]{1,3}\.[0-9]{1,3}$/.test(host);
}
