import { Badge, Group, Stack, Text } from "@mantine/core";
import type { Vat, VatStatus, VatValidation } from "../../../../../src/contract/vatResources.ts";
import { useLanguage, useTexts } from "../../../language/language.tsx";
import { texts } from "./texts.ts";

const CLASSES = {
  validated: { color: "sea", className: "badge live" },
  stale: { color: "yellow", className: "badge ending" },
  malformed: { color: "red", className: "badge down" },
  unvalidated: { color: "gray", className: "badge revoked" },
} as const satisfies Record<VatStatus, unknown>;

/** A verdict on a VAT number and how much it says. */
export function VatVerdict({ vat }: { readonly vat: Vat | VatValidation }) {
  const t = useTexts(texts);
  const { moment, duration } = useLanguage().formats;
  const { status, valid, validatedAt, checksumValid } = vat;
  const at = validatedAt === undefined ? "" : moment(validatedAt);
  const says = {
    validated: t.validated(at),
    stale: t.stale(duration(vat.ageSeconds ?? 0), at),
    malformed: t.malformed,
    unvalidated: t.unvalidated,
  }[status];
  return (
    <Stack gap={6} data-testid="verdict" data-status={status} data-valid={valid}>
      <Group gap="sm">
        {"number" in vat ? <Text inherit>{vat.number}</Text> : null}
        <Text fw={650}>{valid === undefined ? t.isUnknown : valid ? t.isValid : t.isInvalid}</Text>
        <Badge variant="light" tt="none" {...CLASSES[status]}>
          {t.states[status]}
        </Badge>
      </Group>
      <Text size="sm" c="dimmed" maw="62ch">
        {says} {checksumValid || status === "malformed" ? null : t.badChecksum}
      </Text>
    </Stack>
  );
}
