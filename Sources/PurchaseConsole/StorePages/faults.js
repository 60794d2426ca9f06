// The switchboard of what goes wrong on purpose.

import { h, put, heading, badge, empty } from "./dom.js";
import { get, post, optional } from "./api.js";
import { act, attempt, field, notice, values } from "./dialogs.js";
import { productsOfAll } from "./buying.js";
import { short, span } from "./words.js";

export const title = "Faults";

const number = (name, label, value, more = {}) => ({ name, label, value, type: "number", required: true, ...more });
const signings = ["expiredIntermediate", "expiredLeaf", "revokedLeaf", "leafWithoutMarker", "intermediateWithoutMarker", "wrongRoot", "swappedChain",
    "changedPayload", "wrongKey", "noX5C", "algNone"];
const words = (name) => name.replaceAll(/([a-z])([A-Z])/g, "$1 $2").toLowerCase();

/** Every kind: its name on the wire, its title, what it does, its values, and how a switched-on one is told. */
const faults = [
    ["Answers", [
        ["delay", "Late answer", "The answer comes late, by the machine’s time.", [number("milliseconds", "Milliseconds", 2000, { min: 0 })], (of) => `by ${of.milliseconds} ms`],
        ["lostReply", "Lost reply", "The call is carried out, charge and all; then the connection is closed.", []],
        ["status", "HTTP status", "The call is not carried out, and answered so.", [number("code", "Status", 500, { min: 400, max: 599 }), { name: "retryAfterSeconds", label: "Retry after, seconds", type: "number", min: 0 }],
            (of) => `${of.code}${of.retryAfterSeconds ? `, again after ${span(of.retryAfterSeconds * 1000)}` : ""}`],
        ["wrongClock", "Wrong clock", "What is signed and answered is dated by a clock that is wrong.", [number("seconds", "Seconds", 3600)], (of) => `by ${of.seconds} s`],
        ["purchaseRefused", "Purchase refused", "With a code of SKError’s.", [number("code", "Code", 0, { min: 0 })], (of) => `with code ${of.code}`],
    ]],
    ["verifyReceipt", [
        ["verifyReceiptStatus", "Status", "It answers with this status and nothing else.", [number("code", "Status", 21005), { name: "isRetryable", label: "Says is_retryable", type: "checkbox" }],
            (of) => `${of.code}${of.isRetryable ? ", is_retryable" : ""}`],
        ["verifyReceiptOutage", "Outage", "A page instead of JSON, as when it is overloaded.", []],
    ]],
    ["Notifications", [
        ["notificationLost", "Lost", "It is never sent.", []],
        ["notificationDoubled", "Doubled", "It is sent twice.", []],
        ["notificationShuffled", "Shuffled", "It waits until another one has overtaken it, or an hour has passed.", []],
        ["notificationLate", "Late", "It is sent later, by the store’s time.", [number("seconds", "Seconds", 3600, { min: 0 })], (of) => `by ${span(of.seconds * 1000)}`],
    ]],
    ["Signatures", [
        ["signing", "Signed wrongly", "What is signed does not stand up to a verifier.", [{ name: "fault", label: "What is wrong", options: signings.map((each) => [each, words(each)]), value: "wrongRoot" }], (of) => words(of.fault)],
    ]],
];
const all = new Map(faults.flatMap(([group, kinds]) => kinds.map((kind) => [kind[0], [group, kind]])));
const surfaces = { device: "devices", verifyReceipt: "verifyReceipt", serverAPI: "the App Store Server API", notifications: "notifications" };

const limits = (products, apps, accounts) => [
    { name: "count", label: "Only the next … times", type: "number", min: 1, placeholder: "until switched off" },
    { name: "productID", label: "Only with the product", options: [["", "every product"], ...products.map((each) => [each.id, each.title || each.id])] },
    { name: "account", label: "Only for the customer", list: accounts.slice(0, 200).map((each) => each.account), placeholder: "everybody" },
    { name: "surface", label: "Only in", options: [["", "every protocol"], ...Object.entries(surfaces)] },
    { name: "path", label: "Only for paths that begin so", placeholder: "/inApps/v2/history" },
    apps.length > 1 && { name: "bundleID", label: "Only in the app", options: [["", "every app"], ...apps.map((each) => [each.bundleID, each.bundleID])] },
].filter(Boolean);

function describe({ kind, count, surface, account, productID, path, bundleID }) {
    const [name, details] = Object.entries(kind)[0];
    const [group, [, label, , , told]] = all.get(name) ?? ["Fault", [name, words(name)]];
    const only = [count && `${count} more ${count === 1 ? "time" : "times"}`, surface && `in ${surfaces[surface] ?? surface}`, account && `for ${account}`,
        productID && `with ${short(productID)}`, path && `at ${path}`, bundleID && `in ${bundleID}`].filter(Boolean);
    return [`${group}: ${label.toLowerCase()}`, told?.(details) ?? "", only.join(", ") || "until switched off"];
}

export async function show(view) {
    const [products, { apps }, { accounts }] = await Promise.all([productsOfAll(), get`apps`, get`accounts`]);
    const limitFields = limits(products, apps, accounts);
    const limitForm = h("form", { class: "grid-form", "aria-label": "Limits", onsubmit: (event) => event.preventDefault() }, limitFields.map(field));
    const on = h("div", {});
    const board = h("div", {});

    const switchOn = async (name, form, fields) => {
        const details = await values(form, fields);
        const limit = await values(limitForm, limitFields);
        for (const key of ["surface", "productID", "bundleID"]) if (limit[key] === "") delete limit[key];
        await post`faults`({ ...limit, kind: { [name]: details } });
        await view.refresh();
    };
    const card = (group, [name, label, sentence, fields], entries) => {
        const active = entries.filter((entry) => Object.keys(entry.fault.kind)[0] === name);
        const form = h("form", {
            class: `fault${active.length > 0 ? " on" : ""}`, "data-fault": name,
            onsubmit: (event) => { event.preventDefault(); attempt(() => switchOn(name, form, fields), event.submitter); },
        }, h("div", { class: "what" }, h("h3", {}, label, active.length > 0 && [" ", badge("on", "bad")]), h("p", { class: "note" }, sentence)),
        h("div", { class: "with" }, fields.map(field)),
        h("div", { class: "choices" },
            active.length > 0 && act("Switch off", async () => {
                for (const entry of active) await post`faults/${entry.id}/clear`();
                await view.refresh();
            }, { "data-focus": `off ${name}`, "aria-label": `Switch off: ${label} (${group})` }),
            h("button", { type: "submit", "data-focus": `on ${name}`, "aria-label": `Switch on: ${label} (${group})` }, "Switch on")));
        return form;
    };
    let drawn;
    view.refresh = async () => {
        const reply = await optional(get`faults`);
        if (!reply) return put(view.place, empty("This store has no switchboard."));
        put(on, reply.faults.length === 0 ? h("p", { class: "note" }, "Everything works as it should. Switch something on below, and see what an app or a server makes of it.") : h("ul", { class: "on-list" }, reply.faults.map((entry) => {
            const [label, said, only] = describe(entry.fault);
            return h("li", { "data-on": entry.id }, badge(label, "bad"), h("span", {}, said), h("span", { class: "quiet" }, only), h("span", { class: "grow" }),
                act("Switch off", async () => { await post`faults/${entry.id}/clear`(); await view.refresh(); }, { "data-focus": `off ${entry.id}`, "aria-label": `Switch off: ${label}` }));
        })), reply.faults.length > 1 && act("Switch all off", async () => { await post`faults/clear`(); await view.refresh(); }));
        const state = JSON.stringify(reply.faults.map((entry) => Object.keys(entry.fault.kind)[0]));
        if (state === drawn) return;
        drawn = state;
        put(board, faults.map(([group, kinds]) => h("section", {}, h("h2", {}, group), h("div", { class: "sheet" }, kinds.map((kind) => card(group, kind, reply.faults))))));
    };
    view.isInterested = (news) => news.some((event) => event.kind === "fault");
    put(view.place, heading("Faults", "What goes wrong on purpose, for one call, one customer, or all. This page itself never fails."),
        h("section", { class: "card" }, h("h2", {}, "Switched on"), on),
        h("section", { class: "card" }, h("h2", {}, "Limits"), h("p", { class: "note" }, "They hold for whatever is switched on next; what is left empty does not limit."), limitForm),
        board, rateLimits());
    await view.refresh();
}

/** The limits of calls, which are no fault: a store begins without them, and does not say whether they are on. */
function rateLimits() {
    const set = (label, isOn) => act(label, async () => {
        await post`rate-limits`({ isOn });
        notice(isOn ? "Apps may call only as often as the App Store lets them." : "Apps may call as often as they like.", "good");
    }, { "aria-label": `${label}: limits of the App Store Server API` });
    return h("section", {}, h("h2", {}, "App Store Server API"), h("div", { class: "sheet" }, h("div", { class: "fault" },
        h("div", { class: "what" }, h("h3", {}, "Limits of calls"), h("p", { class: "note" }, "Who calls too often is answered with 429 and told when to come again.")),
        h("div", { class: "with" }), h("div", { class: "choices" }, set("Switch off", false), set("Switch on", true)))));
}
