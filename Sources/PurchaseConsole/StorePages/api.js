// The control API, by addresses relative to this page: each store has a page of its own.

/** Where the store is: this page is `console/` below it. */
export const base = new URL("../", location.href.split(/[?#]/)[0]);
const named = /^(.*\/)stores\/([^/]+)\/$/.exec(base.pathname);
/** The name of the store, as it is in the address. */
export const storeName = named ? decodeURIComponent(named[2]) : "default";
/** Where the host of the stores is. */
export const host = new URL(named ? named[1] : base.pathname, base);

export class Refusal extends Error {
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
        throw new Refusal(0, "page.offline", "The store does not answer. Is it still running?");
    }
    const text = await answer.text();
    // The token is another one since the page was opened, or the browser lost its cookie.
    if (answer.status === 401) location.href = new URL(`console/sign-in${location.hash}`, base);
    let value;
    try { value = JSON.parse(text); } catch { value = undefined; }
    if (answer.ok) return value;
    throw new Refusal(answer.status, value?.error?.code ?? `http.${answer.status}`,
        value?.error?.message ?? `The store refused with status ${answer.status}.`);
}

const path = (parts, ...values) => new URL(`control/v1/${String.raw({ raw: parts }, ...values.map(encodeURIComponent))}`, base);

export const get = (parts, ...values) => call("GET", path(parts, ...values));
export const post = (parts, ...values) => (body = {}) => call("POST", path(parts, ...values), body);
export const streamAddress = (after) => path`events/stream?after=${after}`;

export const ofHost = {
    stores: () => call("GET", new URL("stores", host)),
    make: (wish) => call("POST", new URL("stores", host), wish),
    take: (file, name, isKept) => call("POST", new URL(`stores/import?${new URLSearchParams({ ...(name && { name }), kept: isKept === true })}`, host), file),
    exported: (name) => new URL(`${name === "default" ? "" : `stores/${encodeURIComponent(name)}/`}control/v1/export`, host).href,
    remove: (name) => call("DELETE", new URL(`stores/${encodeURIComponent(name)}`, host)),
    page: (name) => new URL(name === "default" ? "console/" : `stores/${encodeURIComponent(name)}/console/`, host).href,
};

/** By what this store differs from every other, even one that has its address after a restart. */
export const identity = async () => (await call("GET", new URL("store", base))).issuer_id;

/** The value, or undefined where the store does not have that part. */
export async function optional(promise) {
    try {
        return await promise;
    } catch (error) {
        if (error.status === 404) return undefined;
        throw error;
    }
}

/** What a signed text says, unverified: header and payload. */
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
