/** Small sounds, made here: no files. Off unless asked for. */

import { setting } from "./settings.js";

/** @type {AudioContext | null} */
let context = null;

/** @typedef {[frequency: number, seconds: number, gain: number, wave: OscillatorType]} Tone */

/** @type {Record<"move" | "turn" | "roll" | "end" | "chat", Tone[]>} what each sound is made of */
const SOUNDS = {
  move: [[420, 0.05, 0.25, "triangle"]],
  // The one that calls somebody back who looks elsewhere is louder than the others.
  turn: [
    [660, 0.12, 0.7, "sine"],
    [880, 0.2, 0.7, "sine"],
  ],
  roll: [
    [180, 0.04, 0.2, "square"],
    [240, 0.04, 0.2, "square"],
    [200, 0.05, 0.2, "square"],
  ],
  end: [
    [523, 0.12, 0.18, "sine"],
    [659, 0.12, 0.18, "sine"],
    [784, 0.24, 0.18, "sine"],
  ],
  chat: [[740, 0.06, 0.12, "sine"]],
};

/** @param {keyof typeof SOUNDS} name */
export function play(name) {
  if (!setting("sound")) return;
  context ??= new AudioContext();
  let start = context.currentTime;
  for (const [frequency, seconds, gain, type] of SOUNDS[name]) {
    const tone = new OscillatorNode(context, { frequency, type });
    const loudness = gain * setting("volume");
    const volume = new GainNode(context, { gain: loudness });
    volume.gain.setValueAtTime(loudness, start);
    volume.gain.exponentialRampToValueAtTime(0.001, start + seconds);
    tone.connect(volume).connect(context.destination);
    tone.start(start);
    tone.stop(start + seconds);
    start += seconds;
  }
}
