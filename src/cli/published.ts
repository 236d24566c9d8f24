import { resolve } from "node:path";
import type { Command } from "commander";
import { registryDirectory } from "../registry/places.ts";
import { makeKeys, parsePublicKey, publicKeyText, readPrivateKey } from "../registry/published/keys.ts";
import { publishSnapshot } from "../registry/published/publish.ts";
import { PublishedRegistry } from "../registry/published/publishedRegistry.ts";
import { openSource } from "../registry/published/source.ts";
import { lossesShown } from "../registry/shrinking.ts";
import { type CliContext, WrongUse } from "./command.ts";
import { localPath } from "./localPath.ts";
import { StageProgress } from "./stageProgress.ts";
import { asFailure } from "./withSnapshot.ts";

interface Words {
  readonly allowOlder?: boolean;
  readonly allowShrink?: boolean;
  readonly json?: boolean;
}

const GO_BACK = 'If that is wrong, ask the publisher; "opzoek registry rollback" goes back here.';

/** `opzoek registry keys`, `publish` and `fetch`: a snapshot on its way to other nodes. */
export function addPublishedCommands(registry: Command, context: CliContext): void {
  registry
    .command("keys")
    .description(
      "create the key that signs published snapshots, in REGISTRY_PRIVATE_KEY_FILE, and print its public key",
    )
    .action(() => keys(context));
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
    .option("--json", "print one JSON document")
    .action((folder: string, _words: Words, command: Command) => publish(folder, given(command), context));
  registry
    .command("fetch")
    .description("fetch what is new at REGISTRY_URL once")
    .option("--allow-older", "accept a publication that is older than the last one")
    .option("--json", "print one JSON document")
    .action((_words: Words, command: Command) => fetchOnce(given(command), context));
}

/** The options of a command. `registry` has a --json too, and takes it wherever it stands. */
function given(command: Command): Words {
  return command.optsWithGlobals<Words>();
}

function keys(context: CliContext): void {
  const path = privateKeyFile(context);
  try {
    const { publicKey, isNew } = makeKeys(path);
    context.err(
      isNew
        ? `The private key is in ${path}: keep it secret. REGISTRY_PUBLIC_KEY of the other nodes is:`
        : `${path} exists already and was not changed. Its public key is:`,
    );
    context.out(publicKey);
  } catch (error) {
    throw asFailure(error);
  }
}

function privateKeyFile(context: CliContext): string {
  const path = context.settings().REGISTRY_PRIVATE_KEY_FILE;
  if (path === undefined) {
    throw new WrongUse(
      "REGISTRY_PRIVATE_KEY_FILE must name the file of the private key, such as ./registry.key.",
    );
  }
  return path;
}

async function publish(folder: string, words: Words, context: CliContext): Promise<void> {
  const path = privateKeyFile(context);
  const { DATA_DIR, REGISTRY_PUBLIC_KEY } = context.settings();
  const progress = new StageProgress(context);
  try {
    const { key, isOpenToOthers } = readPrivateKey(path);
    if (isOpenToOthers) context.err(`Others may read ${path}, and sign with it: chmod 600 it.`);
    const { manifest, isNew } = await publishSnapshot({
      directory: registryDirectory(DATA_DIR),
      target: resolve(folder),
      privateKey: key,
      allowShrink: words.allowShrink === true,
      publicKeys: [parsePublicKey(publicKeyText(key)), ...REGISTRY_PUBLIC_KEY.map(parsePublicKey)],
      onProgress: (now) => progress.update({ ...now, unit: "bytes" }),
    });
    progress.end();
    if (words.json === true) return context.out(JSON.stringify({ isNew, manifest }));
    const { snapshot, archive, publishedAt } = manifest;
    context.out(
      isNew
        ? `Published ${archive.name}: ${shownCount(snapshot.companies)}, ${megabytes(archive.bytes)}, unpacked ${megabytes(archive.unpackedBytes)}.`
        : `Signed again at ${publishedAt}: ${archive.name} was published already.`,
    );
  } catch (error) {
    throw asFailure(error);
  } finally {
    progress.end();
  }
}

async function fetchOnce(words: Words, context: CliContext): Promise<void> {
  const { DATA_DIR, REGISTRY_URL, REGISTRY_HEADERS, REGISTRY_PUBLIC_KEY, REGISTRY_MAX_BYTES } =
    context.settings();
  if (REGISTRY_URL === undefined) {
    throw new WrongUse(
      "Set REGISTRY_URL to the published folder and REGISTRY_PUBLIC_KEY to the public key of the publisher.",
    );
  }
  const progress = new StageProgress(context);
  const source = openSource(REGISTRY_URL, REGISTRY_HEADERS);
  try {
    const published = new PublishedRegistry({
      directory: registryDirectory(DATA_DIR),
      source,
      publicKeys: REGISTRY_PUBLIC_KEY.map(parsePublicKey),
      maxBytes: REGISTRY_MAX_BYTES,
      allowOlder: words.allowOlder === true,
      onProgress: (now) => progress.update({ ...now, unit: "bytes" }),
    });
    const done = await published.round(new AbortController().signal);
    progress.end();
    if (done.did === "took" && done.losses.length > 0) {
      context.err(`This publication takes away ${lossesShown(done.losses)}. ${GO_BACK}`);
    }
    if (words.json === true) return context.out(JSON.stringify(done));
    context.out(
      done.did === "took"
        ? `${done.snapshot.file} is current now: ${shownCount(done.snapshot.companies)}, published ${done.manifest.publishedAt}.`
        : "Nothing new: the publication was taken already.",
    );
  } catch (error) {
    throw asFailure(error);
  } finally {
    progress.end();
    await source.close();
  }
}

function shownCount(companies: number): string {
  return `${companies.toLocaleString("en")} ${companies === 1 ? "company" : "companies"}`;
}

function megabytes(bytes: number): string {
  return `${(bytes / 1e6).toFixed(1)} MB`;
}
