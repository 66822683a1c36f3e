/** The HTTP interface, version 1. Every refusal is an `ApiError` with words for a person. */

import { language, say } from "./i18n.js";

const ROOT = "/api/v1";

/** A refusal by the server, or no answer (`code` is then `offline`). */
export class ApiError extends Error {
  /** @param {string} code @param {string} text */
  constructor(code, text) {
    super(text);
    this.code = code;
  }
}

/** @param {string} path @param {RequestInit} [init] */
async function request(path, init = {}) {
  let response;
  try {
    response = await fetch(ROOT + path, { ...init, headers: { "Accept-Language": language(), ...init.headers } });
  } catch {
    throw new ApiError("offline", say("web.offline"));
  }
  const type = response.headers.get("Content-Type") ?? "";
  const body = type.includes("json") ? await response.json() : await response.text();
  if (response.ok) return body;
  throw new ApiError(body?.error?.code ?? String(response.status), body?.error?.text ?? say("web.failed"));
}

/** @param {string} path below `/api/v1` */
export const get = (path) => request(path);

/** @param {string} path below `/api/v1` @param {*} body */
export const post = (path, body) =>
  request(path, { method: "POST", body: JSON.stringify(body), headers: { "Content-Type": "application/json" } });

/**
 * The address of something that a link or an image points at.
 * @param {string} path
 * @param {Object<string, *>} [query]
 */
export function address(path, query = {}) {
  const given = Object.entries(query).filter(([, value]) => value !== undefined && value !== null);
  return ROOT + path + (given.length ? "?" + new URLSearchParams(given) : "");
}
