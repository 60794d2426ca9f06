// The client of the control API. All URLs are relative to this page, because each store has a separate page.

/** The base URL of the store; this page is at `console/` below the base URL. */
export const base = new URL("../", location.href.split(/[?#]/)[0]);
const named = /^(.*\/)stores\/([^/]+)\/$/.exec(base.pathname);
/** The name of the store in the URL. */
export const storeName = named ? decodeURIComponent(named[2]) : "default";
/** The base URL of the host. */
export const host = new URL(named ? named[1] : base.pathname, base);

export class RequestError extends Error {
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
    // The token changed after the page was opened, or the browser lost the cookie.
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
export const streamAddress = (after) => path`events/stream?after=${after}`;

export const hostAPI = {
    stores: () => call("GET", new URL("stores", host)),
    create: (request) => call("POST", new URL("stores", host), request),
    import: (file, name, isPersistent) => call("POST", new URL(`stores/import?${new URLSearchParams({ ...(name && { name }), isPersistent: isPersistent === true })}`, host), file),
    exportURL: (name) => new URL(`${name === "default" ? "" : `stores/${encodeURIComponent(name)}/`}control/v1/export`, host).href,
    remove: (name) => call("DELETE", new URL(`stores/${encodeURIComponent(name)}`, host)),
    page: (name) => new URL(name === "default" ? "console/" : `stores/${encodeURIComponent(name)}/console/`, host).href,
};

/** The store's issuer identifier, which differs from that of any other store, including a new store at the same URL. */
export const identity = async () => (await call("GET", new URL("store", base))).issuerID;

/** The value of a request, or undefined if the store responds with 404. */
export async function optional(promise) {
    try {
        return await promise;
    } catch (error) {
        if (error.status === 404) return undefined;
        throw error;
    }
}

/** The decoded header and payload of a JWS, without verification. */
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
