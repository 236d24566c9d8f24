/**
 * The manifests of `deploy/kubernetes`, checked against the schemas of Kubernetes and the program's own settings and
 * paths.
 */
import { readdirSync } from "node:fs";
import { isIP } from "node:net";
import { join } from "node:path";
import { Deployment, type IDeployment } from "kubernetes-models/apps/v1";
import { CronJob, type ICronJob } from "kubernetes-models/batch/v1";
import { type INetworkPolicy, Ingress, NetworkPolicy } from "kubernetes-models/networking.k8s.io/v1";
import { PodDisruptionBudget } from "kubernetes-models/policy/v1";
import {
  ConfigMap,
  type IConfigMap,
  type ISecret,
  PersistentVolumeClaim,
  Secret,
  Service,
} from "kubernetes-models/v1";
import { describe, expect, it } from "vitest";
import { parseAllDocuments } from "yaml";
import { DRAIN_TIMEOUT_MS } from "../../src/app/process/untilStopped.ts";
import { readSettings } from "../../src/app/settings/settings.ts";
import { JOB_BOUNDS } from "../../src/contract/jobs.ts";
import { LIVE_PATH, READY_PATH } from "../../src/http/probes.ts";
import { isWithin } from "../../src/lib/networks.ts";
import { ROOT, textOf } from "../architecture/repository.ts";

const FOLDER = "deploy/kubernetes";

interface Manifest {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: { readonly name: string };
}

const KINDS = {
  "apps/v1 Deployment": Deployment,
  "batch/v1 CronJob": CronJob,
  "networking.k8s.io/v1 Ingress": Ingress,
  "networking.k8s.io/v1 NetworkPolicy": NetworkPolicy,
  "policy/v1 PodDisruptionBudget": PodDisruptionBudget,
  "v1 ConfigMap": ConfigMap,
  "v1 PersistentVolumeClaim": PersistentVolumeClaim,
  "v1 Secret": Secret,
  "v1 Service": Service,
} as const;

const manifests: readonly Manifest[] = readdirSync(join(ROOT, FOLDER))
  .filter((name) => name.endsWith(".yaml"))
  .flatMap((name) =>
    parseAllDocuments(textOf(`${FOLDER}/${name}`)).map((document) => {
      expect(document.errors, name).toEqual([]);
      return document.toJS() as Manifest;
    }),
  );

function only<T extends Manifest>(kind: string, name = "opzoek"): T {
  const found = manifests.filter((one) => one.kind === kind && one.metadata.name === name);
  expect([kind, name, found.length]).toEqual([kind, name, 1]);
  return found[0] as T;
}

const deployment = only<Manifest & IDeployment>("Deployment");
const pod = deployment.spec?.template.spec;
const [container] = pod?.containers ?? [];
const job = only<Manifest & ICronJob>("CronJob", "opzoek-registry").spec?.jobTemplate.spec?.template.spec;
const settings = {
  ...only<Manifest & IConfigMap>("ConfigMap").data,
  ...only<Manifest & ISecret>("Secret").stringData,
};

describe("the manifests", () => {
  it.each(manifests.map((one) => [`${one.apiVersion} ${one.kind}`, one.metadata.name, one] as const))(
    "have a %s %s that matches its schema",
    (kind, _name, manifest) => {
      const known: Readonly<Record<string, new (data: never) => { validate(): void }>> = KINDS;
      const Kind = known[kind];
      if (Kind === undefined) throw new Error(`there is no schema for ${kind}`);
      const read = new Set<string>();
      // Each kind has its own input type; this test checks whether the manifest matches it.
      const model = new Kind(watched(manifest, "", read) as never);
      expect(() => model.validate()).not.toThrow();
      // The schemas allow unknown fields but do not read them.
      expect(pathsIn(manifest).filter((path) => !read.has(path))).toEqual([]);
      expect(TOP).toEqual(expect.arrayContaining(Object.keys(manifest)));
    },
  );

  it("set only settings that the program knows", () => {
    const { REGISTRY_PUBLIC_KEY: _, ...others } = settings;
    // A real key cannot be shown, so only its format is checked.
    expect(settings.REGISTRY_PUBLIC_KEY).toMatch(/^ed25519:[A-Za-z0-9_-]{43}$/);
    const { REGISTRY_URL, ...rest } = others;
    expect(REGISTRY_URL).toBe("file:///published");
    expect(readSettings(rest)).toMatchObject({ DRAIN_DELAY_MS: 5_000, TRUST_PROXY: ["10.244.7.0/24"] });
  });

  it("trust only the ingress controller's network", () => {
    for (const network of readSettings({ TRUST_PROXY: settings.TRUST_PROXY }).TRUST_PROXY) {
      expect(Number(network.split("/")[1] ?? 32)).toBeGreaterThanOrEqual(24);
    }
  });

  it("let only the ingress controller call the pods, only Prometheus read metrics, and the pods reach only their dependencies", () => {
    const { spec } = only<Manifest & INetworkPolicy>("NetworkPolicy");
    expect(spec?.podSelector).toEqual(deployment.spec?.selector);
    expect(spec?.policyTypes).toEqual(["Ingress", "Egress"]);
    for (const { from } of spec?.ingress ?? []) {
      expect(from).toEqual([{ namespaceSelector: expect.anything(), podSelector: expect.anything() }]);
    }
    const named = container?.ports?.map(({ name }) => [name]);
    expect(spec?.ingress?.map(({ ports: open }) => open?.map(({ port }) => port))).toEqual(named);
    for (const { to, ports } of spec?.egress ?? []) {
      expect(ports?.length, JSON.stringify(to)).toBeGreaterThan(0);
    }
    const other = only<Manifest & INetworkPolicy>("NetworkPolicy", "opzoek-registry").spec;
    expect([other?.policyTypes, other?.ingress]).toEqual([["Ingress", "Egress"], undefined]);
  });

  it.each([
    ["a webhook on the usual port", "8.8.8.8", 443, true],
    ["a webhook on another port", "8.8.8.8", 8_443, true],
    ["a webhook by IPv6", "2a00:1450:400e::200e", 8_443, true],
    ["mail", "8.8.8.8", 587, true],
    ["mail in the cluster", "10.96.0.12", 465, true],
    ["PostgreSQL", "10.96.0.10", 5_432, true],
    ["a collector of traces", "10.96.0.11", 4_318, true],
    ["another service of the cluster", "10.96.0.1", 6_443, false],
    ["another machine of the network", "192.168.1.1", 22, false],
    ["the metadata service", "169.254.169.254", 80, false],
    ["the metadata service by TLS", "169.254.169.254", 443, false],
  ])("let the pods reach only what they need: %s", (_, address, port, isAllowed) => {
    const { spec } = only<Manifest & INetworkPolicy>("NetworkPolicy");
    const reaches = (spec?.egress ?? []).some(({ to, ports }) => {
      const isThere = to?.some(
        ({ ipBlock }) =>
          ipBlock !== undefined &&
          // A network of IPv6 has no address of IPv4.
          isIP(address) === isIP(ipBlock.cidr.replace(/\/.*/, "")) &&
          isWithin(address, ipBlock.cidr) &&
          !(ipBlock.except ?? []).some((network) => isWithin(address, network)),
      );
      const isOpen = ports?.some(
        ({ port: first, endPort }) => Number(first) <= port && port <= (endPort ?? Number(first)),
      );
      return (isThere ?? true) && isOpen === true;
    });
    expect(reaches).toBe(isAllowed);
  });

  it("probe existing paths, and end a pod only after it has drained", () => {
    expect(container?.livenessProbe?.httpGet?.path).toBe(LIVE_PATH);
    expect(container?.startupProbe?.httpGet?.path).toBe(LIVE_PATH);
    expect(container?.readinessProbe?.httpGet?.path).toBe(READY_PATH);
    const graceMs = (pod?.terminationGracePeriodSeconds ?? 0) * 1_000;
    expect(graceMs).toBeGreaterThan(Number(settings.DRAIN_DELAY_MS) + DRAIN_TIMEOUT_MS + 2_000);
    const seenMs = (container?.readinessProbe?.periodSeconds ?? 0) * 1_000;
    expect(Number(settings.DRAIN_DELAY_MS)).toBeGreaterThan(seenMs * 2);
  });

  it("give a start the time to migrate, to fetch the registry and to build its index", () => {
    const { periodSeconds = 10, failureThreshold = 3, timeoutSeconds = 1 } = container?.startupProbe ?? {};
    expect(periodSeconds * failureThreshold).toBeGreaterThanOrEqual(600);
    expect(timeoutSeconds).toBe(container?.livenessProbe?.timeoutSeconds);
    expect(deployment.spec?.progressDeadlineSeconds).toBeGreaterThan(periodSeconds * failureThreshold);
  });

  it("build the index of names before a new pod serves, with its memory, volumes and settings", () => {
    const [prepare, ...others] = pod?.initContainers ?? [];
    expect(others).toEqual([]);
    expect(prepare?.command?.slice(0, 2)).toEqual(["sh", "-c"]);
    expect(prepare?.command?.[2]).toMatch(/^node \S+ registry fetch; exec node \S+ registry prepare$/);
    const { image, envFrom, resources, volumeMounts } = container ?? {};
    expect(prepare).toMatchObject({ image, envFrom, resources, volumeMounts });
  });

  it("end a job that hangs before the next one, and run one at a time", () => {
    const { spec } = only<Manifest & ICronJob>("CronJob", "opzoek-registry");
    expect(spec?.concurrencyPolicy).toBe("Forbid");
    expect(spec?.schedule).toBe("30 4 * * *");
    const deadlineSeconds = spec?.jobTemplate.spec?.activeDeadlineSeconds ?? Number.POSITIVE_INFINITY;
    expect(deadlineSeconds).toBeLessThan(24 * 3_600);
  });

  it("stream the largest list to the service", () => {
    const { metadata } = only<Manifest & { metadata: { annotations: Record<string, string> } }>("Ingress");
    const [, megabytes] = /^([0-9]+)m$/.exec(metadata.annotations[BODY_SIZE] ?? "") ?? [];
    expect(Number(megabytes) * 1_048_576).toBeGreaterThanOrEqual(JOB_BOUNDS.maxMatchBytes);
    expect(metadata.annotations[REQUEST_BUFFERING]).toBe("off");
  });

  it("keep two nodes, at least one of them through any disruption", () => {
    expect(deployment.spec?.replicas).toBe(2);
    expect(deployment.spec?.strategy?.rollingUpdate).toEqual({ maxUnavailable: 0, maxSurge: 1 });
    const budget = only<Manifest & { spec: { minAvailable: number; selector: object } }>(
      "PodDisruptionBudget",
    );
    expect(budget.spec.minAvailable).toBe(1);
    expect(budget.spec.selector).toEqual(deployment.spec?.selector);
  });

  it("run every container unprivileged on a read-only root, with every mount declared", () => {
    for (const one of [pod, job]) {
      expect(one?.securityContext).toMatchObject({
        runAsNonRoot: true,
        seccompProfile: { type: "RuntimeDefault" },
      });
      const volumes = one?.volumes?.map(({ name }) => name) ?? [];
      for (const each of [...(one?.initContainers ?? []), ...(one?.containers ?? [])]) {
        expect(each.securityContext).toEqual({
          allowPrivilegeEscalation: false,
          readOnlyRootFilesystem: true,
          capabilities: { drop: ["ALL"] },
        });
        expect(each.resources).toMatchObject({
          requests: { cpu: expect.anything() },
          limits: { memory: expect.anything() },
        });
        expect(volumes).toEqual(expect.arrayContaining(each.volumeMounts?.map(({ name }) => name) ?? []));
        expect(each.volumeMounts).toContainEqual({ name: "data", mountPath: "/data" });
      }
    }
  });
});

const REQUEST_BUFFERING = "nginx.ingress.kubernetes.io/proxy-request-buffering";
const BODY_SIZE = "nginx.ingress.kubernetes.io/proxy-body-size";

/** The allowed top-level fields of a manifest, which are read before its schema checks it. */
const TOP = ["apiVersion", "kind", "metadata", "spec", "data", "stringData", "type"];

/** A proxy of the value that records the paths of all reads. */
function watched(value: unknown, path: string, read: Set<string>): unknown {
  if (typeof value !== "object" || value === null) return value;
  return new Proxy(value, {
    get(target, key) {
      const found: unknown = Reflect.get(target, key);
      if (typeof key !== "string" || !Object.hasOwn(target, key)) return found;
      const below = `${path}.${key}`;
      read.add(below);
      return watched(found, below, read);
    },
  });
}

/** The paths of all nested values. */
function pathsIn(value: unknown, path = ""): string[] {
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([key, below]) => [
    `${path}.${key}`,
    ...pathsIn(below, `${path}.${key}`),
  ]);
}
