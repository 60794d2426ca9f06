// The stores of this host, and the configuration values for a developer's server.

import { h, put, heading, badge, definitionList } from "./dom.js";
import { hostAPI, storeName } from "./api.js";
import { ask, actionButton, copy } from "./dialogs.js";
import { parsedCatalog } from "./fields.js";
import { count } from "./format.js";

export const title = "Stores";

function save(name, text) {
    const link = h("a", { href: URL.createObjectURL(new Blob([text], { type: "application/octet-stream" })), download: name });
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 1000);
}

const address = (text) => text && h("span", { class: "address" }, h("code", {}, text), copy(text));

function createStore() {
    ask("New store", "Create store", [
        { name: "name", label: "Name", placeholder: "checkout-tests", hint: "Characters a-z, 0-9 and -. Leave empty for a generated name." },
        { name: "storekit", label: ".storekit file", type: "file", accept: ".storekit,.json,application/json", hint: "Leave empty for a store without products." },
        { name: "bundleID", label: "Bundle ID of the app", placeholder: "com.example.app" },
        { name: "sharedSecret", label: "Shared secret of verifyReceipt", hint: "Leave empty to accept any password." },
        { name: "isPersistent", label: "Persistent (saved to a file)", type: "checkbox" },
    ], async ({ storekit, ...request }) => {
        await hostAPI.create({ ...request, storekit: parsedCatalog(storekit) });
        document.dispatchEvent(new CustomEvent("stores-changed"));
        await redraw();
    }, "Each store has a separate catalog, accounts, clock, keys and faults.");
}

function importStore() {
    ask("Import a store", "Import file", [
        { name: "file", label: "Exported store (.tillroll)", type: "file", accept: ".tillroll", required: true, isBinary: true },
        { name: "name", label: "Name", placeholder: "checkout-tests-copy", hint: "Characters a-z, 0-9 and -. Leave empty for a generated name." },
        { name: "isPersistent", label: "Persistent (saved to a file)", type: "checkbox" },
    ], async ({ file, name, isPersistent }) => {
        await hostAPI.import(file, name, isPersistent);
        document.dispatchEvent(new CustomEvent("stores-changed"));
        await redraw();
    }, "The imported store keeps its accounts, purchases, keys and time.");
}

let redraw = async () => {};

function card(store) {
    const isThis = store.name === storeName;
    return h("article", { class: "card", "data-store": store.name },
        h("div", { class: "row" }, h("h2", {}, h("a", { href: hostAPI.page(store.name) }, store.name)), isThis && badge("this page", "good"), h("span", { class: "grow" }),
            store.name !== "default" && actionButton("Remove…", async () => ask(`Remove ${store.name}`, "Remove", [], async () => {
                await hostAPI.remove(store.name);
                if (isThis) location.href = hostAPI.page("default");
                document.dispatchEvent(new CustomEvent("stores-changed"));
                await redraw();
            }, "This deletes the store, including its accounts and purchases, and its file."), { "aria-label": `Remove ${store.name}`, "data-focus": `remove ${store.name}` })),
        definitionList([["App", h("code", {}, store.bundleID)], ["Address", address(store.url)]]),
        h("details", { open: isThis }, h("summary", {}, "Configuration for a developer’s server"),
            definitionList([["verifyReceipt, sandbox", address(store.sandboxVerifyReceipt)],
                ["verifyReceipt, production", address(store.productionVerifyReceipt)], ["Server API", address(store.serverAPI)],
                ["Server API, production", address(store.productionServerAPI)], ["Issuer ID", address(store.issuerID)], ["Key ID", address(store.keyID)]])),
        h("div", { class: "choices" },
            h("a", { class: "press", href: hostAPI.exportURL(store.name), download: `${store.name}.tillroll`, "aria-label": `Export ${store.name}` }, "Export (.tillroll)"),
            actionButton("Root certificate (PEM)", async () => save(`${store.name}-root.pem`, store.rootCertificate), { "data-focus": `root ${store.name}` }),
            actionButton("Key of the Server API (.p8)", async () => save(`AuthKey_${store.keyID}.p8`, store.apiKey), { "data-focus": `key ${store.name}` })));
}

export async function show(view) {
    const list = h("div", { class: "stores" });
    const note = h("p", { class: "note" });
    let limit = 20;
    redraw = view.refresh = async () => {
        const { stores } = await hostAPI.stores();
        // Show the store of this page first.
        const sorted = stores.toSorted((a, b) => (b.name === storeName) - (a.name === storeName));
        note.textContent = `${count(stores.length, "store")} on this host.`;
        put(list, sorted.slice(0, limit).map(card), sorted.length > limit && actionButton(`Show more of ${sorted.length - limit}`, async () => { limit += 50; await redraw(); }));
    };
    view.isInterested = () => false;
    put(view.place, heading(title, note, actionButton("Import…", async () => importStore()), actionButton("New store…", async () => createStore(), { class: "main" })), list);
    await view.refresh();
}
