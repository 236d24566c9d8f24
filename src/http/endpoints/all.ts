import type { Endpoint } from "../endpoint.ts";
import { manifest } from "../reconcile/manifest.ts";
import { preview } from "../reconcile/preview.ts";
import { reconcile } from "../reconcile/reconcile.ts";
import { proposeProperties, suggestEntity, suggestProperty, suggestType } from "../reconcile/suggest.ts";
import { activities } from "./activities.ts";
import { autocomplete } from "./autocomplete.ts";
import { batch } from "./batch.ts";
import { branches } from "./branches.ts";
import { health } from "./health.ts";
import { cancelJob, getJob, listJobs, pauseJob, resumeJob, rollWebhookSecret } from "./jobs/manage.ts";
import { jobResults } from "./jobs/results.ts";
import { sendJob } from "./jobs/send.ts";
import { lookup } from "./lookup.ts";
import { match } from "./match.ts";
import { changes, eventTypes, redeliverEvent } from "./monitors/changes.ts";
import {
  addMonitors,
  changeMonitor,
  getMonitor,
  listMonitors,
  removeMonitor,
  testMonitor,
} from "./monitors/monitors.ts";
import { changeMonitorSettings, getMonitorSettings } from "./monitors/settings.ts";
import { peppol } from "./peppol.ts";
import { search } from "./search.ts";
import { tokens } from "./tokens.ts";
import { usage } from "./usage.ts";
import { validate } from "./validate.ts";

/** Every endpoint, in the order of the API document. */
export const ENDPOINTS: readonly Endpoint[] = [
  lookup,
  branches,
  batch,
  autocomplete,
  search,
  activities,
  match,
  manifest,
  reconcile,
  suggestEntity,
  suggestProperty,
  suggestType,
  preview,
  proposeProperties,
  validate,
  peppol,
  sendJob,
  listJobs,
  getJob,
  jobResults,
  pauseJob,
  resumeJob,
  cancelJob,
  rollWebhookSecret,
  addMonitors,
  listMonitors,
  getMonitor,
  changeMonitor,
  removeMonitor,
  testMonitor,
  changes,
  redeliverEvent,
  eventTypes,
  getMonitorSettings,
  changeMonitorSettings,
  usage,
  tokens,
  health,
];
