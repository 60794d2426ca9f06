// One transaction: what it says, the signed text, and what can be done with it.

import { h, badge, tabs, facts } from "./dom.js";
import { get, post } from "./api.js";
import { openDialog, ask, act, notice, signedTabs } from "./dialogs.js";
import { time, money, offers, discounts, period, spoken } from "./words.js";

export const reasons = ["UNINTENDED_PURCHASE", "FULFILLMENT_ISSUE", "UNSATISFIED_WITH_PURCHASE", "LEGAL", "OTHER"];

/** A transaction's state in a word. */
export function state(payload, now) {
    if (payload.revocationDate) return [payload.inAppOwnershipType === "FAMILY_SHARED" ? "Revoked" : "Refunded", "bad"];
    if (payload.isUpgraded) return ["Upgraded", "cool"];
    if (payload.expiresDate && payload.expiresDate <= now) return ["Ended", "calm"];
    return payload.expiresDate ? ["Running", "good"] : ["Owned", "good"];
}

export function offerText(payload) {
    if (!payload.offerType) return "";
    return [offers[payload.offerType], payload.offerIdentifier, discounts[payload.offerDiscountType], payload.offerPeriod && period(payload.offerPeriod)]
        .filter(Boolean).join(", ");
}

export async function openTransaction(account, id) {
    const reply = await get`accounts/${account}/transactions`;
    const index = reply.summaries.findIndex((each) => each.payload.transactionId === id);
    if (index < 0) return notice("This transaction is not among the newest ones of its customer.");
    showTransaction(account, reply.summaries[index], reply.transactions[index]);
}

const wholly = ({ transactionId: transaction }) => ({ transaction });

export function refund(payload) {
    const fields = [
        { name: "reason", label: "Why", options: [[0, "Another reason"], [1, "A fault of the app"]], value: 0 },
        { name: "percent", label: "How much, in percent", type: "number", min: 1, max: 100, step: "any", value: 100 },
    ];
    ask("Give the money back", "Refund", fields, ({ reason, percent }) => post`refunds`({
        ...wholly(payload), reason: Number(reason), percentage: percent < 100 ? Math.round(percent * 1000) : undefined,
    }), `Transaction ${payload.transactionId}, ${payload.productId}`);
}

export function wish(payload) {
    ask("The customer asks for the money", "Ask", [{ name: "reason", label: "Why", options: reasons.map((each) => [each, spoken(each)]), value: "OTHER" }],
        ({ reason }) => post`refund-requests`({ ...wholly(payload), reason }),
        "The developer’s server is asked what it thinks; the request then waits for a decision.");
}

export function showTransaction(account, summary, signed) {
    const { payload } = summary;
    const dialog = openDialog(`Transaction ${payload.transactionId}`, [
        h("div", { class: "choices" },
            payload.revocationDate
                ? act("Reverse the refund", async () => { await post`refunds/reverse`(wholly(payload)); dialog.close(); })
                : [act("Refund…", () => refund(payload)), act("Ask for a refund…", () => wish(payload))]),
        tabs("Transaction", [
            {
                title: "Summary", draw: () => facts([
                    ["State", badge(...state(payload, Date.now() * 1e3))], ["Product", payload.productId], ["Customer", account],
                    ["Bought", time(payload.purchaseDate)], ["Ends", time(payload.expiresDate)],
                    ["Price", money(payload.price, payload.currency)], ["Quantity", payload.quantity > 1 ? payload.quantity : ""],
                    ["Offer", offerText(payload)], ["Refunded", time(payload.revocationDate)],
                    ["Refund", [spoken(payload.revocationType), payload.revocationPercentage && ` ${payload.revocationPercentage / 1000} %`]
                        .filter(Boolean).join("")],
                    ["Came by", summary.kind], ["Delivered", summary.finished ? time(summary.finished) : "not yet"],
                    ["Order", summary.orderID], ["First transaction", payload.originalTransactionId],
                ]),
            },
            { title: "Signed data", draw: () => signedTabs(signed, "Signed transaction") },
        ]),
    ]);
}
