/** Commands for a registry that one node publishes and others fetch. */
import { resolve } from "node:path";
import type { Command } from "commander";
import { recordWork } from "../registry/lastWork.ts";
import { makeKeys, parsePublicKey, publicKeyText, readPrivateKey } from "../registry/published/keys.ts";
import { publishSnapshot } from "../registry/published/publish.ts";
import { PublishedRegistry } from "../registry/published/publishedRegistry.ts";
import { openPublishedSource } from "../registry/published/source.ts";
import { lossesShown } from "../registry/shrinkGuard.ts";
import { type CliContext, UsageError } from "./command.ts";
import { localPathArgument } from "./options.ts";
import { addPrinting, megabytes, type Result } from "./output.ts";
import { withProgress } from "./progress.ts";
import { companiesOf, directoryOf } from "./snapshot.ts";

interface Options {
  readonly allowOlder?: boolean;
  readonly allowShrink?: boolean;
}

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
          : `${path} already exists and was not changed. Its public key is:`,
      );
      context.out(publicKey);
    });
  const publishing = registry
    .command("publish")
    .description(
      "publish the current snapshot for other nodes as an archive and a signed manifest; an unchanged one is only signed again",
    )
    .argument(
      "<folder>",
      "the folder that REGISTRY_URL of the other nodes points to; created if it does not exist",
      localPathArgument,
    )
    .option("--allow-shrink", "publish even if nodes lose more than a tenth of an origin's companies");
  addPrinting(publishing, context, (folder: string, options: Options) =>
    recordWork(context.settings().DATA_DIR, "registry publish", () => publish(folder, options, context)),
  );
  const fetching = registry
    .command("fetch")
    .description("fetch the registry at REGISTRY_URL once, if it is new")
    .option("--allow-older", "accept a publication older than the last one");
  addPrinting(fetching, context, (options: Options) => fetchOnce(options, context));
}

function privateKeyFile(context: CliContext): string {
  const path = context.settings().REGISTRY_PRIVATE_KEY_FILE;
  if (path !== undefined) return path;
  throw new UsageError(
    "REGISTRY_PRIVATE_KEY_FILE must be the path of the private key, such as ./registry.key.",
  );
}

async function publish(folder: string, options: Options, context: CliContext): Promise<Result> {
  const path = privateKeyFile(context);
  const others = context.settings().REGISTRY_PUBLIC_KEY.map(parsePublicKey);
  const { key, isOpenToOthers } = readPrivateKey(path);
  if (isOpenToOthers) context.err(`Other users can read ${path} and sign with it: run chmod 600 on it.`);
  const { manifest, isNew } = await withProgress(context, (progress) =>
    publishSnapshot({
      directory: directoryOf(context),
      target: resolve(folder),
      privateKey: key,
      allowShrink: options.allowShrink === true,
      publicKeys: [parsePublicKey(publicKeyText(key)), ...others],
      onProgress: (now) => progress.update({ ...now, unit: "bytes" }),
    }),
  );
  const { snapshot, archive, publishedAt } = manifest;
  const line = isNew
    ? `Published ${archive.name}: ${companiesOf(snapshot)}, ${megabytes(archive.bytes)}, unpacked ${megabytes(archive.unpackedBytes)}.`
    : `Signed again at ${publishedAt}: ${archive.name} was already published.`;
  return { document: { isNew, manifest }, lines: () => [line] };
}

async function fetchOnce(options: Options, context: CliContext): Promise<Result> {
  const settings = context.settings();
  if (settings.REGISTRY_URL === undefined) {
    throw new UsageError(
      "Set REGISTRY_URL to the published folder and REGISTRY_PUBLIC_KEY to the public key of the publisher.",
    );
  }
  const source = openPublishedSource(settings.REGISTRY_URL, settings.REGISTRY_HEADERS);
  try {
    const done = await withProgress(context, (progress) =>
      new PublishedRegistry({
        directory: directoryOf(context),
        source,
        publicKeys: settings.REGISTRY_PUBLIC_KEY.map(parsePublicKey),
        maxBytes: settings.REGISTRY_MAX_BYTES,
        allowOlder: options.allowOlder === true,
        onProgress: (now) => progress.update({ ...now, ...(now.stage !== "indexing" && { unit: "bytes" }) }),
      }).round(new AbortController().signal),
    );
    if (done.did === "took" && done.losses.length > 0) {
      context.err(
        `This publication removes ${lossesShown(done.losses)}. If that is a mistake, contact the publisher; "opzoek registry rollback" restores the previous snapshot here.`,
      );
    }
    const line =
      done.did === "took"
        ? `${done.snapshot.file} is now current: ${companiesOf(done.snapshot)}, published ${done.manifest.publishedAt}.`
        : "Nothing new: this publication is already in use.";
    return { document: done, lines: () => [line] };
  } finally {
    await source.close();
  }
}
