import type { Offer, ServiceStatus, Suggestions } from "../../../src/contract/publicResources.ts";
import { send } from "./request.ts";

export const readStatus = () => send<ServiceStatus>("GET", "/account/status");
export const readOffer = () => send<Offer>("GET", "/account/offer");
export const suggest = (q: string) =>
  send<Suggestions>("GET", `/account/suggestions?${new URLSearchParams({ q })}`);
