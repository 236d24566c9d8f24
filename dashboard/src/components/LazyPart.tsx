import { type ComponentType, useState } from "react";
import { isNewBuildServed } from "../api/build.ts";
import { Failure } from "../api/failure.ts";
import { bilingual } from "../language/bilingual.ts";
import { useTexts } from "../language/language.tsx";
import { useQuery } from "../queries/useQuery.ts";
import { PageSkeleton } from "./PageSkeleton.tsx";
import { Problem } from "./Problem.tsx";

const texts = bilingual({
  missing: [
    "This part of the page couldn’t be loaded. Reload the page.",
    "Dit deel van de pagina kon niet worden geladen. Laad de pagina opnieuw.",
  ],
});

/** A part of the page whose code is loaded on demand. */
export interface PagePart {
  readonly name: string;
  readonly load: () => Promise<ComponentType>;
}

const loaded = new Map<string, ComponentType>();

/**
 * Shows a part that is loaded on demand. It waits during an outage. After a new build was deployed the page reloads,
 * because the parts of the old build are gone.
 */
export function LazyPart({ part }: { readonly part: PagePart }) {
  return <LoadedOrFetched key={part.name} part={part} />;
}

function LoadedOrFetched({ part }: { readonly part: PagePart }) {
  // Read once: a change from `Fetched` to the part itself would mount it again and lose what was typed into it.
  const [cached] = useState(() => loaded.get(part.name));
  if (cached === undefined) return <Fetched part={part} />;
  const Shown = cached;
  return <Shown />;
}

function Fetched({ part }: { readonly part: PagePart }) {
  const t = useTexts(texts);
  const { now, reload } = useQuery(() => fetchPart(part));
  if (now.state === "loading") return <PageSkeleton />;
  if (now.state === "failed") {
    const isPartMissing = now.failure.code === "INTERNAL_ERROR";
    return (
      <Problem
        failure={now.failure}
        text={isPartMissing ? t.missing : undefined}
        again={isPartMissing ? () => location.reload() : reload}
      />
    );
  }
  const Shown = now.value;
  return <Shown />;
}

/**
 * Checks the build first, for two reasons. The check fails during an outage, so no import starts then: a browser does
 * not retry a failed import while the page is open. And the parts of an old build are gone.
 * @throws {Failure} UNREACHABLE during an outage, INTERNAL_ERROR when the service responds but the part cannot be
 * loaded
 */
async function fetchPart({ name, load }: PagePart): Promise<ComponentType> {
  const isNewBuild = await isNewBuildServed();
  if (isNewBuild && mayReload()) return reloadPage();
  try {
    return remember(name, await load());
  } catch {
    // The build was replaced after the check, or the browser remembers a failed import.
    if (mayReload()) return reloadPage();
    throw new Failure("INTERNAL_ERROR", 0, `the part ${name} cannot be fetched`);
  }
}

/** Reloads the page. The promise stays pending, so that nothing else is shown until then. */
function reloadPage(): Promise<never> {
  location.reload();
  return new Promise(() => {});
}

function remember(name: string, part: ComponentType): ComponentType {
  loaded.set(name, part);
  return part;
}

const RELOADED_AT_KEY = "opzoek.reloaded";
const MIN_BETWEEN_RELOADS_MS = 60_000;

/** Whether the page may reload by itself: at most once a minute, so that it never loops. */
function mayReload(): boolean {
  try {
    const lastMs = Number(sessionStorage.getItem(RELOADED_AT_KEY) ?? 0);
    if (Date.now() - lastMs < MIN_BETWEEN_RELOADS_MS) return false;
    sessionStorage.setItem(RELOADED_AT_KEY, String(Date.now()));
    return true;
  } catch {
    // Without storage the page could reload in a loop.
    return false;
  }
}
