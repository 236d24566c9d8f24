import { Button, Group, Stack } from "@mantine/core";
import { useState } from "react";
import type { AdminAccount } from "../../../../../src/contract/oneAccountResources.ts";
import { readPlans } from "../../../api/account.ts";
import { givePlan, resume, suspend } from "../../../api/operator.ts";
import { Facts } from "../../../components/Facts.tsx";
import { Problem } from "../../../components/Problem.tsx";
import { Section } from "../../../components/Section.tsx";
import { Undo } from "../../../components/Undo.tsx";
import { useLanguage, useTexts } from "../../../language/language.tsx";
import { planName } from "../../../language/planName.ts";
import { useMutation } from "../../../queries/useMutation.ts";
import { useQuery } from "../../../queries/useQuery.ts";
import { usePerson } from "../../../session/session.tsx";
import { useWaitingRequests } from "../../../session/waitingRequests.tsx";
import { AskSuspend } from "../AskSuspend.tsx";
import { GivePlan, type PlanChange, PlanSelect } from "../GivePlan.tsx";
import { texts as shared } from "../texts.ts";
import { texts } from "./texts.ts";
import { WaysIn } from "./WaysIn.tsx";

interface Props {
  readonly account: AdminAccount;
  readonly onChanged: () => void;
}

/** Something that was done, and how to take it back. */
interface Done {
  readonly says: string;
  readonly undo: () => Promise<void>;
}

/** What an account is, and what an operator may change of it: each change is asked for once more, and can be taken back. */
export function Overview({ account, onChanged }: Props) {
  const t = useTexts(texts);
  const s = useTexts(shared);
  const own = usePerson().accountId;
  const waiting = useWaitingRequests();
  const plans = useQuery(readPlans);
  const tiers = plans.now.state === "ready" ? plans.now.value.tiers.map(({ name }) => name) : [];
  const [planned, setPlanned] = useState<PlanChange>();
  const [isAsking, setAsking] = useState(false);
  const [done, setDone] = useState<Done>();
  const { id, email, tier, isSuspended } = account;
  const changing = useMutation(async (change: () => Promise<void>, next?: Done) => {
    await change();
    setPlanned(undefined);
    setAsking(false);
    setDone(next);
    onChanged();
    waiting?.reload();
  });
  const give = ({ to }: PlanChange) =>
    changing.run(() => givePlan(id, to), {
      says: s.planGiven(email, planName(to)),
      undo: () => givePlan(id, tier),
    });
  return (
    <Section title={t.overview}>
      <Stack gap="lg">
        <Problem failure={changing.failure} />
        {done === undefined ? null : (
          <Undo
            key={done.says}
            says={done.says}
            isBusy={changing.isBusy}
            onUndo={() => changing.run(done.undo)}
            onOver={() => setDone(undefined)}
          />
        )}
        <AccountFacts account={account} />
        <Group gap="sm" className="account-actions">
          <PlanSelect
            label={s.planOf(email)}
            tier={tier}
            tiers={tiers}
            onChosen={(to) => setPlanned({ account, to })}
          />
          {isSuspended ? (
            <Button
              size="xs"
              variant="default"
              onClick={() =>
                changing.run(() => resume(id), { says: t.resumed(email), undo: () => suspend(id) })
              }
            >
              {s.resume}
            </Button>
          ) : null}
          {isSuspended || id === own ? null : (
            <Button size="xs" variant="default" className="danger" onClick={() => setAsking(true)}>
              {s.suspend}
            </Button>
          )}
          <WaysIn account={account} onChanged={onChanged} />
        </Group>
      </Stack>
      <GivePlan
        change={planned}
        isBusy={changing.isBusy}
        onClose={() => setPlanned(undefined)}
        onGive={give}
      />
      <AskSuspend
        email={isAsking ? email : undefined}
        isBusy={changing.isBusy}
        onClose={() => setAsking(false)}
        onSuspend={() =>
          changing.run(() => suspend(id), { says: t.isSuspendedNow(email), undo: () => resume(id) })
        }
      />
    </Section>
  );
}

function AccountFacts({ account }: Pick<Props, "account">) {
  const t = useTexts(texts);
  const s = useTexts(shared);
  const { number, day, moment } = useLanguage().formats;
  const { tier, isSuspended, suspendedAt, isAdmin, createdAt, used, limit, asked, twoFactor } = account;
  return (
    <Facts
      facts={[
        [t.facts.created, moment(createdAt)],
        [t.facts.plan, planName(tier)],
        [
          t.facts.asked,
          asked === undefined ? undefined : t.askedSince(planName(asked.tier), day(asked.askedAt)),
        ],
        [t.facts.used, s.usedOf(number(used), number(limit))],
        [
          t.facts.suspension,
          isSuspended ? (suspendedAt === undefined ? t.yes : t.since(moment(suspendedAt))) : t.no,
        ],
        [t.facts.operator, isAdmin ? t.yes : t.no],
        [t.facts.password, account.hasPassword ? t.yes : t.noPassword],
        [
          t.facts.twoFactor,
          twoFactor.isOn
            ? t.twoFactorOn(
                twoFactor.since === undefined ? "" : day(twoFactor.since),
                number(twoFactor.recoveryCodesLeft ?? 0),
              )
            : t.twoFactorOff,
        ],
      ]}
    />
  );
}
