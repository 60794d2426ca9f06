// What waits for somebody's decision.

import { h, put, button, heading, table, growing, badge, code } from "./dom.js";
import { get, post } from "./api.js";
import { act, openDialog } from "./dialogs.js";
import { time, short, spoken, span } from "./words.js";
import * as watching from "./watch.js";

export const title = "Waiting";

const person = (account) => h("a", { href: `#/customers/${encodeURIComponent(account)}` }, account);

export async function show(view) {
    const place = h("div", {});
    const part = (name, nothing, columns, rows) => h("section", {}, h("h2", {}, name, rows.length > 0 && h("span", { class: "count" }, rows.length)),
        rows.length === 0 ? h("p", { class: "note" }, nothing) : growing(rows, 60, (some) => table(name, columns, some)));
    const payments = [
        { title: "Customer", class: "owner", cell: (each) => person(each.account) },
        { title: "Product", class: "name", cell: (each) => h("span", { title: each.productID }, short(each.productID)) },
        { title: "Quantity", class: "number", cell: (each) => each.quantity },
        { title: "Payment", class: "id", cell: (each) => each.payment },
    ];
    view.refresh = async () => {
        const [approvals, interruptions, refunds] = await Promise.all([get`approvals`, get`interruptions`, get`refund-requests`]);
        const open = refunds.requests.filter((each) => each.state === "pending");
        const decided = refunds.requests.filter((each) => each.state !== "pending").toReversed();
        const decide = (label, work, key, about) => act(label, async () => { await work(); await view.refresh(); }, { "data-focus": `${label} ${key}`, "aria-label": `${label} ${about}` });
        put(place,
            part("Ask to Buy", "No child waits for a parent. Let a customer ask to buy, and buy something for them.", [...payments, {
                title: "Do", class: "do", cell: (each) => h("div", { class: "choices small" },
                    decide("Approve", () => post`approvals/${each.payment}`({ approve: true }), each.payment, `${each.productID} for ${each.account}`),
                    decide("Decline", () => post`approvals/${each.payment}`({ approve: false }), each.payment, `${each.productID} for ${each.account}`)),
            }], approvals.pending),
            part("Interrupted purchases", "No purchase is interrupted. A customer’s purchases can be, until it is resolved here.", [...payments, {
                title: "Do", class: "do", cell: (each) => decide("Let it go on", () => post`interruptions/${each.payment}`(), each.payment, `${each.productID} for ${each.account}`),
            }], interruptions.pending),
            part("Refunds asked for", "Nobody asks for money back. A customer can, at each of their transactions.", [
                { title: "Time", class: "time", cell: (each) => time(each.date) },
                { title: "Transaction", class: "id", cell: (each) => each.transaction },
                { title: "Why", class: "said", cell: (each) => spoken(each.reason) },
                { title: "The server said", class: "said", cell: (each) => each.consumption ? button("Consumption…", () => openDialog("What the developer’s server said", code(each.consumption)), { class: "link", "data-focus": `c${each.id}` }) : "nothing yet" },
                { title: "Decided by itself", class: "said", cell: (each) => each.due ? `in ${span(each.due - watching.now())}` : "" },
                {
                    title: "Do", class: "do", cell: (each) => h("div", { class: "choices small" },
                        decide("Approve", () => post`refund-requests/${each.id}`({ approve: true }), each.id, `the refund of ${each.transaction}`),
                        decide("Decline", () => post`refund-requests/${each.id}`({ approve: false }), each.id, `the refund of ${each.transaction}`)),
                },
            ], open),
            decided.length > 0 && part("Decided", "", [
                { title: "Time", class: "time", cell: (each) => time(each.date) },
                { title: "Transaction", class: "id", cell: (each) => each.transaction },
                { title: "Why", cell: (each) => spoken(each.reason) },
                { title: "Decision", cell: (each) => badge(each.state, each.state === "granted" ? "good" : "bad") },
            ], decided));
    };
    view.isInterested = (news) => news.some((event) => ["deferred", "decision", "interruption", "purchase", "refundRequest", "refund", "server", "account", "clock"].includes(event.kind));
    put(view.place, heading("Waiting", "Purchases and refunds on which somebody has to decide."), place);
    await view.refresh();
}
