/** The thread that reads or builds an index of names: half a second for four million companies, or some minutes. */
import { parentPort, workerData } from "node:worker_threads";
import { type NamesTask, namesOf, writeNamesBeside } from "./namesFile.ts";

const task: NamesTask = workerData;
if (task.kind === "build") {
  writeNamesBeside(task.path, task.sha256);
  parentPort?.postMessage(undefined);
} else parentPort?.postMessage(namesOf(task.place));
