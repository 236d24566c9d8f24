import { makeWorld } from "../kit/world.ts";
import { testKeySuite } from "./suite.ts";

testKeySuite("embedded", makeWorld);
