#!/usr/bin/env node
// Plain JavaScript, which a Node.js that is too old for the program understands too: it says so then.
import "../src/app/process/preflight.js";

// Before the program: what is loaded earlier is compiled anew each time.
await import("../src/app/process/compileCache.js");
const { builtProgram } = await import("../src/app/process/built.js");
await import(builtProgram() ?? "../src/main.ts");
