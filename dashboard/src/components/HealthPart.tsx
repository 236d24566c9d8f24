import { Badge, Group, Stack, Text, Title } from "@mantine/core";
import type { ViesSeen } from "../../../src/contract/accountFields.ts";
import type { ServiceState } from "../api/publicApi.ts";
import { bilingual } from "../language/bilingual.ts";
import { useTexts } from "../language/language.tsx";

const texts = bilingual(
  {
    registry: "Company registry",
    vies: "VAT numbers (VIES, European Commission)",
    states: { up: "Operational", degraded: "Partial outage", down: "Outage", unknown: "Not asked yet" },
    registryIs: {
      up: "Companies can be looked up and searched.",
      degraded: "Companies can be looked up; some answers may be slow or outdated.",
      down: "Companies can’t be looked up right now. Calls fail and cost nothing.",
    },
    viesIs: {
      up: "VAT numbers are being checked as usual.",
      degraded:
        "Some countries aren’t answering. For their numbers you get the last known answer, marked as outdated.",
      down: "VIES isn’t answering. You get the last known answer, marked as outdated; without one the call fails and costs nothing.",
      unknown: "No VAT number was checked in the last 24 hours. No outage is known.",
    },
  },
  {
    registry: "Handelsregister",
    vies: "Btw-nummers (VIES, Europese Commissie)",
    states: {
      up: "Werkt",
      degraded: "Gedeeltelijke storing",
      down: "Storing",
      unknown: "Nog niet gevraagd",
    },
    registryIs: {
      up: "Bedrijven opzoeken en zoeken werkt.",
      degraded: "Bedrijven kunnen worden opgezocht; sommige antwoorden kunnen traag of verouderd zijn.",
      down: "Bedrijven kunnen nu niet worden opgezocht. Aanroepen mislukken en kosten niets.",
    },
    viesIs: {
      up: "Btw-nummers worden zoals altijd gecontroleerd.",
      degraded:
        "Sommige landen antwoorden niet. Voor hun nummers krijgt u het laatst bekende antwoord, gemarkeerd als verouderd.",
      down: "VIES antwoordt niet. U krijgt het laatst bekende antwoord, gemarkeerd als verouderd; is dat er niet, dan mislukt de aanroep en kost die niets.",
      unknown: "De laatste 24 uur is geen btw-nummer gecontroleerd. Er is geen storing bekend.",
    },
  },
);

const BADGES = {
  up: { color: "sea", className: "badge live" },
  degraded: { color: "yellow", className: "badge ending" },
  down: { color: "red", className: "badge down" },
  unknown: { color: "gray", className: "badge revoked" },
} as const;

type Props =
  | { readonly what: "registry"; readonly state: ServiceState }
  | { readonly what: "vies"; readonly state: ViesSeen };

/** How something that the service depends on is doing, and what that means for calls. */
export function HealthPart(part: Props) {
  const t = useTexts(texts);
  return (
    <Stack gap={4}>
      <Group gap="sm">
        <Title order={3} className="breaks">
          {t[part.what]}
        </Title>
        <Badge variant="light" tt="none" {...BADGES[part.state]}>
          {t.states[part.state]}
        </Badge>
      </Group>
      <Text size="sm" c="dimmed" maw="62ch">
        {part.what === "vies" ? t.viesIs[part.state] : t.registryIs[part.state]}
      </Text>
    </Stack>
  );
}
