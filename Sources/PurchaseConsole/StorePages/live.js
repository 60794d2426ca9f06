// The section that lists the store's events in real time, newest first.

import { h, put, heading, button, choices, table, tableRow, badge, empty } from "./dom.js";
import { actionButton, run, announce } from "./dialogs.js";
import { itemLink, accountLink, transactionAddress, notificationAddress } from "./items.js";
import { time, kinds, filters, resultName, readable, span, count } from "./format.js";
import { product } from "./names.js";
import { openNotification } from "./notifications.js";
import { openTransaction } from "./transaction.js";
import { buy } from "./purchase.js";
import { happenings, isFailedDelivery } from "./happenings.js";
import * as stream from "./stream.js";

export const title = "Live";

const shownAtOnce = 300;
let chosen = "Everything";

const notificationLink = (event, label) => event.notificationUUID
    ? itemLink(label, notificationAddress(event.notificationUUID), () => openNotification(event.notificationUUID), { title: event.detail, "data-focus": `n${event.id}` })
    : h("span", { title: event.detail }, label);

let known;
/** The groups of the loaded events. */
function loaded() {
    const [newest, count] = [stream.events[0]?.id, stream.events.length];
    if (known?.newest !== newest || known?.count !== count) known = { newest, count, groups: happenings(stream.events) };
    return known.groups;
}

/** The delivery result of a notification, and the duration of the server's response. */
function outcome(delivery) {
    if (!delivery) return [];
    const result = delivery.detail?.split(" ").at(-1);
    return [" ", badge(result === "SUCCESS" ? "delivered" : resultName(result), result === "SUCCESS" ? "good" : "bad"),
        delivery.milliseconds !== undefined && h("span", { class: "quiet" }, ` ${delivery.milliseconds} ms`)];
}

/** A notification with its type and its delivery result. */
const notification = (event, groups) => {
    const [name, subtype] = (event.detail ?? "").split(" ");
    return [notificationLink(event, readable(name)), subtype && h("span", { class: "quiet" }, ` ${readable(subtype)}`),
        outcome(groups.deliveries.get(event.notificationUUID))];
};

const detail = (event, groups) => {
    if (event.kind === "notification") return notification(event, groups);
    const parts = groups.parts.get(event.id) ?? [];
    const notifications = parts.filter((each) => each.kind === "notification");
    // The detail of a change of a subscription is the type of its notification.
    const isShown = (change) => notifications.some((each) => type(each) === type(change));
    const own = [event, ...parts.filter((each) => each.kind === "subscription")].filter((each) => each.detail && !isShown(each)).map(ownDetail);
    const all = [...own, ...notifications.map((each) => notification(each, groups))];
    return all.length > 0 ? all.map((each) => h("span", { class: "part" }, each)) : "";
};

const type = (event) => event.detail?.split(" ")[0];

const ownDetail = (event) => {
    if (event.kind === "delivery") {
        const words = event.detail.split(" "), result = words.at(-1);
        return [notificationLink(event, readable(words[0])), h("span", { class: "quiet" }, result === "SUCCESS" ? " delivered" : ` not delivered: ${resultName(result)}`)];
    }
    if (event.kind === "subscription") {
        const [name, subtype] = event.detail.split(" ");
        return [h("span", { title: event.detail }, readable(name)), subtype && h("span", { class: "quiet" }, ` ${readable(subtype)}`)];
    }
    const seconds = /^advanced by (\d+) seconds$/.exec(event.detail);
    if (seconds) return `advanced by ${span(seconds[1] * 1000)}`;
    if (["deferred", "interruption", "decision"].includes(event.kind)) return h("span", { title: event.detail }, event.detail.replace(/\b([0-9a-f]{8})-[0-9a-f-]{27}\b/, "payment $1…"));
    return /^[A-Z_]+$/.test(event.detail) ? readable(event.detail) : event.detail;
};

/** The columns of a table with events; events of `groups` without a row are part of the detail of another event. */
export const columns = (groups) => [
    { title: "Time", class: "time", cell: (event) => time(event.date) },
    { title: "Event", class: "what", cell: (event) => badge(kinds[event.kind]?.[0] ?? event.kind, isFailedDelivery(event) ? "bad" : kinds[event.kind]?.[1]) },
    { title: "Product", class: "name", cell: (event) => product(event.productID) },
    { title: "Account", class: "owner opens", cell: (event) => event.account && accountLink(event.account, { title: event.account }) },
    {
        title: "Transaction", class: "id opens", cell: (event) => event.transactionID
            && itemLink(event.transactionID, transactionAddress(event.transactionID), () => openTransaction(event.transactionID), { "data-focus": `e${event.id}` }),
    },
    { title: "Detail", class: "more-text opens", cell: (event) => detail(event, groups) },
];

/** Among the events of one kind, each event has a separate row. */
const groups = () => chosen === "Everything" ? loaded() : { ...loaded(), parts: new Map() };
const isShown = (event) => chosen === "Everything" ? loaded().isRow(event) : kinds[event.kind]?.[2] === chosen;

export async function show(view) {
    const list = h("div", {});
    const bar = choices("Show only");
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
            put(list, table("Events, newest first", columns(groups()), all.slice(0, limit), (event) => ({ "data-event": event.id })));
            body = list.querySelector("tbody");
        }
        put(more, (all.length > limit || stream.hasEarlier()) && button("Earlier", (event) => run(async () => {
            if (all.length <= limit) await stream.earlier(200);
            limit += 200;
            draw();
        }, event.currentTarget)));
    };
    view.newEvents = (newEvents) => {
        // Redraw the rows of older events, because a new notification or delivery may change them.
        const shown = columns(groups());
        for (const event of body ? loaded().rowsOf(newEvents) : []) {
            body.querySelector(`[data-event="${event.id}"]`)?.replaceWith(tableRow(shown, event, { "data-event": event.id }));
        }
        const fresh = newEvents.filter(isShown).slice(0, limit);
        if (fresh.length === 0) return;
        announce(`${count(fresh.length, "new event")}: ${kinds[fresh[0].kind]?.[0] ?? fresh[0].kind} ${fresh[0].productID ?? ""}`);
        if (!body) return draw();
        body.prepend(...fresh.map((event) => tableRow(shown, event, { class: "fresh", "data-event": event.id })));
        while (body.rows.length > limit) body.lastElementChild.remove();
    };
    put(view.place, heading("Live", "Events of the store in real time. All times are store times in UTC."), bar, list, more);
    draw();
}
