// The client of the control API. All URLs are relative to this page, because each store has a separate page.

import { released } from "./dom.js";

/** The base URL of the store, below which this page has the path `console/`. */
export const base = new URL("../", location.href.split(/[?#]/)[0]);
const named = /^(.*\/)stores\/([^/]+)\/$/.exec(base.pathname);
/** The store's name according to this page's URL; `default` for the host's default store. */
export const storeName = named ? decodeURIComponent(named[2]) : "default";
/** The base URL of the host, which serves this store and others. */
export const host = new URL(named ? named[1] : base.pathname, base);

class RequestError extends Error {
    constructor(status, code, message) {
        super(message);
        this.status = status;
        this.code = code;
    }
}

async function call(method, address, body) {
    const isFile = body instanceof Blob;
    let answer;
    try {
        answer = await fetch(address, {
            method, credentials: "same-origin", cache: "no-store",
            headers: body === undefined ? {} : { "content-type": isFile ? "application/octet-stream" : "application/json" },
            body: body === undefined || isFile ? body : JSON.stringify(body),
        });
    } catch {
        throw new RequestError(0, "page.offline", "No response from the store. Check that the store is running.");
    }
    const text = await answer.text();
    // Wait, because the caller replaces elements, and a replaced element receives no click.
    await released();
    // Status 401 means that the store's token has changed, or that the browser has lost the cookie: the user must sign in again.
    if (answer.status === 401) location.href = new URL(`console/sign-in${location.hash}`, base);
    let value;
    try { value = JSON.parse(text); } catch { value = undefined; }
    if (answer.ok) return value;
    throw new RequestError(answer.status, value?.error?.code ?? `http.${answer.status}`,
        value?.error?.message ?? `The request failed with HTTP status ${answer.status}.`);
}

const path = (parts, ...values) => new URL(`control/v1/${String.raw({ raw: parts }, ...values.map(encodeURIComponent))}`, base);

export const get = (parts, ...values) => call("GET", path(parts, ...values));
export const post = (parts, ...values) => (body = {}) => call("POST", path(parts, ...values), body);
export const remove = (parts, ...values) => call("DELETE", path(parts, ...values));
export const address = (parts, ...values) => path(parts, ...values).href;
export const streamAddress = (after) => path`events/stream?after=${after}`;
export const requestStreamAddress = (after) => path`requests/stream?after=${after}`;

export const hostAPI = {
    stores: () => call("GET", new URL("stores", host)),
    create: (request) => call("POST", new URL("stores", host), request),
    import: (file, name, isPersistent) => call("POST", new URL(`stores/import?${new URLSearchParams({ ...(name && { name }), isPersistent: isPersistent === true })}`, host), file),
    exportURL: (name) => new URL(`${name === "default" ? "" : `stores/${encodeURIComponent(name)}/`}control/v1/export`, host).href,
    remove: (name) => call("DELETE", new URL(`stores/${encodeURIComponent(name)}`, host)),
    page: (name) => new URL(name === "default" ? "console/" : `stores/${encodeURIComponent(name)}/console/`, host).href,
};

/** Returns the store's issuer ID, by which the page detects that another store now runs at the same URL. */
export const identity = async () => (await call("GET", new URL("store", base))).issuerID;

/** Returns the value of a request, or undefined if the store responds with status 404. */
export async function optional(promise) {
    try {
        return await promise;
    } catch (error) {
        if (error.status === 404) return undefined;
        throw error;
    }
}

/** Returns whether a text has the compact form of a JWS. */
export const isJWS = (text) => /^[\w-]{20,}\.[\w-]{20,}\.[\w-]{20,}$/.test(text);

/** Returns the decoded header and payload of a JWS, without verification; both are undefined after a failed decoding. */
export function decoded(signed) {
    const part = (text) => {
        const bytes = Uint8Array.from(atob(text.replaceAll("-", "+").replaceAll("_", "/")), (each) => each.charCodeAt(0));
        return JSON.parse(new TextDecoder().decode(bytes));
    };
    try {
        const [header, payload] = signed.split(".");
        return { header: part(header), payload: part(payload) };
    } catch {
        return { header: undefined, payload: undefined };
    }
}
