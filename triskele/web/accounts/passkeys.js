/** Passkeys: what the browser makes and signs, between the server's JSON and `navigator.credentials`. */

import { post } from "../lib/api.js";

/** @typedef {{credential: unknown, state: string}} Given what goes to the server */

/** Whether this browser can use passkeys at this address: they need a name, and a number is none. */
export const canUsePasskeys = () =>
  "PublicKeyCredential" in window && isSecureContext && !/^[\d.]+$|:/.test(location.hostname);

/** @param {string} text in base64url */
function bytes(text) {
  const plain = atob(text.replace(/-/g, "+").replace(/_/g, "/"));
  return Uint8Array.from(plain, (letter) => letter.charCodeAt(0));
}

/** @param {ArrayBuffer | null | undefined} buffer */
function base64url(buffer) {
  const letters = Array.from(new Uint8Array(buffer ?? new ArrayBuffer(0)), (byte) => String.fromCharCode(byte));
  return btoa(letters.join("")).replace(/\+/g, "-").replace(/\//g, "_").replace(/=+$/, "");
}

/** @typedef {{id: string, type: "public-key"}} Described a passkey that is known */
/** @param {Described[]} [known] */
const described = (known = []) => known.map((each) => ({ ...each, id: bytes(each.id) }));

/**
 * @typedef {{options: {challenge: string, user: {id: string, name: string, displayName: string},
 *   excludeCredentials?: Described[], allowCredentials?: Described[]}, state: string}} Options
 */

/**
 * Make a passkey.
 * @param {"sign-up" | "add"} purpose @param {string} [name] to sign up with @returns {Promise<Given>}
 */
export async function makePasskey(purpose, name) {
  /** @type {Options} */
  const { options, state } = await post("/passkeys/options", { purpose, name });
  const { challenge, user, excludeCredentials, ...more } = options;
  const publicKey = /** @type {PublicKeyCredentialCreationOptions} */ (
    /** @type {unknown} */ ({
      ...more,
      challenge: bytes(challenge),
      user: { ...user, id: bytes(user.id) },
      excludeCredentials: described(excludeCredentials),
    })
  );
  const made = /** @type {PublicKeyCredential} */ (await navigator.credentials.create({ publicKey }));
  const response = /** @type {AuthenticatorAttestationResponse} */ (made.response);
  return {
    state,
    credential: {
      id: made.id,
      rawId: base64url(made.rawId),
      type: made.type,
      response: {
        clientDataJSON: base64url(response.clientDataJSON),
        attestationObject: base64url(response.attestationObject),
      },
    },
  };
}

/** Use a passkey. @param {"sign-in" | "prove"} purpose @returns {Promise<Given>} */
export async function usePasskey(purpose) {
  /** @type {Options} */
  const { options, state } = await post("/passkeys/options", { purpose });
  const { challenge, allowCredentials, ...more } = options;
  const publicKey = /** @type {PublicKeyCredentialRequestOptions} */ (
    /** @type {unknown} */ ({ ...more, challenge: bytes(challenge), allowCredentials: described(allowCredentials) })
  );
  const used = /** @type {PublicKeyCredential} */ (await navigator.credentials.get({ publicKey }));
  const response = /** @type {AuthenticatorAssertionResponse} */ (used.response);
  return {
    state,
    credential: {
      id: used.id,
      rawId: base64url(used.rawId),
      type: used.type,
      response: {
        clientDataJSON: base64url(response.clientDataJSON),
        authenticatorData: base64url(response.authenticatorData),
        signature: base64url(response.signature),
        userHandle: response.userHandle ? base64url(response.userHandle) : null,
      },
    },
  };
}
