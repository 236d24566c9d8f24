import { Badge, Button, Group, Stack, Text } from "@mantine/core";
import type { OpenSessions } from "../../../../src/contract/accountResources.ts";
import { endSession } from "../../api/account.ts";
import { Loaded } from "../../components/Loaded.tsx";
import { MutedText } from "../../components/MutedText.ts";
import { Problem } from "../../components/Problem.tsx";
import { Section } from "../../components/Section.tsx";
import { useLanguage, useTexts } from "../../language/language.tsx";
import { useMutation } from "../../queries/useMutation.ts";
import type { Query } from "../../queries/useQuery.ts";
import { useSignOut } from "../../session/signOut.tsx";
import { texts } from "./texts.ts";

export function Sessions({ sessions }: { readonly sessions: Query<OpenSessions> }) {
  const t = useTexts(texts);
  return (
    <Section title={t.sessions} about={t.sessionsAbout}>
      <Loaded query={sessions} height={140}>
        {(value) => (
          <Stack gap="lg">
            {value.sessions.map((session) => (
              <Device key={session.id} session={session} onEnded={sessions.reload} />
            ))}
          </Stack>
        )}
      </Loaded>
    </Section>
  );
}

interface Props {
  readonly session: OpenSessions["sessions"][number];
  readonly onEnded: () => void;
}

function Device({ session, onEnded }: Props) {
  const t = useTexts(texts);
  const { moment } = useLanguage().formats;
  const signingOut = useSignOut();
  const { id, client, isThis, createdAt, lastSeenAt } = session;
  const ending = useMutation(async () => {
    await endSession(id);
    onEnded();
  });
  const { run, isBusy, failure } = isThis ? signingOut : ending;
  const name = (client === undefined ? undefined : clientName(client)) ?? t.unknownClient;
  return (
    <Stack gap="xs">
      <Problem failure={failure} />
      <Group justify="space-between" gap="sm">
        <Stack gap={2}>
          <Group gap="xs">
            <Text fw={600}>{name}</Text>
            {isThis ? <Badge className="badge live">{t.thisOne}</Badge> : null}
          </Group>
          <MutedText>
            {t.lastSeen(moment(lastSeenAt))}, {t.since(moment(createdAt))}
          </MutedText>
        </Stack>
        <Button
          size="xs"
          variant="default"
          loading={isBusy}
          aria-label={`${t.end}: ${name}`}
          onClick={() => void run()}
        >
          {t.end}
        </Button>
      </Group>
      {isThis ? signingOut.question : null}
    </Stack>
  );
}

const BROWSERS = [
  ["Edg/", "Edge"],
  ["OPR/", "Opera"],
  ["Firefox/", "Firefox"],
  ["Chrome/", "Chrome"],
  ["Safari/", "Safari"],
] as const;
const SYSTEMS = [
  ["Android", "Android"],
  ["iPhone", "iPhone"],
  ["iPad", "iPad"],
  ["Windows", "Windows"],
  ["Mac OS X", "macOS"],
  ["Linux", "Linux"],
] as const;

/** Returns browser and system from a user agent, such as `Firefox, Windows`; undefined when neither is known. */
function clientName(userAgent: string): string | undefined {
  const found = [BROWSERS, SYSTEMS].flatMap(
    (list) => list.find(([mark]) => userAgent.includes(mark))?.[1] ?? [],
  );
  return found.length === 0 ? undefined : found.join(", ");
}
