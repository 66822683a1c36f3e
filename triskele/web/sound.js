/** Small sounds, made here: no files. Off unless asked for. */

import { setting } from "./settings.js";

/** @type {AudioContext | null} */
let context = null;

/** What each sound is made of: pitch, length in seconds, loudness, and shape of the wave. */
const SOUNDS = {
  move: [[420, 0.05, 0.25, "triangle"]],
  turn: [[660, 0.07, 0.16, "sine"], [880, 0.09, 0.16, "sine"]],
  roll: [[180, 0.04, 0.2, "square"], [240, 0.04, 0.2, "square"], [200, 0.05, 0.2, "square"]],
  end: [[523, 0.12, 0.18, "sine"], [659, 0.12, 0.18, "sine"], [784, 0.24, 0.18, "sine"]],
  chat: [[740, 0.06, 0.12, "sine"]],
};

/** @param {keyof typeof SOUNDS} name */
export function play(name) {
  if (!setting("sound")) return;
  context ??= new AudioContext();
  let start = context.currentTime;
  for (const [pitch, length, loud, type] of SOUNDS[name]) {
    const tone = new OscillatorNode(context, { frequency: pitch, type });
    const volume = new GainNode(context, { gain: loud });
    volume.gain.setValueAtTime(loud, start);
    volume.gain.exponentialRampToValueAtTime(0.001, start + length);
    tone.connect(volume).connect(context.destination);
    tone.start(start);
    tone.stop(start + length);
    start += length;
  }
}
