import { expect, it } from "vitest";
import { LANGUAGES } from "../../contract/accountRules.ts";
import type { Mail } from "./mails.ts";
import { letterOf } from "./texts.ts";

const SITE = "https://registry.fabel.example";
const to = "a@fabel.example";

it.each(LANGUAGES)("contains the site and any link in %s, without unfilled placeholders", (language) => {
  const mails: Mail[] = [
    { kind: "confirm", to, language, token: "$&SECRET" },
    { kind: "reset", to, language, token: "$&SECRET" },
    { kind: "taken", to, language },
    { kind: "changed", to, language },
    { kind: "webhook-disabled", to, language },
    { kind: "monitor-digest", to, language, events: 1_234 },
    { kind: "allowance-80", to, language, month: 2026 * 12 + 10, tokens: 1_000 },
    { kind: "allowance-100", to, language, month: 2026 * 12 + 11, tokens: 1_000 },
  ];
  for (const mail of mails) {
    const letter = letterOf(mail, SITE);
    expect(letter.to).toBe(to);
    expect(letter.subject).toMatch(/^Opzoek: ./);
    expect(letter.text).toContain(SITE);
    expect(`${letter.subject}${letter.text}`).not.toMatch(/[{}<]/);
    expect(letter.text.includes("#")).toBe("token" in mail);
    if ("token" in mail) expect(letter.text).toContain(`\n\n${SITE}/#${mail.kind}=$&SECRET\n\n`);
  }
});
