// The section that enables and disables the store's faults, which are simulated failures.

import { h, put, heading, table, badge, empty } from "./dom.js";
import { get, post, optional } from "./api.js";
import { actionButton, run, field, values } from "./dialogs.js";
import { productOptions, productsOfAll } from "./purchase.js";
import { count, grouped, short, span } from "./format.js";

export const title = "Faults";

const number = (name, label, value, more = {}) => ({ name, label, value, type: "number", required: true, ...more });
const signings = ["expiredIntermediate", "expiredLeaf", "revokedLeaf", "leafWithoutMarker", "intermediateWithoutMarker", "wrongRoot", "swappedChain",
    "changedPayload", "wrongKey", "noX5C", "algNone"];
const words = (name) => name.replaceAll(/([a-z])([A-Z])/g, "$1 $2").toLowerCase();

/** The fault kinds by group. Each kind has its JSON member, title, description, fields, and a function that describes an enabled fault. */
const faults = [
    ["Responses", [
        ["delay", "Delayed response", "The response is delayed by this time on the machine’s clock.", [number("milliseconds", "Milliseconds", 2000, { min: 0 })], (of) => `by ${of.milliseconds} ms`],
        ["lostReply", "Lost reply", "The store processes the call, including charges, and closes the connection without a response.", []],
        ["status", "HTTP status", "The store does not process the call and responds with this status.", [number("code", "Status", 500, { min: 400, max: 599 }), { name: "retryAfterSeconds", label: "Retry after, seconds", type: "number", min: 0 }],
            (of) => `${of.code}${of.retryAfterSeconds ? `, Retry-After ${span(of.retryAfterSeconds * 1000)}` : ""}`],
        ["clockSkew", "Clock skew", "Dates in signed data and in responses are wrong by a number of seconds.", [number("seconds", "Seconds", 3600)], (of) => `by ${of.seconds} s`],
        ["purchaseRefused", "Purchase refused", "The store refuses a purchase with an SKError code.", [number("code", "Code", 0, { min: 0 })], (of) => `with code ${of.code}`],
    ]],
    ["verifyReceipt", [
        ["verifyReceiptStatus", "Status", "verifyReceipt responds with this status only.", [number("code", "Status", 21005), { name: "isRetryable", label: "With is_retryable", type: "checkbox" }],
            (of) => `${of.code}${of.isRetryable ? ", is_retryable" : ""}`],
        ["verifyReceiptOutage", "Outage", "verifyReceipt responds with an HTML page instead of JSON, as during an overload.", []],
    ]],
    ["Notifications", [
        ["notificationLost", "Lost", "The notification is never sent.", []],
        ["notificationDuplicated", "Duplicated", "The notification is sent twice.", []],
        ["notificationReordered", "Reordered", "The notification is sent after the following notification, or after an hour.", []],
        ["notificationDelayed", "Delayed", "The notification is delayed by this time on the store’s clock.", [number("seconds", "Seconds", 3600, { min: 0 })], (of) => `by ${span(of.seconds * 1000)}`],
    ]],
    ["Signatures", [
        ["signing", "Invalid signature", "Signed data has an invalid signature or certificate chain.", [{ name: "fault", label: "Defect", options: signings.map((each) => [each, words(each)]), value: "wrongRoot" }], (of) => words(of.fault)],
    ]],
];
const all = new Map(faults.flatMap(([group, kinds]) => kinds.map((kind) => [kind[0], [group, kind]])));
const surfaces = { device: "devices", verifyReceipt: "verifyReceipt", serverAPI: "the App Store Server API", notifications: "notifications" };

const limits = (products, apps, accounts) => [
    { name: "count", label: "Number of times", type: "number", min: 1, placeholder: "until disabled" },
    { name: "productID", label: "Product", options: [["", "all products"], ...productOptions(products)] },
    { name: "account", label: "Account", list: accounts.slice(0, 200).map((each) => each.account), placeholder: "all accounts" },
    { name: "surface", label: "Protocol", options: [["", "all protocols"], ...Object.entries(surfaces)] },
    { name: "path", label: "Path prefix", placeholder: "/inApps/v2/history" },
    apps.length > 1 && { name: "bundleID", label: "App", options: [["", "all apps"], ...apps.map((each) => [each.bundleID, each.bundleID])] },
].filter(Boolean);

function describe({ kind, count: times, surface, account, productID, path, bundleID }) {
    const [name, details] = Object.entries(kind)[0];
    const [group, [, label, , , describeDetails]] = all.get(name) ?? ["Fault", [name, words(name)]];
    const only = [times && count(times, "more time"), surface && `in ${surfaces[surface] ?? surface}`, account && `for ${account}`,
        productID && `with ${short(productID)}`, path && `at ${path}`, bundleID && `in ${bundleID}`].filter(Boolean);
    return [`${group}: ${label.toLowerCase()}`, describeDetails?.(details) ?? "", only.join(", ") || "until disabled"];
}

export async function show(view) {
    const [products, { apps }, { accounts }] = await Promise.all([productsOfAll(), get`apps`, get`accounts?limit=200`]);
    const limitFields = limits(products, apps, accounts);
    const on = h("div", {});
    const board = h("div", {});

    const switchOn = async (name, form, fields) => {
        const details = await values(form, fields);
        const limit = form.querySelector(".limits .field") ? await values(form, limitFields) : {};
        for (const key of ["surface", "productID", "bundleID"]) if (limit[key] === "") delete limit[key];
        await post`faults`({ ...limit, kind: { [name]: details } });
        await view.refresh();
    };
    /** Creates the collapsible form for the limits of one fault, with fields created on opening; the closed form shows the number of limits. */
    const limitsOf = (name) => {
        const form = h("div", { class: "grid-form" });
        const summary = h("summary", { "aria-label": `Limits: ${name}` }, "Limits");
        const toggle = (event) => {
            if (!form.firstChild) put(form, limitFields.map(field));
            const number = event.target.open ? 0 : [...form.querySelectorAll("input, select")].filter((each) => each.value !== "").length;
            summary.textContent = number > 0 ? `Limits (${number})` : "Limits";
            summary.setAttribute("aria-label", `${summary.textContent}: ${name}`);
        };
        return h("details", { class: "limits", ontoggle: toggle }, summary, form);
    };
    const card = (group, [name, label, sentence, fields], entries) => {
        const active = entries.filter((entry) => Object.keys(entry.fault.kind)[0] === name);
        const form = h("form", {
            class: `fault${active.length > 0 ? " on" : ""}`, "data-fault": name,
            onsubmit: (event) => { event.preventDefault(); run(() => switchOn(name, form, fields), event.submitter); },
        }, h("div", { class: "what" }, h("h3", {}, label, active.length > 0 && [" ", badge("enabled", "bad")]), h("p", { class: "note" }, sentence)),
        h("div", { class: "with" }, fields.map(field)), limitsOf(`${label} (${group})`),
        h("div", { class: "choices" },
            active.length > 0 && actionButton("Disable", async () => {
                for (const entry of active) await post`faults/${entry.id}/clear`();
                await view.refresh();
            }, { "data-focus": `off ${name}`, "aria-label": `Disable: ${label} (${group})` }),
            h("button", { type: "submit", "data-focus": `on ${name}`, "aria-label": `Enable: ${label} (${group})` }, "Enable")));
        return form;
    };
    let drawn;
    view.refresh = async () => {
        const reply = await optional(get`faults`);
        if (!reply) return put(view.place, empty("This store does not support faults."));
        put(on, reply.faults.length === 0 ? h("p", { class: "note" }, "No faults are enabled. Enable a fault below to test how an app or a server handles it.") : h("ul", { class: "on-list" }, reply.faults.map((entry) => {
            const [label, description, only] = describe(entry.fault);
            return h("li", { "data-on": entry.id }, badge(label, "bad"), h("span", {}, description), h("span", { class: "quiet" }, only), h("span", { class: "grow" }),
                actionButton("Disable", async () => { await post`faults/${entry.id}/clear`(); await view.refresh(); }, { "data-focus": `off ${entry.id}`, "aria-label": `Disable: ${label}` }));
        })), reply.faults.length > 1 && actionButton("Disable all", async () => { await post`faults/clear`(); await view.refresh(); }));
        const state = JSON.stringify(reply.faults.map((entry) => Object.keys(entry.fault.kind)[0]));
        if (state === drawn) return;
        drawn = state;
        put(board, faults.map(([group, kinds]) => h("section", {}, h("h2", {}, group), h("div", { class: "sheet" }, kinds.map((kind) => card(group, kind, reply.faults))))));
    };
    view.isInterested = (newEvents) => newEvents.some((event) => event.kind === "fault");
    put(view.place, heading("Faults", "Simulated failures for a call, an account, or the whole store. “Limits” restricts a fault to a number of times, an account, a product or a protocol. Faults never affect this page."),
        h("section", { class: "card" }, h("h2", {}, "Enabled faults"), on),
        board, rateLimits());
    await view.refresh();
}

/** Creates the controls of the rate limits, with their state and the limit of each endpoint. */
function rateLimits() {
    const place = h("section", {});
    const draw = async () => {
        const { isEnabled, limits: all } = await get`rate-limits`;
        const set = (label, isOn) => actionButton(label, async () => {
            await post`rate-limits`({ isEnabled: isOn });
            await draw();
        }, { "aria-label": `${label}: rate limits of the App Store Server API`, "data-focus": "rate limits" });
        const columns = [
            { title: "Endpoint", class: "text", cell: (each) => h("code", {}, each.endpoint) },
            { title: "Sandbox, per hour", class: "number", cell: (each) => grouped(each.sandbox) },
            { title: "Production, per hour", class: "number", cell: (each) => grouped(each.production) },
        ];
        const least = all.reduce((one, other) => one.sandbox < other.sandbox ? one : other);
        const most = all.reduce((one, other) => one.sandbox > other.sandbox ? one : other);
        put(place, h("h2", {}, "App Store Server API"), h("div", { class: "sheet" }, h("div", { class: `fault${isEnabled ? " on" : ""}` },
            h("div", { class: "what" }, h("h3", {}, "Rate limits", isEnabled && [" ", badge("enabled", "bad")]), h("p", { class: "note" }, "Calls over the limit receive status 429 with Retry-After.")),
            h("p", { class: "note" }, `Each app can call an endpoint ${grouped(least.sandbox)} to ${grouped(most.sandbox)} times an hour in the sandbox, and ${grouped(least.production)} to ${grouped(most.production)} times in production.`),
            h("div", { class: "choices" }, isEnabled ? set("Disable", false) : set("Enable", true)))),
        h("details", { open: isOpen, ontoggle: (event) => { isOpen = event.target.open; } }, h("summary", {}, "Limit of each endpoint"), table("Rate limits of the App Store Server API", columns, all)));
    };
    let isOpen = false;
    run(draw);
    return place;
}
