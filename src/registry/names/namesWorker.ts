/** The thread that reads or builds an index of names: half a second for four million companies, or some minutes. */
import { parentPort, workerData } from "node:worker_threads";
import { answerTo, type NamesTask } from "./namesTask.ts";

const task: NamesTask = workerData;
parentPort?.postMessage(answerTo(task, (progress) => parentPort?.postMessage(progress)));
