// The switchboard of what goes wrong on purpose.

import { h, put, heading, badge, empty } from "./dom.js";
import { get, post, optional } from "./api.js";
import { act, attempt, field, values } from "./dialogs.js";
import { productsOfAll } from "./buying.js";

export const title = "Faults";

const number = (name, label, value, more = {}) => ({ name, label, value, type: "number", required: true, ...more });
const signings = ["expiredIntermediate", "expiredLeaf", "revokedLeaf", "leafWithoutMarker", "intermediateWithoutMarker", "wrongRoot", "swappedChain",
    "changedPayload", "wrongKey", "noX5C", "algNone"];
const words = (name) => name.replaceAll(/([a-z])([A-Z])/g, "$1 $2").toLowerCase();

/** Every kind: its name on the wire, its title, what it does, and its values. */
const faults = [
    ["Answers", [
        ["delay", "Late answer", "The answer comes late, by the machine’s time.", [number("milliseconds", "Milliseconds", 2000, { min: 0 })]],
        ["lostReply", "Lost reply", "The call is carried out, charge and all; then the connection is closed.", []],
        ["status", "HTTP status", "The call is not carried out, and answered so.", [number("code", "Status", 500, { min: 400, max: 599 }), { name: "retryAfterSeconds", label: "Retry after, seconds", type: "number", min: 0 }]],
        ["wrongClock", "Wrong clock", "What is signed and answered is dated by a clock that is wrong.", [number("seconds", "Seconds", 3600)]],
        ["purchaseRefused", "Purchase refused", "With a code of SKError’s.", [number("code", "Code", 0, { min: 0 })]],
    ]],
    ["verifyReceipt", [
        ["verifyReceiptStatus", "Status", "It answers with this status and nothing else.", [number("code", "Status", 21005), { name: "isRetryable", label: "Says is_retryable", type: "checkbox" }]],
        ["verifyReceiptOutage", "Outage", "A page instead of JSON, as when it is overloaded.", []],
    ]],
    ["Notifications", [
        ["notificationLost", "Lost", "It is never sent.", []],
        ["notificationDoubled", "Doubled", "It is sent twice.", []],
        ["notificationShuffled", "Shuffled", "It waits until another one has overtaken it, or an hour has passed.", []],
        ["notificationLate", "Late", "It is sent later, by the store’s time.", [number("seconds", "Seconds", 3600, { min: 0 })]],
    ]],
    ["Signatures", [
        ["signing", "Signed wrongly", "What is signed does not stand up to a verifier.", [{ name: "fault", label: "What is wrong", options: signings.map((each) => [each, words(each)]), value: "wrongRoot" }]],
    ]],
];
const all = new Map(faults.flatMap(([, kinds]) => kinds.map((kind) => [kind[0], kind])));

const limits = (products) => [
    { name: "count", label: "Only the next … times", type: "number", min: 1 },
    { name: "surface", label: "Only in", options: [["", "every protocol"], ["device", "devices"], ["verifyReceipt", "verifyReceipt"], ["serverAPI", "App Store Server API"], ["notifications", "notifications"]] },
    { name: "account", label: "Only for the customer" },
    { name: "productID", label: "Only with the product", options: [["", "every product"], ...products.map((each) => [each.id, each.title || each.id])] },
    { name: "path", label: "Only for paths that begin so" },
];

function describe({ kind, count, surface, account, productID, path, bundleID }) {
    const [name, details] = Object.entries(kind)[0];
    const said = Object.entries(details).filter(([, value]) => value !== null && value !== undefined).map(([key, value]) => `${words(key)} ${typeof value === "string" ? words(value) : value}`);
    const only = [count && `${count} more ${count === 1 ? "time" : "times"}`, surface && `in ${surface}`, account && `for ${account}`, productID && `with ${productID}`, path && `at ${path}`, bundleID && `in ${bundleID}`].filter(Boolean);
    return [all.get(name)?.[1] ?? words(name), said.join(", "), only.join(", ")];
}

export async function show(view) {
    const products = await productsOfAll();
    const limitFields = limits(products);
    const limitForm = h("form", { class: "grid-form", onsubmit: (event) => event.preventDefault() }, limitFields.map(field));
    const on = h("div", {});
    const board = h("div", {});

    const switchOn = async (name, form, fields) => {
        const details = await values(form, fields);
        const limit = await values(limitForm, limitFields);
        for (const key of ["surface", "productID"]) if (limit[key] === "") delete limit[key];
        await post`faults`({ ...limit, kind: { [name]: details } });
        await view.refresh();
    };
    const card = (group, [name, label, sentence, fields], entries) => {
        const active = entries.filter((entry) => Object.keys(entry.fault.kind)[0] === name);
        const form = h("form", {
            class: `fault${active.length > 0 ? " on" : ""}`, "data-fault": name,
            onsubmit: (event) => { event.preventDefault(); attempt(() => switchOn(name, form, fields), event.submitter); },
        }, h("div", { class: "row" }, h("h3", {}, label), active.length > 0 && badge("on", "bad")), h("p", { class: "note" }, sentence), fields.map(field),
        h("div", { class: "choices" }, h("button", { type: "submit", "data-focus": `on ${name}`, "aria-label": `Switch on: ${label} (${group})` }, "Switch on"),
            active.length > 0 && act("Switch off", async () => {
                for (const entry of active) await post`faults/${entry.id}/clear`();
                await view.refresh();
            }, { "data-focus": `off ${name}`, "aria-label": `Switch off: ${label} (${group})` })));
        return form;
    };
    let drawn;
    view.refresh = async () => {
        const reply = await optional(get`faults`);
        if (!reply) return put(view.place, empty("This store has no switchboard."));
        put(on, reply.faults.length === 0 ? h("p", { class: "note" }, "Everything works as it should.") : h("ul", { class: "on-list" }, reply.faults.map((entry) => {
            const [label, said, only] = describe(entry.fault);
            return h("li", { "data-on": entry.id }, badge(label, "bad"), h("span", {}, said), h("span", { class: "quiet" }, only), h("span", { class: "grow" }),
                act("Switch off", async () => { await post`faults/${entry.id}/clear`(); await view.refresh(); }, { "data-focus": `off ${entry.id}`, "aria-label": `Switch off: ${label}` }));
        })), reply.faults.length > 1 && act("Switch all off", async () => { await post`faults/clear`(); await view.refresh(); }));
        const state = JSON.stringify(reply.faults.map((entry) => Object.keys(entry.fault.kind)[0]));
        if (state === drawn) return;
        drawn = state;
        put(board, faults.map(([group, kinds]) => h("section", {}, h("h2", {}, group), h("div", { class: "grid faults" }, kinds.map((kind) => card(group, kind, reply.faults))))));
    };
    view.isInterested = (news) => news.some((event) => event.kind === "fault");
    put(view.place, heading("Faults", "What goes wrong on purpose, for one call, one customer, or all. This page itself never fails."),
        h("section", { class: "card" }, h("h2", {}, "Switched on"), on),
        h("details", { class: "card" }, h("summary", {}, "Limits for what is switched on next"), limitForm), board);
    await view.refresh();
}
