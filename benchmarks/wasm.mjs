// The part of benchmarks/wasm.py that runs in node: FOLDER games N SEED, or FOLDER calls.
import {readFileSync, writeFileSync} from "node:fs";
import {pathToFileURL} from "node:url";

const [folder, what, ...rest] = process.argv.slice(2);
const {load} = await import(pathToFileURL(`${folder}/example.mjs`).href);
const game = await load();

/** Return the CPU seconds that something takes. */
function cpu(act) {
  const before = process.cpuUsage();
  act();
  const spent = process.cpuUsage(before);
  return (spent.user + spent.system) / 1e6;
}

/** Return the arguments in one list, records as lists. */
function arrange(signature, parts) {
  if (signature.kind === "record") return signature.members.map((member) => arrange(member, parts));
  const part = parts.shift();
  return signature.kind === "array" ? game.array(signature.type, ...part) : part;
}

function arraysOf(value) {
  return Array.isArray(value) ? value.flatMap(arraysOf) : typeof value === "object" ? [value] : [];
}

const bytesOf = (array) => {
  const {buffer, byteOffset, byteLength} = array.values;
  return new Uint8Array(buffer, byteOffset, byteLength);
};

let seconds = 0;
let moves = 0;
if (what === "games") {
  const first = game.start();
  const mark = game.top;
  const limit = performance.now() + 500; // until the optimising compiler is through
  while (performance.now() < limit) {
    game.playouts(first, 50, 99);
    game.top = mark;
  }
  seconds = cpu(() => { moves = game.playouts(first, Number(rest[0]), rest[1]); });
} else {
  const calls = JSON.parse(readFileSync(`${folder}/calls.json`));
  const signature = game.signatures.get(calls.name);
  const mark = game.top;
  for (const measured of [false, true]) {
    for (let number = 0; number < calls.number; number++) {
      game.top = mark;
      const parts = [...calls.parts[number]];
      const values = signature.arguments.map((argument) => arrange(argument, parts));
      const data = readFileSync(`${folder}/call${number}.bin`);
      let at = 0;
      for (const array of arraysOf(values)) {
        const bytes = bytesOf(array);
        bytes.set(data.subarray(at, at + bytes.length));
        at += bytes.length;
      }
      const spent = cpu(() => game.call(calls.name, ...values));
      if (measured) {
        seconds += spent;
        writeFileSync(`${folder}/call${number}.out`, Buffer.concat(arraysOf(values).map(bytesOf)));
      }
    }
  }
}
console.log(JSON.stringify({seconds, moves}));
