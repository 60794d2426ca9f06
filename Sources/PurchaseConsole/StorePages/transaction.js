// The dialog for one transaction: its summary, its signed data, and actions.

import { h, badge, tabs, definitionList } from "./dom.js";
import { get, post, optional } from "./api.js";
import { openDialog, ask, actionButton, notice, signedTabs } from "./dialogs.js";
import { time, money, offers, discounts, period, readable, origins, charge } from "./format.js";
import { accountAddress, accountLink, transactionAddress, atAddress } from "./items.js";
import { product } from "./names.js";
import { now } from "./stream.js";

const reasons = ["UNINTENDED_PURCHASE", "FULFILLMENT_ISSUE", "UNSATISFIED_WITH_PURCHASE", "LEGAL", "OTHER"];

/** Returns the title and the color of a transaction's state at a time of the store, in milliseconds since 1970 as in signed data. */
export function state(payload, now) {
    if (payload.revocationDate) return [["FAMILY_SHARED", "ASSIGNED"].includes(payload.inAppOwnershipType) ? "Revoked" : "Refunded", "bad"];
    if (payload.isUpgraded) return ["Upgraded", "cool"];
    if (payload.expiresDate && payload.expiresDate <= now) return ["Expired", "calm"];
    return payload.expiresDate ? ["Active", "good"] : ["Owned", "good"];
}

function offerText(payload) {
    if (!payload.offerType) return "";
    return [offers[payload.offerType], payload.offerIdentifier, discounts[payload.offerDiscountType], payload.offerPeriod && period(payload.offerPeriod)]
        .filter(Boolean).join(", ");
}

export async function openTransaction(id) {
    const known = await optional(get`transactions/${id}`);
    if (!known) return notice(`The store has no transaction ${id}.`);
    showTransaction(known.account, known.summary, known.signedTransaction);
}

/** Returns whether a refund of the transaction, or of some of its seats, can be reversed. */
export const isReversible = (payload) => payload.revocationDate || payload.multiSeatInfo?.revokedSeatQuantity;

const transactionOf = ({ transactionId: transactionID }) => ({ transactionID });

export function refund(payload) {
    const fields = [
        { name: "reason", label: "Reason", options: [[0, "Other reason"], [1, "Issue with the app"]], value: 0 },
        { name: "percent", label: "Refunded percentage", type: "number", min: 1, max: 100, step: "any", value: 100 },
    ];
    const seats = payload.multiSeatInfo && payload.quantity - (payload.multiSeatInfo.revokedSeatQuantity ?? 0);
    if (seats > 1) fields.push({ name: "seats", label: "Refunded seats", type: "number", min: 1, max: seats, value: seats });
    ask("Issue a refund", "Refund", fields, ({ reason, percent, seats }) => post`refunds`({
        ...transactionOf(payload), seats: seats ?? undefined, reason: Number(reason), percentage: percent < 100 ? Math.round(percent * 1000) : undefined,
    }), `Transaction ${payload.transactionId}, ${payload.productId}`);
}

export function requestRefund(payload) {
    ask("Request a refund", "Request", [{ name: "reason", label: "Reason", options: reasons.map((each) => [each, readable(each)]), value: "OTHER" }],
        ({ reason }) => post`refund-requests`({ ...transactionOf(payload), reason }),
        "The store sends a CONSUMPTION_REQUEST notification to the developer’s server. The request is then pending until a decision.");
}

const seatText = (seats) => seats && [
    (seats.priceTiers ?? []).map((tier) => tier.quantity).reduce((sum, each) => sum + each, 0), seats.revokedSeatQuantity && `, ${seats.revokedSeatQuantity} refunded`];

const commitmentText = (commitment) => commitment
    && [`charge ${commitment.billingPeriodNumber} of ${commitment.totalBillingPeriods}, until `, time(commitment.commitmentExpiresDate)];

export function showTransaction(account, summary, signed) {
    const { payload } = summary;
    const dialog = openDialog(`Transaction ${payload.transactionId}`, [
        h("div", { class: "choices" },
            isReversible(payload)
                && actionButton("Reverse the refund", async () => { await post`refunds/reverse`(transactionOf(payload)); dialog.close(); }),
            !payload.revocationDate
                && [actionButton("Refund…", () => refund(payload)), actionButton("Request a refund…", () => requestRefund(payload))]),
        tabs("Transaction", [
            {
                title: "Summary", draw: () => definitionList([
                    ["State", badge(...state(payload, now()))], ["Product", product(payload.productId)],
                    ["Account", accountLink(account, { leave: () => dialog.close() })],
                    ["Purchased", time(payload.purchaseDate)], ["Expires", time(payload.expiresDate)],
                    ["Price", money(charge(payload), payload.currency)], ["Quantity", payload.quantity > 1 && !payload.multiSeatInfo ? payload.quantity : ""],
                    ["Seats", seatText(payload.multiSeatInfo)], ["Addition", readable(payload.additionalTransactionReason)],
                    ["Billing plan", readable(payload.billingPlanType)], ["Commitment", commitmentText(payload.commitmentInfo)],
                    ["Offer", offerText(payload)], ["Refunded", time(payload.revocationDate)],
                    ["Refund", [readable(payload.revocationType), payload.revocationPercentage && ` ${payload.revocationPercentage / 1000} %`]
                        .filter(Boolean).join("")],
                    ["Origin", origins[summary.kind] ?? summary.kind], ["Finished", summary.finishedDate ? time(summary.finishedDate) : "not yet"],
                    ["Order", summary.orderID], ["Web order line item", payload.webOrderLineItemId], ["App account token", payload.appAccountToken],
                    ["Original transaction", payload.originalTransactionId === payload.transactionId ? "this one"
                        : h("a", { href: transactionAddress(payload.originalTransactionId) }, payload.originalTransactionId)],
                ]),
            },
            { title: "Signed data", draw: () => signedTabs(signed, "Signed transaction") },
        ]),
    ]);
    atAddress(dialog, transactionAddress(payload.transactionId), accountAddress(account));
}
