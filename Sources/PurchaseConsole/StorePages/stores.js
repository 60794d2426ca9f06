// The stores of this host, and what a developer's server has to be told.

import { h, put, badge, facts } from "./dom.js";
import { ofHost, storeName } from "./api.js";
import { ask, act, copy } from "./dialogs.js";
import { count } from "./words.js";

export const title = "Stores";

function save(name, text) {
    const link = h("a", { href: URL.createObjectURL(new Blob([text], { type: "application/octet-stream" })), download: name });
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 1000);
}

const address = (text) => text && h("span", { class: "address" }, h("code", {}, text), copy(text));

function make() {
    ask("A further store", "Make the store", [
        { name: "name", label: "Name", placeholder: "checkout-tests", hint: "Of a-z, 0-9 and -; empty for one that is made up." },
        { name: "storekit", label: "A .storekit file", type: "file", accept: ".storekit,.json,application/json", hint: "None for a store that sells nothing yet." },
        { name: "bundleID", label: "Bundle identifier of its app", placeholder: "com.example.app" },
        { name: "sharedSecret", label: "Shared secret of verifyReceipt", hint: "Empty accepts any." },
        { name: "isKept", label: "Outlives the process, in a file", type: "checkbox" },
    ], async ({ storekit, ...wish }) => {
        let catalog;
        if (storekit) {
            try { catalog = JSON.parse(storekit); } catch { throw new Error("The file is not JSON."); }
        }
        await ofHost.make({ ...wish, storekit: catalog });
        document.dispatchEvent(new CustomEvent("stores-changed"));
        await redraw();
    }, "It has its own catalog, customers, clock, keys and faults: two stores never meet.");
}

function take() {
    ask("A store from a file", "Take it in", [
        { name: "file", label: "The file that a store was exported to", type: "file", accept: ".tillroll", required: true, isBinary: true },
        { name: "name", label: "Name", placeholder: "as-it-was-on-monday", hint: "Of a-z, 0-9 and -; empty for one that is made up." },
        { name: "isKept", label: "Outlives the process, in a file", type: "checkbox" },
    ], async ({ file, name, isKept }) => {
        await ofHost.take(file, name, isKept);
        document.dispatchEvent(new CustomEvent("stores-changed"));
        await redraw();
    }, "It goes on from where it was: customers, purchases, keys, and the time it was there.");
}

let redraw = async () => {};

function card(store) {
    const isThis = store.name === storeName;
    return h("article", { class: "card", "data-store": store.name },
        h("div", { class: "row" }, h("h2", {}, h("a", { href: ofHost.page(store.name) }, store.name)), isThis && badge("this page", "good"), h("span", { class: "grow" }),
            store.name !== "default" && act("Remove…", async () => ask(`Remove ${store.name}`, "Remove", [], async () => {
                await ofHost.remove(store.name);
                if (isThis) location.href = ofHost.page("default");
                document.dispatchEvent(new CustomEvent("stores-changed"));
                await redraw();
            }, "Everything in it is forgotten, and its file is removed."), { "aria-label": `Remove ${store.name}`, "data-focus": `remove ${store.name}` })),
        facts([["App", h("code", {}, store.bundle_id)], ["Address", address(store.url)]]),
        h("details", { open: isThis }, h("summary", {}, "What a developer’s server is told"),
            facts([["verifyReceipt, sandbox", address(store.sandbox_verify_receipt)],
                ["verifyReceipt, production", address(store.production_verify_receipt)], ["Server API", address(store.server_api)],
                ["Server API, production", address(store.production_server_api)], ["Issuer", address(store.issuer_id)], ["Key", address(store.key_id)]])),
        h("div", { class: "choices" },
            h("a", { class: "press", href: ofHost.exported(store.name), download: `${store.name}.tillroll`, "aria-label": `Export ${store.name}` }, "Export (.tillroll)"),
            act("Root certificate (PEM)", async () => save(`${store.name}-root.pem`, store.root_certificate), { "data-focus": `root ${store.name}` }),
            act("Key of the Server API (.p8)", async () => save(`AuthKey_${store.key_id}.p8`, store.api_key), { "data-focus": `key ${store.name}` })));
}

export async function show(view) {
    const list = h("div", { class: "stores" });
    const note = h("p", { class: "note" });
    let limit = 20;
    redraw = view.refresh = async () => {
        const { stores } = await ofHost.stores();
        // This page's store first: the one that was looked for.
        const sorted = stores.toSorted((a, b) => (b.name === storeName) - (a.name === storeName));
        note.textContent = `${count(stores.length, "store")} behind this port, each by itself.`;
        put(list, sorted.slice(0, limit).map(card), sorted.length > limit && act(`Show more of ${sorted.length - limit}`, async () => { limit += 50; await redraw(); }));
    };
    view.isInterested = () => false;
    put(view.place, h("div", { class: "heading" }, h("div", {}, h("h1", {}, "Stores"), note), h("div", { class: "actions" }, act("Import…", async () => take()), act("New store…", async () => make(), { class: "main" }))), list);
    await view.refresh();
}
