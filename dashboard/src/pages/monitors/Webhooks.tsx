import { Badge, Button, Group, Stack, Text } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { useState } from "react";
import type { AccountWebhooks } from "../../../../src/contract/eventResources.ts";
import type { Failure } from "../../api/failure.ts";
import { changeMonitor, createWebhookSecret, readWebhooks, testWebhook } from "../../api/monitors.ts";
import { CardTable } from "../../components/CardTable.tsx";
import { Copyable } from "../../components/Copyable.tsx";
import { Dialog } from "../../components/Dialog.tsx";
import { EmptyState } from "../../components/EmptyState.tsx";
import { Loaded } from "../../components/Loaded.tsx";
import { MutedText } from "../../components/MutedText.ts";
import { Notice } from "../../components/Notice.tsx";
import { Problem } from "../../components/Problem.tsx";
import { Section } from "../../components/Section.tsx";
import { ConfirmDialog } from "../../forms/ConfirmDialog.tsx";
import { useLanguage, useTexts } from "../../language/language.tsx";
import { useMutation } from "../../queries/useMutation.ts";
import { useQuery } from "../../queries/useQuery.ts";
import { texts } from "./texts.ts";

type Webhook = AccountWebhooks["webhooks"][number];

/** The webhooks of monitors with their deliveries, and the secret that signs their messages. */
export function Webhooks() {
  const t = useTexts(texts);
  const webhooks = useQuery(readWebhooks);
  const [isTested, setTested] = useState(false);
  const testing = useMutation(async (monitorId: string) => {
    setTested(false);
    await testWebhook(monitorId);
    setTested(true);
  });
  const enabling = useMutation(async ({ monitorId, url }: Webhook) => {
    await changeMonitor(monitorId, { webhook: url });
    webhooks.reload();
  });
  return (
    <>
      <Section
        title={t.webhooks}
        about={t.webhooksAbout}
        aside={
          <Button variant="default" size="xs" onClick={webhooks.reload}>
            {t.refresh}
          </Button>
        }
      >
        <Problem
          failure={testing.failure ?? enabling.failure}
          text={isOverTests(testing.failure) ? t.tooManyTests : undefined}
        />
        {isTested ? <Notice tone="good">{t.tested}</Notice> : null}
        <Loaded query={webhooks} height={160}>
          {({ webhooks: all }) =>
            all.length === 0 ? (
              <EmptyState icon="pulse">{t.noWebhooks}</EmptyState>
            ) : (
              <WebhookTable
                webhooks={all}
                onTest={({ monitorId }) => void testing.run(monitorId)}
                onEnable={(webhook) => void enabling.run(webhook)}
              />
            )
          }
        </Loaded>
      </Section>
      <Secret />
    </>
  );
}

/** Whether the limit of test messages is reached, not the limit of calls, which lasts a minute at most. */
function isOverTests(failure: Failure | undefined): boolean {
  return failure?.code === "RATE_LIMIT_EXCEEDED" && (failure.retryAfterSeconds ?? 0) > 60;
}

interface TableProps extends AccountWebhooks {
  readonly onTest: (webhook: Webhook) => void;
  readonly onEnable: (webhook: Webhook) => void;
}

function WebhookTable({ webhooks, onTest, onEnable }: TableProps) {
  const t = useTexts(texts);
  const { number, moment } = useLanguage().formats;
  const columns = t.webhookColumns;
  const action = (webhook: Webhook) => {
    const [label, run] = webhook.isEnabled ? ([t.test, onTest] as const) : ([t.enable, onEnable] as const);
    return (
      <Button
        size="xs"
        variant="default"
        aria-label={`${label}: ${webhook.url}`}
        onClick={() => run(webhook)}
      >
        {label}
      </Button>
    );
  };
  return (
    <CardTable
      rows={webhooks}
      nameOf={({ url, isEnabled }) => ({
        key: url,
        testId: "webhook",
        state: isEnabled ? "enabled" : "disabled",
      })}
      columns={[
        {
          title: columns.url,
          cell: ({ url }) => (
            <Text size="sm" fw={600} className="breaks">
              {url}
            </Text>
          ),
          speaksForItself: true,
        },
        { title: columns.status, cell: (webhook) => <Status of={webhook} /> },
        { title: columns.monitors, cell: ({ monitors }) => number(monitors), isNumber: true },
        { title: columns.waiting, cell: ({ waiting }) => number(waiting), isNumber: true },
        {
          title: columns.delivered,
          cell: ({ deliveredAt }) => (deliveredAt === undefined ? t.never : moment(deliveredAt)),
        },
        {
          title: columns.failed,
          cell: ({ failedAt, failure }) =>
            failedAt === undefined ? (
              t.never
            ) : (
              <Stack gap={2}>
                <span>{moment(failedAt)}</span>
                <MutedText size="xs" className="breaks">
                  {failure}
                </MutedText>
              </Stack>
            ),
        },
        { title: columns.actions, cell: action, speaksForItself: true, hasHiddenTitle: true },
      ]}
    />
  );
}

function Status({ of: { isEnabled, disabledAt } }: { readonly of: Webhook }) {
  const t = useTexts(texts);
  const { moment } = useLanguage().formats;
  return (
    <Stack gap={2} align="flex-start">
      <Badge color={isEnabled ? "sea" : "red"} className={`badge ${isEnabled ? "live" : "down"}`}>
        {isEnabled ? t.enabled : t.disabled}
      </Badge>
      {disabledAt === undefined ? null : <MutedText size="xs">{t.since(moment(disabledAt))}</MutedText>}
    </Stack>
  );
}

function Secret() {
  const t = useTexts(texts);
  const [isOpen, { open, close }] = useDisclosure();
  const [secret, setSecret] = useState<string>();
  const create = async () => {
    const created = await createWebhookSecret();
    close();
    setSecret(created.secret);
  };
  return (
    <Section title={t.secret} about={t.secretAbout}>
      <Group>
        <Button variant="default" onClick={open}>
          {t.createSecret}
        </Button>
      </Group>
      <ConfirmDialog
        title={t.createSecret}
        about={t.createSecretAbout}
        button={t.createSecret}
        isOpen={isOpen}
        onClose={close}
        act={create}
      />
      <Dialog title={t.newSecret} isOpen={secret !== undefined} onClose={() => setSecret(undefined)} isFirm>
        <Text>{t.newSecretAbout}</Text>
        <Copyable label={t.secret} text={secret ?? ""} />
        <Group justify="flex-end">
          <Button onClick={() => setSecret(undefined)}>{t.saved}</Button>
        </Group>
      </Dialog>
    </Section>
  );
}
