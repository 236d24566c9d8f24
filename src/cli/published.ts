import { resolve } from "node:path";
import type { Command } from "commander";
import { registryDirectory } from "../registry/places.ts";
import { makeKeys, parsePublicKey, publicKeyText, readPrivateKey } from "../registry/published/keys.ts";
import { publishSnapshot } from "../registry/published/publish.ts";
import { PublishedRegistry } from "../registry/published/publishedRegistry.ts";
import { openSource } from "../registry/published/source.ts";
import { lossesShown } from "../registry/shrinking.ts";
import { type CliContext, WrongUse } from "./command.ts";
import { JSON_OPTION, type JsonOption, localPath } from "./options.ts";
import { counted, print } from "./output.ts";
import { withProgress } from "./progress.ts";

interface Options extends JsonOption {
  readonly allowOlder?: boolean;
  readonly allowShrink?: boolean;
}

/** `opzoek registry keys`, `publish` and `fetch`: passing a snapshot on to other nodes. */
export function addPublishedCommands(registry: Command, context: CliContext): void {
  registry
    .command("keys")
    .description(
      "create the key that signs published snapshots, in REGISTRY_PRIVATE_KEY_FILE, and print its public key",
    )
    .action(() => {
      const path = privateKeyFile(context);
      const { publicKey, isNew } = makeKeys(path);
      context.err(
        isNew
          ? `The private key is in ${path}: keep it secret. REGISTRY_PUBLIC_KEY of the other nodes is:`
          : `${path} exists already and was not changed. Its public key is:`,
      );
      context.out(publicKey);
    });
  registry
    .command("publish")
    .description(
      "write the current snapshot for other nodes: one archive and a signed manifest; an unchanged one is signed again",
    )
    .argument(
      "<folder>",
      "the folder that REGISTRY_URL of the other nodes leads to; created when it is missing",
      localPath,
    )
    .option("--allow-shrink", "publish even if nodes lose more than a tenth of an origin's companies")
    .option(...JSON_OPTION)
    // `registry` has a --json too, which takes the option wherever it stands.
    .action((folder: string, _own: Options, command: Command) =>
      publish(folder, command.optsWithGlobals<Options>(), context),
    );
  registry
    .command("fetch")
    .description("fetch what is new at REGISTRY_URL once")
    .option("--allow-older", "accept a publication that is older than the last one")
    .option(...JSON_OPTION)
    .action((_own: Options, command: Command) => fetchOnce(command.optsWithGlobals<Options>(), context));
}

function privateKeyFile(context: CliContext): string {
  const path = context.settings().REGISTRY_PRIVATE_KEY_FILE;
  if (path !== undefined) return path;
  throw new WrongUse(
    "REGISTRY_PRIVATE_KEY_FILE must name the file of the private key, such as ./registry.key.",
  );
}

async function publish(folder: string, options: Options, context: CliContext): Promise<void> {
  const path = privateKeyFile(context);
  const { DATA_DIR, REGISTRY_PUBLIC_KEY } = context.settings();
  const { key, isOpenToOthers } = readPrivateKey(path);
  if (isOpenToOthers) context.err(`Other users can read ${path}, and sign with it: chmod 600 it.`);
  const published = await withProgress(context, (progress) =>
    publishSnapshot({
      directory: registryDirectory(DATA_DIR),
      target: resolve(folder),
      privateKey: key,
      allowShrink: options.allowShrink === true,
      publicKeys: [parsePublicKey(publicKeyText(key)), ...REGISTRY_PUBLIC_KEY.map(parsePublicKey)],
      onProgress: (now) => progress.update({ ...now, unit: "bytes" }),
    }),
  );
  const { manifest, isNew } = published;
  const { snapshot, archive, publishedAt } = manifest;
  print(context, options, { isNew, manifest }, () => [
    isNew
      ? `Published ${archive.name}: ${companiesOf(snapshot)}, ${megabytes(archive.bytes)}, unpacked ${megabytes(archive.unpackedBytes)}.`
      : `Signed again at ${publishedAt}: ${archive.name} was published already.`,
  ]);
}

async function fetchOnce(options: Options, context: CliContext): Promise<void> {
  const { DATA_DIR, REGISTRY_URL, REGISTRY_HEADERS, REGISTRY_PUBLIC_KEY, REGISTRY_MAX_BYTES } =
    context.settings();
  if (REGISTRY_URL === undefined) {
    throw new WrongUse(
      "Set REGISTRY_URL to the published folder and REGISTRY_PUBLIC_KEY to the public key of the publisher.",
    );
  }
  const source = openSource(REGISTRY_URL, REGISTRY_HEADERS);
  try {
    const done = await withProgress(context, (progress) =>
      new PublishedRegistry({
        directory: registryDirectory(DATA_DIR),
        source,
        publicKeys: REGISTRY_PUBLIC_KEY.map(parsePublicKey),
        maxBytes: REGISTRY_MAX_BYTES,
        allowOlder: options.allowOlder === true,
        onProgress: (now) => progress.update({ ...now, unit: "bytes" }),
      }).round(new AbortController().signal),
    );
    if (done.did === "took" && done.losses.length > 0) {
      context.err(
        `This publication removes ${lossesShown(done.losses)}. If that is wrong, ask the publisher; "opzoek registry rollback" goes back here.`,
      );
    }
    print(context, options, done, () => [
      done.did === "took"
        ? `${done.snapshot.file} is current now: ${companiesOf(done.snapshot)}, published ${done.manifest.publishedAt}.`
        : "Nothing new: the publication was taken already.",
    ]);
  } finally {
    await source.close();
  }
}

export function companiesOf({ companies }: { readonly companies: number }): string {
  return counted(companies, "company", "companies");
}

export function megabytes(bytes: number): string {
  return `${(bytes / 1e6).toFixed(1)} MB`;
}
