import { makeWorld } from "../kit/world.ts";
import { accountSuite } from "./accountSuite.ts";

accountSuite("on the embedded state", makeWorld);
