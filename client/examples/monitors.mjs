// Every other call of monitors. Companies of a test key are fictional and change as described in docs/test-keys.md.
import { Monitors } from "@opzoek/client/monitors";

const watching = new Monitors({ baseUrl: "http://127.0.0.1:8080", key: process.env.OPZOEK_TEST_KEY });

const [monitor] = (await watching.add(["99990303"])).results;
await watching.change(monitor, { events: ["company.legal_form_changed"], metadata: { debtor: "7" } });
console.log((await watching.get(monitor)).metadata.debtor); // 7
for await (const { kvkNumber } of watching.list()) {
  if (kvkNumber === monitor.kvkNumber) console.log("monitored"); // monitored
}
console.log((await watching.listPage({ limit: 1 })).monitors.length); // 1
console.log((await watching.eventTypes())[0].type); // company.renamed
console.log((await watching.test(monitor).catch((error) => error)).code); // INVALID_REQUEST
console.log((await watching.redeliver("evt_0000000000000000000000").catch((error) => error)).code); // NOT_FOUND
// A test key cannot change the settings of live monitors.
console.log((await watching.changeSettings({ maxTokens: 100 }).catch((error) => error)).code); // FORBIDDEN
console.log((await watching.settings()).limit > 0, watching.state.rate.limit > 0); // true true
await watching.remove(monitor);
