/** The HTTP interface, version 1. Every refusal is an `ApiError` with words for a person. */

import { language, say } from "./i18n.js";
import { SITE } from "./site.js";

const ROOT = `${SITE}api/v1`;

/** A refusal by the server, or no answer (`code` is then `offline`). */
export class ApiError extends Error {
  /** @param {string} code @param {string} text */
  constructor(code, text) {
    super(text);
    this.code = code;
  }
}

/**
 * @template T
 * @param {string} path @param {RequestInit} [init]
 * @returns {Promise<T>} the answer, which the caller knows the type of
 */
async function request(path, init = {}) {
  const response = await answered(path, init);
  if (isJson(response)) return response.json();
  /** @type {unknown} */
  const text = await response.text();
  return /** @type {T} */ (text);
}

/** @param {Response} response */
const isJson = (response) => (response.headers.get("Content-Type") ?? "").includes("json");

/** The answer to a request, if it is no refusal. @param {string} path @param {RequestInit} init */
async function answered(path, init) {
  let response;
  try {
    response = await fetch(ROOT + path, { ...init, headers: { "Accept-Language": language(), ...init.headers } });
  } catch {
    throw new ApiError("offline", say("web.offline"));
  }
  if (response.ok) return response;
  const body = isJson(response) ? await response.json() : null;
  throw new ApiError(body?.error?.code ?? String(response.status), body?.error?.text ?? say("web.failed"));
}

/** @template T @param {string} path below `/api/v1` @returns {Promise<T>} */
export const get = (path) => request(path);

/** @param {string} body @returns {RequestInit} */
const posted = (body) => ({ method: "POST", body, headers: { "Content-Type": "application/json" } });

/** @template T @param {string} path below `/api/v1` @param {unknown} body @returns {Promise<T>} */
export const post = (path, body) => request(path, posted(JSON.stringify(body)));

/** Send a file as it is. @template T @param {string} path below `/api/v1` @param {string} text @returns {Promise<T>} */
export const postFile = (path, text) => request(path, posted(text));

/** The file that the server makes of something. @param {string} path below `/api/v1` @param {unknown} body */
export const download = async (path, body) => (await answered(path, posted(JSON.stringify(body)))).blob();

/**
 * The address of something that a link or an image points at; a value that is missing is left out of the query.
 * @param {string} path
 * @param {Object<string, string | number | null | undefined>} [query]
 */
export function address(path, query = {}) {
  const given = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined && value !== null) given.set(name, String(value));
  }
  return ROOT + path + (given.size ? `?${given}` : "");
}
