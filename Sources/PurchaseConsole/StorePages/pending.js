// The section that lists pending payments and refund requests, with buttons for the decisions.

import { h, put, button, heading, table, pagedList, badge, code } from "./dom.js";
import { get, post } from "./api.js";
import { actionButton, openDialog } from "./dialogs.js";
import { accountLink, itemLink, transactionAddress } from "./items.js";
import { time, readable, span } from "./format.js";
import { product } from "./names.js";
import { openTransaction } from "./transaction.js";
import * as stream from "./stream.js";

export const title = "Pending";

const transactionLink = (each) => itemLink(each.transactionID, transactionAddress(each.transactionID), () => openTransaction(each.transactionID), { "data-focus": `t${each.id}` });

export async function show(view) {
    const place = h("div", {});
    const part = (name, nothing, columns, rows) => h("section", {}, h("h2", {}, name, rows.length > 0 && h("span", { class: "count" }, rows.length)),
        rows.length === 0 ? h("p", { class: "note" }, nothing) : pagedList(rows, 60, (some) => table(name, columns, some)));
    const payments = [
        { title: "Account", class: "owner", cell: (each) => accountLink(each.account) },
        { title: "Product", class: "name", cell: (each) => product(each.productID) },
        { title: "Quantity", class: "number", cell: (each) => each.quantity },
        { title: "Payment", class: "id", cell: (each) => each.payment },
    ];
    view.refresh = async () => {
        const [approvals, interruptions, refunds] = await Promise.all([get`approvals`, get`interruptions`, get`refund-requests`]);
        const open = refunds.requests.filter((each) => each.state === "pending");
        const decided = refunds.requests.filter((each) => each.state !== "pending").toReversed();
        const decide = (label, operation, key, about) => actionButton(label, async () => { await operation(); await view.refresh(); }, { "data-focus": `${label} ${key}`, "aria-label": `${label} ${about}` });
        put(place,
            part("Ask to Buy", "No purchase is pending in Ask to Buy. Enable Ask to Buy for an account, then buy a product for it.", [...payments, {
                title: "Actions", class: "do", cell: (each) => h("div", { class: "choices small" },
                    decide("Approve", () => post`approvals/${each.payment}`({ approve: true }), each.payment, `${each.productID} for ${each.account}`),
                    decide("Decline", () => post`approvals/${each.payment}`({ approve: false }), each.payment, `${each.productID} for ${each.account}`)),
            }], approvals.pending),
            part("Interrupted purchases", "No purchase is interrupted. Enable interrupted purchases for an account, then buy a product for it.", [...payments, {
                title: "Actions", class: "do", cell: (each) => decide("Resolve", () => post`interruptions/${each.payment}`(), each.payment, `${each.productID} for ${each.account}`),
            }], interruptions.pending),
            part("Refund requests", "No refund requests. An account can request a refund for each of its transactions.", [
                { title: "Time", class: "time", cell: (each) => time(each.date) },
                { title: "Transaction", class: "id opens", cell: transactionLink },
                { title: "Reason", class: "text", cell: (each) => readable(each.reason) },
                { title: "Consumption", class: "text", cell: (each) => each.consumption ? button("Show…", () => openDialog("Consumption information", code(each.consumption)), { class: "link", "data-focus": `c${each.id}` }) : "none yet" },
                { title: "Automatic decision", class: "text", cell: (each) => each.due ? `in ${span(each.due - stream.now())}` : "" },
                {
                    title: "Actions", class: "do", cell: (each) => h("div", { class: "choices small" },
                        decide("Approve", () => post`refund-requests/${each.id}`({ approve: true }), each.id, `the refund of ${each.transactionID}`),
                        decide("Decline", () => post`refund-requests/${each.id}`({ approve: false }), each.id, `the refund of ${each.transactionID}`)),
                },
            ], open),
            decided.length > 0 && part("Decided", "", [
                { title: "Time", class: "time", cell: (each) => time(each.date) },
                { title: "Transaction", class: "id opens", cell: transactionLink },
                { title: "Reason", cell: (each) => readable(each.reason) },
                { title: "Decision", cell: (each) => badge(each.state, each.state === "approved" ? "good" : "bad") },
            ], decided));
    };
    view.isInterested = (newEvents) => newEvents.some((event) => ["deferred", "decision", "interruption", "purchase", "refundRequest", "refund", "server", "account", "clock"].includes(event.kind));
    put(view.place, heading("Pending", "Purchases and refund requests that require a decision."), place);
    await view.refresh();
}
