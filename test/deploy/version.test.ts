/** `package.json` states the version. Files that cannot read it repeat it, and must agree. */
import { expect, it } from "vitest";
import { repositoryFiles, textOf } from "../architecture/repository.ts";
import { opzoek } from "../kit/opzoek.ts";

const { version } = JSON.parse(textOf("package.json")) as { readonly version: string };

const versionIn = (path: string): unknown =>
  (JSON.parse(textOf(path)) as { readonly version?: unknown }).version;

/** A release file or an image: `opzoek-1.0.0.tgz`, `opzoek-client-1.0.0.tgz`, `opzoek:1.0.0`. */
const NAMED = /\bopzoek(?:-client)?[-:](\d+\.\d+\.\d+(?:-rc\.\d+)?)\b/g;
const namedIn = (path: string): readonly string[] =>
  [...textOf(path).matchAll(NAMED)].map(([, named = ""]) => named);

const documents = repositoryFiles().filter((path) => /^(README|client\/README|docs\/[^/]+)\.md$/.test(path));
/** Shows an upgrade from the version before to this one. */
const isUpgradeGuide = (path: string): boolean => path === "docs/backup-and-upgrade.md";

it("the version is that of a release or of a candidate", () => {
  expect(version).toMatch(/^\d+\.\d+\.\d+(-rc\.\d+)?$/);
});

it("`opzoek --version` prints the version of package.json", async () => {
  const { out } = await opzoek(["--version"], {});
  expect(out.split(",", 1)).toEqual([`opzoek ${version}`]);
});

it("the lock, the client and its element have the version of package.json", () => {
  const { packages } = JSON.parse(textOf("package-lock.json")) as {
    readonly packages: Readonly<Record<string, { readonly version: string }>>;
  };
  const element = textOf("client/src/element/autocompleteElement.ts");
  expect({
    lock: versionIn("package-lock.json"),
    lockedPackage: packages[""]?.version,
    client: versionIn("client/package.json"),
    element: /static readonly version: string = "(.*)";/.exec(element)?.[1],
  }).toEqual({ lock: version, lockedPackage: version, client: version, element: version });
});

it("the API document has the version of package.json: `npm run openapi` writes it", () => {
  const { info } = JSON.parse(textOf("openapi.json")) as { readonly info: { readonly version: string } };
  expect(info.version).toBe(version);
});

it("the image's label has the version of package.json", () => {
  const [, labelled] = /\borg\.opencontainers\.image\.version=(\S+)/.exec(textOf("Dockerfile")) ?? [];
  expect(labelled).toBe(version);
});

it("manifests and documents name release files and images of this version", () => {
  const manifests = repositoryFiles().filter((path) => /^deploy\/.*\.ya?ml$/.test(path));
  expect(manifests.flatMap(namedIn).length).toBeGreaterThan(0);
  const others = [...manifests, ...documents.filter((path) => !isUpgradeGuide(path))].flatMap((path) =>
    namedIn(path)
      .filter((named) => named !== version)
      .map((named) => `${path}: ${named}`),
  );
  expect(others).toEqual([]);
});

it("the upgrade guide shows an upgrade to this version", () => {
  expect(documents.filter(isUpgradeGuide).flatMap(namedIn)).toContain(version);
});
