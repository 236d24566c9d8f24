import { Anchor, Group, Text } from "@mantine/core";
import { bilingual } from "../language/bilingual.ts";
import { useTexts } from "../language/language.tsx";
import { siteFacts } from "./operator.tsx";

const texts = bilingual({
  fictional: [
    "Demo: all companies and people here are fictional.",
    "Demo: alle bedrijven en personen hier zijn verzonnen.",
  ],
  contact: ["Contact", "Contact"],
  terms: ["Terms of use", "Gebruiksvoorwaarden"],
  privacy: ["Privacy statement", "Privacyverklaring"],
});

/** The note at the top of every page of a demo that its companies are fictional. */
export function DemoNote() {
  const t = useTexts(texts);
  return siteFacts().isFictional ? (
    <Text size="sm" className="demo-note" role="note">
      {t.fictional}
    </Text>
  ) : null;
}

/** The operator's links at the foot of every page, if there are any. */
export function Footer() {
  const t = useTexts(texts);
  const { contact, termsUrl, privacyUrl } = siteFacts().operator;
  const links = [
    [t.contact, contact],
    [t.terms, termsUrl],
    [t.privacy, privacyUrl],
  ] as const;
  if (links.every(([, href]) => href === undefined)) return null;
  return (
    <Group component="footer" gap="lg" justify="center" className="foot">
      {links.map(([label, href]) =>
        href === undefined ? null : (
          <Anchor key={label} href={href} size="sm">
            {label}
          </Anchor>
        ),
      )}
    </Group>
  );
}
