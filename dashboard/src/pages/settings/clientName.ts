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

/** What a browser called itself, in two words that its user knows: `Firefox, Windows`. Undefined when neither is known. */
export function clientName(userAgent: string): string | undefined {
  const found = [BROWSERS, SYSTEMS].flatMap(
    (list) => list.find(([mark]) => userAgent.includes(mark))?.[1] ?? [],
  );
  return found.length === 0 ? undefined : found.join(", ");
}
