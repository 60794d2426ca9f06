// The section that lists the store's events in real time, newest first.

import { h, put, heading, button, table, tableRow, badge, empty } from "./dom.js";
import { actionButton, run, announce } from "./dialogs.js";
import { itemLink, accountAddress, transactionAddress, notificationAddress } from "./items.js";
import { time, kinds, filters, results, readable, span, count } from "./format.js";
import { product } from "./names.js";
import { openNotification } from "./notifications.js";
import { openTransaction } from "./transaction.js";
import { buy } from "./purchase.js";
import * as stream from "./stream.js";

export const title = "Live";

const shownAtOnce = 300;
let chosen = "Everything";

const isFailure = (event) => event.kind === "delivery" && !event.detail?.endsWith(" SUCCESS");

const notificationLink = (event, label) => event.notificationUUID
    ? itemLink(label, notificationAddress(event.notificationUUID), () => openNotification(event.notificationUUID), { title: event.detail, "data-focus": `n${event.id}` })
    : h("span", { title: event.detail }, label);

/** The last delivery of each notification, and the notifications, among the loaded events, by `notificationUUID`. */
let known = { newest: undefined, count: 0, deliveries: new Map(), notifications: new Set() };
function byNotification() {
    const [newest, count] = [stream.events[0]?.id, stream.events.length];
    if (known.newest === newest && known.count === count) return known;
    known = { newest, count, deliveries: new Map(), notifications: new Set() };
    for (const event of stream.events) {
        if (event.kind === "notification") known.notifications.add(event.notificationUUID);
        if (event.kind === "delivery" && !known.deliveries.has(event.notificationUUID)) known.deliveries.set(event.notificationUUID, event);
    }
    return known;
}

/** What became of a notification: delivered, or why not. */
function outcome(delivery) {
    if (!delivery) return [];
    const result = delivery.detail?.split(" ").at(-1);
    return [" ", badge(result === "SUCCESS" ? "delivered" : results[result] ?? readable(result ?? ""), result === "SUCCESS" ? "good" : "bad")];
}

const detail = (event) => {
    if (!event.detail) return "";
    if (event.kind === "delivery") {
        const words = event.detail.split(" "), type = words[0], result = words.at(-1);
        return [notificationLink(event, readable(type)), h("span", { class: "quiet" }, result === "SUCCESS" ? " delivered" : ` not delivered: ${results[result] ?? readable(result)}`)];
    }
    if (event.kind === "notification" || event.kind === "subscription") {
        const [type, subtype] = event.detail.split(" ");
        return [notificationLink(event, readable(type)), subtype && h("span", { class: "quiet" }, ` ${readable(subtype)}`),
            event.kind === "notification" && outcome(byNotification().deliveries.get(event.notificationUUID))];
    }
    const seconds = /^advanced by (\d+) seconds$/.exec(event.detail);
    if (seconds) return `advanced by ${span(seconds[1] * 1000)}`;
    if (["deferred", "interruption", "decision"].includes(event.kind)) return h("span", { title: event.detail }, event.detail.replace(/\b([0-9a-f]{8})-[0-9a-f-]{27}\b/, "payment $1…"));
    return /^[A-Z_]+$/.test(event.detail) ? readable(event.detail) : event.detail;
};

export const columns = [
    { title: "Time", class: "time", cell: (event) => time(event.date) },
    { title: "Event", class: "what", cell: (event) => badge(kinds[event.kind]?.[0] ?? event.kind, isFailure(event) ? "bad" : kinds[event.kind]?.[1]) },
    { title: "Product", class: "name", cell: (event) => product(event.productID) },
    { title: "Account", class: "owner opens", cell: (event) => event.account && h("a", { href: accountAddress(event.account), title: event.account }, event.account) },
    {
        title: "Transaction", class: "id opens", cell: (event) => event.transactionID
            && itemLink(event.transactionID, transactionAddress(event.transactionID), () => openTransaction(event.transactionID), { "data-focus": `e${event.id}` }),
    },
    { title: "Detail", class: "more-text opens", cell: detail },
];

/** A notification and its deliveries are one row, except among the notifications, where each attempt has its own. */
const isShown = (event) => chosen === "Everything"
    ? event.kind !== "delivery" || !byNotification().notifications.has(event.notificationUUID) : kinds[event.kind]?.[2] === chosen;

export async function show(view) {
    const list = h("div", {});
    const bar = h("div", { class: "choices", role: "group", "aria-label": "Show only" });
    const more = h("p", { class: "more" });
    let limit = shownAtOnce;
    let body;

    const draw = () => {
        put(bar, ["Everything", ...filters].map((name) =>
            button(name, () => { chosen = name; limit = shownAtOnce; draw(); }, { "aria-pressed": String(name === chosen) })));
        const all = stream.events.filter(isShown);
        if (all.length === 0) {
            body = undefined;
            put(list, empty(chosen === "Everything" ? "No events yet." : "No loaded events match the filter.",
                chosen === "Everything" && stream.events.length === 0
                    ? ["Add products under ", h("a", { href: "#/catalog" }, "Catalog"), ", then ",
                        actionButton("buy a product", () => buy(), { class: "link" }), " for an account, or buy in an app. Events appear here immediately."]
                    : "“Earlier” loads older events. New events appear here immediately."));
        } else {
            put(list, table("Events, newest first", columns, all.slice(0, limit), (event) => ({ "data-event": event.id })));
            body = list.querySelector("tbody");
        }
        put(more, (all.length > limit || stream.hasEarlier()) && button("Earlier", (event) => run(async () => {
            if (all.length <= limit) await stream.earlier(200);
            limit += 200;
            draw();
        }, event.currentTarget)));
    };
    view.newEvents = (newEvents) => {
        // A delivery changes the row of its notification, which can be anywhere.
        const delivered = new Set(newEvents.filter((event) => event.kind === "delivery").map((event) => event.notificationUUID));
        for (const event of delivered.size > 0 && body ? stream.events.filter((each) => each.kind === "notification" && delivered.has(each.notificationUUID)) : []) {
            body.querySelector(`[data-event="${event.id}"]`)?.replaceWith(tableRow(columns, event, { "data-event": event.id }));
        }
        const fresh = newEvents.filter(isShown).slice(0, limit);
        if (fresh.length === 0) return;
        announce(`${count(fresh.length, "new event")}: ${kinds[fresh[0].kind]?.[0] ?? fresh[0].kind} ${fresh[0].productID ?? ""}`);
        if (!body) return draw();
        body.prepend(...fresh.map((event) => tableRow(columns, event, { class: "fresh", "data-event": event.id })));
        while (body.rows.length > limit) body.lastElementChild.remove();
    };
    put(view.place, heading("Live", "Events of the store in real time. All times are store times in UTC."), bar, list, more);
    draw();
}
