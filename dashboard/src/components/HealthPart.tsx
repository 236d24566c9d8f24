import { Badge, Group, Stack, Title } from "@mantine/core";
import type { ViesEvidence } from "../../../src/contract/accountFields.ts";
import type { ServiceState } from "../api/publicApi.ts";
import { useTexts } from "../language/language.tsx";
import { statusTexts } from "../language/statusTexts.ts";
import { MutedText } from "./MutedText.ts";

const BADGES = {
  up: { color: "sea", className: "badge live" },
  degraded: { color: "yellow", className: "badge ending" },
  down: { color: "red", className: "badge down" },
  unknown: { color: "gray", className: "badge revoked" },
} as const;

type Props =
  | { readonly what: "registry"; readonly state: ServiceState }
  | { readonly what: "vies"; readonly state: ViesEvidence };

/** The health of a source of the service, and its effect on calls. */
export function HealthPart(part: Props) {
  const t = useTexts(statusTexts);
  return (
    <Stack gap={4}>
      <Group gap="sm">
        <Title order={3} className="breaks">
          {t[part.what]}
        </Title>
        <Badge {...BADGES[part.state]}>{t.states[part.state]}</Badge>
      </Group>
      <MutedText maw="62ch">
        {part.what === "vies" ? t.viesIs[part.state] : t.registryIs[part.state]}
      </MutedText>
    </Stack>
  );
}
