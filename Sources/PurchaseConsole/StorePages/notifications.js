// The section that lists, shows, resends and triggers App Store Server Notifications.

import { h, put, button, heading, choices, table, pagedList, badge, empty, tabs, code, definitionList } from "./dom.js";
import { get, post, optional } from "./api.js";
import { ask, actionButton, run, openDialog, notice, signedTabs, payloadFields } from "./dialogs.js";
import { time, notificationName, resultName, count } from "./format.js";
import { accountLink, itemLink, notificationAddress, atAddress } from "./items.js";
import { appSettings } from "./catalog.js";
import { productOptions, productsOfAll } from "./purchase.js";

export const title = "Notifications";

const types = {
    CONSUMPTION_REQUEST: [], DID_CHANGE_RENEWAL_PREF: ["", "UPGRADE", "DOWNGRADE"], DID_CHANGE_RENEWAL_STATUS: ["AUTO_RENEW_DISABLED", "AUTO_RENEW_ENABLED"],
    DID_FAIL_TO_RENEW: ["", "GRACE_PERIOD"], DID_RENEW: ["", "BILLING_RECOVERY"], EXPIRED: ["VOLUNTARY", "BILLING_RETRY", "PRICE_INCREASE", "PRODUCT_NOT_FOR_SALE"],
    EXTERNAL_PURCHASE_TOKEN: ["CREATED", "ACTIVE_TOKEN_REMINDER", "UNREPORTED"], GRACE_PERIOD_EXPIRED: [], METADATA_UPDATE: [], MIGRATION: [],
    OFFER_REDEEMED: ["", "UPGRADE", "DOWNGRADE"], ONE_TIME_CHARGE: [], PRICE_CHANGE: [], PRICE_INCREASE: ["PENDING", "ACCEPTED"], REFUND: [],
    REFUND_DECLINED: [], REFUND_REVERSED: [], RENEWAL_EXTENDED: [], RENEWAL_EXTENSION: ["SUMMARY", "FAILURE"], RESCIND_CONSENT: [], REVOKE: [],
    SUBSCRIBED: ["INITIAL_BUY", "RESUBSCRIBE"], TEST: [],
};

let chosen = "All";

async function trigger() {
    const [{ accounts }, products] = await Promise.all([get`accounts?limit=${200}`, productsOfAll()]);
    const named = Object.entries(types).flatMap(([type, subtypes]) =>
        (subtypes.length === 0 ? [""] : subtypes).map((subtype) => [`${type}|${subtype}`, notificationName({ type, subtype })]));
    ask("Trigger a notification", "Trigger notification", [
        { name: "kind", label: "Kind", options: named, value: "DID_RENEW|" },
        { name: "account", label: "Account", list: accounts.map((each) => each.account), hint: "Leave empty for a new account with a matching history." },
        { name: "product", label: "Product", options: [["", "Suitable product"], ...productOptions(products)] },
    ], async ({ kind, account, product }) => {
        const [type, subtype] = kind.split("|");
        const reply = await post`notifications/trigger`({ type, subtype: subtype || undefined, account, productID: product });
        notice(`Triggered ${notificationName({ type, subtype })}${reply.account ? ` for ${reply.account}` : ""}.`, "good");
    }, "The store simulates the cause of the notification, so that transactions, history and notification are consistent.");
}

export const openNotification = (notificationUUID) => details({ notificationUUID }, async () => {});

async function details(each, again) {
    const known = await optional(get`notifications/${each.notificationUUID}`);
    if (!known) return atAddress(openDialog("No such notification", h("p", {}, `The store has no notification ${each.notificationUUID}.`)), notificationAddress(each.notificationUUID), "#/notifications");
    const dialog = openDialog(notificationName(known), [
        h("div", { class: "choices" }, actionButton("Resend notification", async () => {
            const sent = await post`notifications/${each.notificationUUID}/resend`();
            dialog.close();
            notice(sent.delivered ? "Notification delivered." : "Notification not delivered.", sent.delivered ? "good" : "bad");
            await again();
        })),
        definitionList([["State", known.delivered ? badge("delivered", "good") : badge("not delivered", "bad")], ["Identifier", known.notificationUUID],
            ["Signed", time(known.signedDate)], ["App", known.bundleID], ["Environment", known.environment],
            ["Account", known.account && accountLink(known.account, { leave: () => dialog.close() })],
            ["Version", known.version], ["Next attempt", time(known.nextAttempt)]]),
        tabs("Notification", [
            { title: "Payload", draw: () => payloadFields(known.payload) },
            known.transaction && { title: "Transaction", draw: () => payloadFields(known.transaction) },
            known.renewalInfo && { title: "Renewal", draw: () => payloadFields(known.renewalInfo) },
            known.appTransaction && { title: "App", draw: () => payloadFields(known.appTransaction) },
            {
                title: "Attempts", count: known.sendAttempts.length, draw: () => known.sendAttempts.length === 0 ? empty("No delivery attempts yet.") : table("Attempts", [
                    { title: "Time", class: "time", cell: (attempted) => time(attempted.attemptDate) },
                    { title: "Status", class: "number", cell: (attempted) => attempted.status ?? "" },
                    { title: "Duration", class: "number", cell: (attempted) => attempted.milliseconds === undefined ? "" : `${attempted.milliseconds} ms` },
                    { title: "Address and response", class: "more-text", cell: (attempted) => [attempted.url && h("code", {}, attempted.url), attempted.response && h("span", { class: "quiet rule" }, attempted.response)] },
                    { title: "Result", cell: (attempted) => h("span", { title: attempted.sendAttemptResult }, badge(resultName(attempted.sendAttemptResult), attempted.sendAttemptResult === "SUCCESS" ? "good" : "bad")) },
                ], known.sendAttempts),
            },
            known.body && { title: "Body", draw: () => body(known.body) },
        ].filter(Boolean)),
    ]);
    atAddress(dialog, notificationAddress(known.notificationUUID), "#/notifications");
}

/** The status and the duration of a delivery attempt, or the reason for a missing response. */
const response = (attempt) => attempt && [attempt.status ?? resultName(attempt.sendAttemptResult),
    attempt.milliseconds !== undefined && `${attempt.milliseconds} ms`].filter(Boolean).join(" · ");

function body(text) {
    try {
        const { signedPayload } = JSON.parse(text);
        if (signedPayload) return signedTabs(signedPayload, "Body");
        return code(JSON.parse(text));
    } catch {
        return code(text);
    }
}

export async function show(view) {
    const list = h("div", {});
    const bar = choices("Show only");
    const addresses = h("div", { class: "card addresses" });
    const note = h("p", { class: "note" });
    let deliveries = [];
    const states = { All: () => true, Delivered: (each) => each.delivered, Pending: (each) => !each.delivered };
    const columns = [
        { title: "Notification", class: "name opens", cell: (each) => itemLink(notificationName(each), notificationAddress(each.notificationUUID), () => details(each, view.refresh), { "data-focus": each.notificationUUID, title: each.notificationUUID }) },
        { title: "State", cell: (each) => each.delivered ? badge("delivered", "good") : each.hasAddress === false ? badge("no address", "warm") : each.attempts > 0 ? badge("not delivered", "bad") : badge("not sent", "calm") },
        { title: "Response", class: "number", cell: (each) => response(each.lastAttempt) },
        { title: "Signed", class: "time", cell: (each) => time(each.signedDate) },
        { title: "Account", class: "owner", cell: (each) => each.account && accountLink(each.account) },
        { title: "Attempts", class: "number", cell: (each) => each.attempts },
        { title: "Actions", class: "do", cell: (each) => actionButton("Resend", async () => { await post`notifications/${each.notificationUUID}/resend`(); await view.refresh(); }, { "data-focus": `again ${each.notificationUUID}`, "aria-label": `Resend ${each.type}` }) },
    ];
    const draw = () => {
        put(bar, Object.entries(states).map(([name, isShown]) => button([name, " ", h("span", { class: "count" }, deliveries.filter(isShown).length)],
            () => { chosen = name; draw(); }, { "aria-pressed": String(name === chosen), "data-focus": `only ${name}` })));
        const rows = deliveries.filter(states[chosen]);
        put(list, rows.length === 0 ? empty(deliveries.length === 0 ? "No notifications yet." : "No notifications match the filter.", "The store sends notifications about purchases to the app’s server. Buy a product, or trigger a notification here.")
            : pagedList(rows, 60, (some) => table("Notifications, newest first", columns, some)));
    };
    view.refresh = async () => {
        const [reply, { apps }] = await Promise.all([get`notifications`, get`apps`]);
        deliveries = reply.deliveries.toReversed();
        note.textContent = deliveries.length >= 1000 ? "The newest 1000" : count(deliveries.length, "notification");
        put(addresses, apps.map((app) => h("div", { class: "address-line" }, h("code", {}, app.bundleID),
            h("span", { class: "quiet" }, app.sandboxURL || app.productionURL ? "notifies" : "has no notification URL yet."),
            [app.sandboxURL, app.productionURL].filter(Boolean).map((url) => h("code", {}, url)),
            button("Change…", () => appSettings(app), { class: "plain", "data-focus": app.bundleID, "aria-label": `Change the notification URLs of ${app.bundleID}` }))));
        draw();
    };
    view.isInterested = (newEvents) => newEvents.some((event) => event.kind === "notification" || event.kind === "delivery");
    put(view.place, heading(title, note, actionButton("Trigger…", trigger, { class: "main" })), addresses, bar, list);
    await view.refresh();
    const [notificationUUID] = view.parameters;
    if (notificationUUID) view.drawn = () => run(() => details({ notificationUUID }, view.refresh));
}
