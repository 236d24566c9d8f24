/** What browsers may do with the page and with its answers: nothing from outside, no frame around it. */

/** Headers for all of it; the policy of contents comes on top. */
export const HELMET = {
  // Other hosts under the same name are not ours to decide on.
  strictTransportSecurity: { maxAge: 31_536_000, includeSubDomains: false },
  frameguard: { action: "deny" },
  referrerPolicy: { policy: "no-referrer" },
} as const;

const NOTHING = ["'none'"];
const OURS = ["'self'"];

/** For answers that are data. */
export const API_POLICY = {
  useDefaults: false,
  directives: {
    "default-src": NOTHING,
    "frame-ancestors": NOTHING,
    "base-uri": NOTHING,
    "form-action": NOTHING,
  },
};

/** For the page; nonces are added to scripts and styles for each answer. */
export const PAGE_POLICY = {
  useDefaults: false,
  directives: {
    "default-src": NOTHING,
    "script-src": OURS,
    "style-src": OURS,
    "img-src": ["'self'", "data:"],
    "font-src": OURS,
    "connect-src": OURS,
    "manifest-src": OURS,
    "base-uri": NOTHING,
    "form-action": OURS,
    "frame-ancestors": NOTHING,
  },
};
