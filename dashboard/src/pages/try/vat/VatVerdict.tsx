import { Badge, Group, Stack, Text } from "@mantine/core";
import type { Vat, VatValidation } from "../../../../../src/contract/vatResources.ts";
import { Icon } from "../../../components/Icon.tsx";
import { useLanguage, useTexts } from "../../../language/language.tsx";
import { vatStateOf } from "../../../language/vatStates.ts";
import { texts } from "./texts.ts";

const ICONS = { valid: "check", invalid: "cross", unknown: "unknown" } as const;

/** A verdict on a VAT number by icon, colour and word, with its age. */
export function VatVerdict({ vat }: { readonly vat: Vat | VatValidation }) {
  const t = useTexts(texts);
  const { moment, duration } = useLanguage().formats;
  const { status, valid, validatedAt, checksumValid } = vat;
  const state = vatStateOf(vat);
  const at = validatedAt === undefined ? "" : moment(validatedAt);
  const explanation = {
    validated: t.validated(at),
    stale: t.stale(duration(vat.ageSeconds ?? 0), at),
    malformed: t.malformed,
    wrongCheck: t.wrongCheck,
    unvalidated: t.unvalidated,
  }[state];
  const verdict = valid === undefined ? "unknown" : valid ? "valid" : "invalid";
  return (
    <Stack gap={6} data-testid="verdict" data-status={status} data-valid={valid}>
      <Group gap="sm">
        {"number" in vat ? <Text inherit>{vat.number}</Text> : null}
        <Group gap={6} wrap="nowrap" className={`verdict ${verdict}`}>
          <Icon name={ICONS[verdict]} />
          <Text inherit fw={650}>
            {t.verdicts[verdict]}
          </Text>
        </Group>
        <Badge
          variant="light"
          tt="none"
          color={status === "stale" ? "yellow" : "gray"}
          className={status === "stale" ? "badge ending" : "badge revoked"}
        >
          {t.states[state]}
        </Badge>
      </Group>
      <Text size="sm" c="dimmed" maw="62ch">
        {explanation} {checksumValid || status === "malformed" ? null : t.badChecksum}
      </Text>
    </Stack>
  );
}
