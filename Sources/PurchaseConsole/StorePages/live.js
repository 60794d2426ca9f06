// Everything as it happens, newest first.

import { h, put, heading, button, table, tableRow, badge, empty } from "./dom.js";
import { act, attempt, say } from "./dialogs.js";
import { time, kinds, filters, results, spoken, short, span, count } from "./words.js";
import { openTransaction } from "./transaction.js";
import { buy } from "./buying.js";
import * as watching from "./watch.js";

export const title = "Live";

const shownAtOnce = 300;
let chosen = "Everything";

const isFailure = (event) => event.kind === "delivery" && !event.detail?.endsWith(" SUCCESS");

const detail = (event) => {
    if (!event.detail) return "";
    if (event.kind === "delivery") {
        const words = event.detail.split(" "), type = words[0], result = words.at(-1);
        return [h("span", { title: event.detail }, spoken(type)), h("span", { class: "quiet" }, result === "SUCCESS" ? " was taken" : ` was not taken: ${results[result] ?? spoken(result)}`)];
    }
    if (event.kind === "notification" || event.kind === "subscription") {
        const [type, subtype] = event.detail.split(" ");
        return [h("span", { title: event.detail }, spoken(type)), subtype && h("span", { class: "quiet" }, ` ${spoken(subtype)}`)];
    }
    const seconds = /^moved by (\d+) seconds$/.exec(event.detail);
    if (seconds) return `moved on by ${span(seconds[1] * 1000)}`;
    if (["deferred", "interruption", "decision"].includes(event.kind)) return h("span", { title: event.detail }, event.detail.replace(/\b([0-9a-f]{8})-[0-9a-f-]{27}\b/, "payment $1…"));
    return /^[A-Z_]+$/.test(event.detail) ? spoken(event.detail) : event.detail;
};

export const columns = [
    { title: "Time", class: "time", cell: (event) => time(event.date) },
    { title: "What", class: "what", cell: (event) => badge(kinds[event.kind]?.[0] ?? event.kind, isFailure(event) ? "bad" : kinds[event.kind]?.[1]) },
    { title: "Product", class: "name", cell: (event) => event.productID && h("span", { title: event.productID }, short(event.productID)) },
    { title: "Customer", class: "owner", cell: (event) => event.account && h("a", { href: `#/customers/${encodeURIComponent(event.account)}` }, event.account) },
    {
        title: "Transaction", class: "id", cell: (event) => event.transaction && (event.account
            ? button(event.transaction, () => attempt(() => openTransaction(event.account, event.transaction)), { class: "link", "data-focus": `e${event.id}` })
            : event.transaction),
    },
    { title: "Detail", class: "more-text", cell: detail },
];

const isShown = (event) => chosen === "Everything" || kinds[event.kind]?.[2] === chosen;

export async function show(view) {
    const list = h("div", {});
    const bar = h("div", { class: "choices", role: "group", "aria-label": "Show only" });
    const more = h("p", { class: "more" });
    let limit = shownAtOnce;
    let body;

    const draw = () => {
        put(bar, ["Everything", ...filters].map((name) =>
            button(name, () => { chosen = name; limit = shownAtOnce; draw(); }, { "aria-pressed": String(name === chosen) })));
        const all = watching.events.filter(isShown);
        if (all.length === 0) {
            body = undefined;
            put(list, empty(chosen === "Everything" ? "Nothing has happened yet." : "Nothing of that kind among what is loaded.",
                chosen === "Everything" && watching.events.length === 0
                    ? ["Give the store something to sell under ", h("a", { href: "#/catalog" }, "Catalog"), ", then ",
                        act("buy something", () => buy(), { class: "link" }), " for a customer, or let an app do it: it appears here as it happens."]
                    : "“Earlier” loads more of the past; what happens from now on appears here as it happens."));
        } else {
            put(list, table("What happened, newest first", columns, all.slice(0, limit)));
            body = list.querySelector("tbody");
        }
        put(more, (all.length > limit || watching.hasEarlier()) && button("Earlier", (event) => attempt(async () => {
            if (all.length <= limit) await watching.earlier(200);
            limit += 200;
            draw();
        }, event.currentTarget)));
    };
    view.news = (news) => {
        const fresh = news.filter(isShown).slice(0, limit);
        if (fresh.length === 0) return;
        say(`${count(fresh.length, "new event")}: ${kinds[fresh[0].kind]?.[0] ?? fresh[0].kind} ${fresh[0].productID ?? ""}`);
        if (!body) return draw();
        body.prepend(...fresh.map((event) => tableRow(columns, event, { class: "fresh", "data-event": event.id })));
        while (body.rows.length > limit) body.lastElementChild.remove();
    };
    put(view.place, heading("Live", "What happens in the store, as it happens. All times are the store’s, in UTC."), bar, list, more);
    draw();
}
