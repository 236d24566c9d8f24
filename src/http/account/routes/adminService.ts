import {
  type AdminRegistry,
  AdminRegistrySchema,
  type AdminTraffic,
  AdminTrafficSchema,
  type AdminUpstreams,
  AdminUpstreamsSchema,
} from "../../../contract/operatorResources.ts";
import { dayOf } from "../../../metering/periods.ts";
import { type AccountRoute, forOperator } from "../route.ts";
import { viesSeen } from "./public.ts";

const DAYS = 30;
const DAY_MS = 86_400_000;

/** How the service goes, for its operator. */
export const serviceRoutes: readonly AccountRoute[] = [
  forOperator({
    method: "GET",
    path: "/account/admin/traffic",
    status: 200,
    schema: { response: AdminTrafficSchema },
    handler: async (_input, { account, services }): Promise<AdminTraffic> => {
      const nowMs = account.now();
      const days = Array.from({ length: DAYS }, (_, index) => dayOf(nowMs - (DAYS - 1 - index) * DAY_MS));
      const rows = await services.ledger.traffic(days[0] ?? dayOf(nowMs));
      const byDay = new Map(rows.map((row) => [row.day, row]));
      return {
        days: days.map((day) => {
          const row = byDay.get(day);
          return {
            day,
            requests: row?.requests ?? 0,
            tokens: row?.tokens ?? 0,
            refusals: (row?.refusedByRate ?? 0) + (row?.refusedByAllowance ?? 0),
            accounts: row?.accounts ?? 0,
          };
        }),
      };
    },
  }),

  forOperator({
    method: "GET",
    path: "/account/admin/upstreams",
    status: 200,
    schema: { response: AdminUpstreamsSchema },
    handler: async (_input, { account, services }): Promise<AdminUpstreams> => {
      const [{ status, services: parts }, paidCalls, day] = await Promise.all([
        services.health(),
        account.paidCalls(),
        account.viesDay().catch(() => undefined),
      ]);
      return {
        service: status,
        registry: parts.kvk,
        vies: viesSeen(parts.vies, day),
        breakers: [...account.breakers()],
        ...(paidCalls !== undefined && {
          paidCalls: { ...paidCalls, left: Math.max(0, paidCalls.most - paidCalls.made) },
        }),
      };
    },
  }),

  forOperator({
    method: "GET",
    path: "/account/admin/registry",
    status: 200,
    schema: { response: AdminRegistrySchema },
    handler: async (_input, { account, services }): Promise<AdminRegistry> => {
      const info = services.lookup.snapshotInfo;
      if (info === undefined) return {};
      const { file, createdAt, companies, branches, bytes, origins, layers = [info] } = info;
      const before = account.snapshotBefore();
      const ageSeconds = Math.max(0, Math.floor((account.now() - Date.parse(createdAt)) / 1_000));
      return {
        snapshot: {
          file,
          builtAt: createdAt,
          ageSeconds,
          companies,
          branches,
          bytes,
          layers: layers.map((layer, place) => ({
            file: layer.file,
            kind: place === 0 ? "base" : "segment",
            builtAt: layer.createdAt,
            companies: layer.companies,
            bytes: layer.bytes,
          })),
          origins: [...origins],
        },
        ...(before !== undefined && {
          previous: {
            file: before.file,
            builtAt: before.createdAt,
            companies: before.companies,
            bytes: before.bytes,
          },
        }),
      };
    },
  }),
];
