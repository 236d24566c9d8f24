import { verifyWebhook } from "@opzoek/client/jobs";
import type {
  ChangeEvent,
  ChangesOptions,
  ChangeType,
  EventMessage,
  Monitor,
  MonitorChange,
  MonitorFields,
  MonitorOptions,
  MonitorRef,
  MonitorSettings,
  ReadChange,
  SettingsChange,
} from "@opzoek/client/monitors";

export async function eventIn(request: Request, secret: string): Promise<ChangeEvent> {
  const { messageId, data } = await verifyWebhook<EventMessage>(
    await request.text(),
    request.headers,
    secret,
  );
  return messageId === data.id ? data : Promise.reject(new Error("not an event"));
}
export const wanted: readonly ChangeType[] = ["company.moved"];
export const fields: MonitorFields = { events: wanted };
export const change: MonitorChange & MonitorOptions = { webhook: null, timeoutMs: 5_000 };
export const settings: SettingsChange = { maxTokens: null };
export const options: ChangesOptions = { type: "company.moved" };
export const isPaused = ({ status }: Monitor): boolean => status === "paused";
export const idOf = (monitor: MonitorRef): string => (typeof monitor === "string" ? monitor : monitor.id);
export const waiting = ({ pending }: MonitorSettings): number => pending;
export const cursorOf = ({ cursor }: ReadChange): string | undefined => cursor;
