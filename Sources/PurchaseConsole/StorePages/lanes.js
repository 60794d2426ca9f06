// The model of an account's timeline: lanes with bars and marks. `timeline.js` draws the lanes.

import { readable, money, when, offers, discounts, charge } from "./format.js";

const named = (event, type) => (event.detail ?? "").split(" ")[0] === type;
const notices = {
    DID_CHANGE_RENEWAL_STATUS: ["off", "Auto-renew changed"], DID_CHANGE_RENEWAL_PREF: ["change", "Change of plan"],
    PRICE_INCREASE: ["price", "Price increase"], RENEWAL_EXTENDED: ["extend", "Renewal date extended"],
    CONSUMPTION_REQUEST: ["request", "Refund requested"], REFUND_REVERSED: ["reversal", "Refund reversed"],
    REFUND_DECLINED: ["request", "Refund declined"],
};

/** Returns the timeline's lanes, one for each product, from an account's newest transactions, subscriptions and events. */
export function timelineLanes({ summaries, subscriptions, events, names, now }) {
    const lanes = new Map();
    const lane = (payload) => {
        const key = payload.productId;
        if (!lanes.has(key)) {
            lanes.set(key, {
                product: key, title: names.get(key) ?? key, group: payload.subscriptionGroupIdentifier,
                isSubscription: payload.type === "Auto-Renewable Subscription", items: [], links: [],
            });
        }
        return lanes.get(key);
    };
    const lines = new Map();
    for (const summary of summaries) {
        const { payload } = summary;
        lane(payload);
        if (payload.expiresDate && payload.type === "Auto-Renewable Subscription") {
            const line = lines.get(payload.originalTransactionId) ?? [];
            line.push(summary);
            lines.set(payload.originalTransactionId, line);
        } else {
            lane(payload).items.push(oneTimeItem(summary));
        }
    }
    for (const [original, line] of lines) {
        const subscription = subscriptions.find((each) => each.renewalInfo.originalTransactionId === original);
        periods(line, subscription, events.filter((event) => event.originalTransactionID === original), lane, now);
    }
    return order([...lanes.values()]);
}

function oneTimeItem(summary) {
    const { payload } = summary;
    const isRefunded = payload.revocationDate !== undefined;
    return {
        kind: isRefunded ? "dot refunded" : "dot", from: payload.purchaseDate, to: payload.purchaseDate, summary,
        text: [`${payload.quantity > 1 ? `${payload.quantity} times ` : ""}${payload.productId}`, money(charge(payload), payload.currency),
            `bought ${when(payload.purchaseDate)}`, isRefunded && `refunded ${when(payload.revocationDate)}`].filter(Boolean).join(", "),
    };
}

/** The labels for the ownership of transactions that another account paid. */
const shared = { FAMILY_SHARED: "Family Sharing", ASSIGNED: "Group member" };

/** Adds bars for the periods, grace periods and billing retry periods of a subscription, and marks for its events. */
function periods(line, subscription, events, lane, now) {
    const all = line.toSorted((a, b) => a.payload.purchaseDate - b.payload.purchaseDate);
    // The bar of a period has a mark for each change of the seats, and no bar of added seats.
    const isAddition = ({ payload }, index) => payload.additionalTransactionReason
        && all.slice(0, index).some((each) => each.payload.additionalTransactionReason && each.payload.expiresDate === payload.expiresDate);
    const sorted = all.filter((each, index) => !isAddition(each, index));
    sorted.forEach((summary, index) => {
        const { payload } = summary;
        const next = sorted[index + 1]?.payload;
        const until = payload.isUpgraded && next ? Math.min(next.purchaseDate, payload.expiresDate) : payload.expiresDate;
        const end = payload.revocationDate && !payload.isUpgraded ? Math.max(Math.min(payload.revocationDate, until), payload.purchaseDate) : until;
        const items = lane(payload).items;
        const about = [payload.productId,
            payload.offerType && `${offers[payload.offerType]}${payload.offerDiscountType ? `, ${discounts[payload.offerDiscountType]}` : ""}`,
            money(charge(payload), payload.currency), `${when(payload.purchaseDate)} to ${when(payload.expiresDate)}`,
            payload.multiSeatInfo && `${payload.quantity} seats`, shared[payload.inAppOwnershipType]].filter(Boolean).join(", ");
        const kind = shared[payload.inAppOwnershipType] ? "shared" : payload.offerType ? "offer" : "paid";
        if (end > payload.purchaseDate) items.push({ kind: `bar ${kind}`, from: payload.purchaseDate, to: end, summary, text: about });
        if (payload.revocationDate && !payload.isUpgraded) {
            if (until > end) items.push({ kind: "bar revoked", from: end, to: until, summary, text: `${about}, revoked ${when(payload.revocationDate)}` });
            const isRefund = !shared[payload.inAppOwnershipType];
            items.push({
                kind: isRefund ? "mark refund" : "mark revoked", from: payload.revocationDate, to: payload.revocationDate, summary,
                text: `${isRefund ? "Refunded" : "Revoked"} ${when(payload.revocationDate)}${payload.revocationPercentage ? `, ${payload.revocationPercentage / 1000} %` : ""}: ${payload.productId}`,
            });
        }
        if (payload.isUpgraded && next) {
            items.push({ kind: "mark upgrade", from: next.purchaseDate, to: next.purchaseDate, summary, text: `Upgraded to ${next.productId} ${when(next.purchaseDate)}` });
        }
        if (next && next.productId !== payload.productId) {
            lane(payload).links.push({ at: next.purchaseDate, to: next.productId });
        }
        billingIssueItems(payload, next, subscription, events, now).forEach((item) => items.push({ ...item, summary }));
    });
    const last = sorted.at(-1).payload;
    const info = subscription?.renewalInfo;
    for (const event of events) {
        const type = (event.detail ?? "").split(" ")[0];
        const mark = event.kind === "notification" && notices[type];
        if (!mark) continue;
        // The mark is added to the lane of the product whose period contains the event.
        const period = sorted.findLast((each) => each.payload.purchaseDate <= event.date) ?? sorted[0];
        if (type === "DID_CHANGE_RENEWAL_PREF" && event.detail.endsWith("UPGRADE") && !event.detail.endsWith("DOWNGRADE")) continue;
        lane(period.payload).items.push({
            kind: `mark ${event.detail.endsWith("AUTO_RENEW_ENABLED") ? "on" : mark[0]}`, from: event.date, to: event.date, summary: period,
            text: `${mark[1]}, ${readable(event.detail.split(" ")[1] ?? type)}, ${when(event.date)}`,
        });
    }
    if (info?.autoRenewStatus === 1 && subscription.status === 1 && last.expiresDate > now) {
        const length = last.expiresDate - last.purchaseDate;
        const target = { ...last, productId: info.autoRenewProductId ?? last.productId };
        lane(target).items.push({
            kind: "bar next", from: last.expiresDate, to: last.expiresDate + length, summary: sorted.at(-1),
            text: `Will renew ${when(last.expiresDate)}${info.renewalPrice ? ` for ${money(info.renewalPrice, info.currency)}` : ""}`,
        });
        if (target.productId !== last.productId) lane(last).links.push({ at: last.expiresDate, to: target.productId });
    }
}

/** Returns bars for the grace period and the billing retry period that follow a subscription period, according to its notifications. */
function billingIssueItems(payload, next, subscription, events, now) {
    const end = payload.expiresDate;
    const limit = next ? Math.max(next.purchaseDate, end) : Infinity;
    const notifications = events.filter((event) => event.kind === "notification" && event.date >= end - 1000).sort((a, b) => a.date - b.date || a.id - b.id);
    const failure = notifications.find((event) => named(event, "DID_FAIL_TO_RENEW") && event.date <= limit);
    if (!failure || (next && failure.date > next.purchaseDate)) return [];
    const after = notifications.filter((event) => event.id > failure.id);
    const recovered = after.find((event) => named(event, "DID_RENEW") || named(event, "SUBSCRIBED"))?.date;
    const expired = after.find((event) => named(event, "EXPIRED"))?.date;
    const graceOver = after.find((event) => named(event, "GRACE_PERIOD_EXPIRED"))?.date;
    const stop = Math.min(recovered ?? Infinity, expired ?? Infinity);
    const planned = subscription?.renewalInfo.gracePeriodExpiresDate;
    const result = [];
    let from = end;
    if (failure.detail.includes("GRACE_PERIOD")) {
        const to = Math.min(graceOver ?? Infinity, stop, graceOver || stop < Infinity ? Infinity : planned ?? now);
        if (to > from) result.push({ kind: "bar grace", from, to, text: `Grace period, ${when(from)} to ${when(to)}: access continues` });
        from = Math.max(from, to);
        if (!graceOver) return result;
    }
    const to = Math.min(stop, Math.max(now, from));
    if (to > from) result.push({ kind: "bar retry", from, to, text: `Billing retry, ${when(from)} to ${when(to)}: no access, the store retries the charge` });
    return result;
}

/** Sorts lanes for display: subscriptions by group, then one-time purchases. */
function order(lanes) {
    const first = (lane) => Math.min(...lane.items.map((item) => item.from));
    const groups = new Map();
    for (const lane of lanes.filter((each) => each.isSubscription)) {
        const key = lane.group ?? lane.product;
        groups.set(key, [...(groups.get(key) ?? []), lane]);
    }
    const subscriptions = [...groups.values()].sort((a, b) => Math.min(...a.map(first)) - Math.min(...b.map(first)))
        .flatMap((group) => group.sort((a, b) => first(a) - first(b)));
    const rest = lanes.filter((each) => !each.isSubscription).sort((a, b) => first(a) - first(b));
    return [...subscriptions, ...rest];
}
