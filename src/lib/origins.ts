/** Such as `https://shop.example` or, for all names below one, `https://*.shop.example`. */
const RULE = /^(?:(https?):\/\/)?(\*\.)?([^\s/?#@*\\]+)\/?$/iu;
const NAME = /^[a-z0-9_-]{1,63}(?:\.[a-z0-9_-]{1,63})*$/;
const IPV6 = /^\[[0-9a-f:.]+\]$/;
const IPV4 = /^[0-9]+(?:\.[0-9]+){3}$/;
const WILDCARD = "://*.";
const MAX_HOST_LENGTH = 253;

/**
 * Normalises a rule for origins of web pages: lower case, punycode, without the default port of the scheme. Without a
 * scheme, `*.shop.example` is `https`. `undefined` for an invalid rule: a path, a name that ends in a dot, a `*`
 * elsewhere or before a name of one label, as `*.example` would be half the web.
 */
export function originRule(text: string): string | undefined {
  const [, scheme, star, host = ""] = RULE.exec(text.trim()) ?? [];
  if (host === "" || (scheme === undefined && star === undefined)) return undefined;
  const url = URL.parse(`${(scheme ?? "https").toLowerCase()}://${host}`);
  if (url === null || url.hostname.length > MAX_HOST_LENGTH) return undefined;
  const isName = NAME.test(url.hostname) && !IPV4.test(url.hostname);
  if (star !== undefined) {
    return isName && url.hostname.includes(".") ? `${url.protocol}//*.${url.host}` : undefined;
  }
  return isName || IPV4.test(url.hostname) || IPV6.test(url.hostname) ? url.origin : undefined;
}

/** Whether a text is the origin of a page, as a browser writes it. */
export function isPageOrigin(text: string): boolean {
  return !text.includes("*") && originRule(text) === text;
}

/**
 * Whether an origin, as a browser writes it (RFC 6454, section 6.2), matches one of the rules. It is compared
 * unchanged: a text that no browser sends (capitals, a dot at the end, `null`, a path) does not match. The port must be
 * that of the rule.
 * @param rules each as {@link originRule} returns it, separated by commas
 */
export function isListedOrigin(origin: string | undefined, rules: string): boolean {
  if (origin === undefined || origin === "") return false;
  return rules.split(",").some((rule) => isOf(origin, rule));
}

function isOf(origin: string, rule: string): boolean {
  const star = rule.indexOf(WILDCARD);
  if (star === -1) return origin === rule;
  const start = rule.slice(0, star + "://".length);
  const end = rule.slice(star + WILDCARD.length - 1);
  if (!(origin.startsWith(start) && origin.endsWith(end))) return false;
  return NAME.test(origin.slice(start.length, -end.length));
}
