/**
 * The services that this one depends on, by their name in `GET /v1/health`, with their meaning there. Only `kvk` is
 * always reported.
 */
export const HEALTH_SERVICES = {
  kvk: "The registry's data source.",
  vies: "The EU's VAT service, if it is used.",
  openData: "KVK's open data about monitored companies, if it is used.",
  courtRegister:
    "The court's insolvency register, if it is used: `down` while it is missing or older than three days.",
  peppol: "The Peppol network, if it is used.",
} as const;
export type HealthService = keyof typeof HEALTH_SERVICES;

export const CONDITIONS = ["up", "degraded", "down"] as const;
export type Condition = (typeof CONDITIONS)[number];
