// Formats dates, amounts and the store's terms for display.

import { h } from "./dom.js";

const two = (number) => String(number).padStart(2, "0");

/** Returns the date of a time in milliseconds since 1970, in UTC, such as `2026-11-21`. */
export function day(milliseconds) {
    const date = new Date(milliseconds);
    return `${date.getUTCFullYear()}-${two(date.getUTCMonth() + 1)}-${two(date.getUTCDate())}`;
}

export function clockTime(milliseconds) {
    const date = new Date(milliseconds);
    return `${two(date.getUTCHours())}:${two(date.getUTCMinutes())}:${two(date.getUTCSeconds())}`;
}

export function when(milliseconds) {
    return `${day(milliseconds)} ${clockTime(milliseconds)}`;
}

export function time(milliseconds) {
    if (milliseconds === undefined || milliseconds === null) return "";
    return dated(milliseconds, [h("span", { class: "date" }, day(milliseconds)), " ", clockTime(milliseconds)]);
}

/** Creates an element for a time whose text shows only a part of the time, or additional text. */
export function dated(milliseconds, text) {
    return h("time", { datetime: new Date(milliseconds).toISOString() }, text);
}

export function money(milliunits, currency) {
    if (milliunits === undefined || milliunits === null) return "";
    try {
        return new Intl.NumberFormat("en", { style: "currency", currency }).format(milliunits / 1000);
    } catch {
        return `${milliunits / 1000} ${currency ?? ""}`.trim();
    }
}

/** Returns the number of decimals of amounts in a currency: 2 for USD, 0 for JPY. */
export function decimals(currency) {
    try {
        return new Intl.NumberFormat("en", { style: "currency", currency }).resolvedOptions().maximumFractionDigits;
    } catch {
        return 2;
    }
}

/** Returns the reason why a text is not an amount in a currency, as a sentence; an empty text for a valid amount. */
export function amountProblem(text, currency, name = "price") {
    const digits = decimals(currency);
    const example = digits === 0 ? "490" : `4.${"9".repeat(digits)}`;
    const parts = /^\d{1,12}(?:\.(\d+))?$/.exec(text ?? "");
    if (!parts) return `Enter the ${name} as a number such as ${example}, with a point before decimals.`;
    if ((parts[1]?.length ?? 0) <= digits) return "";
    return digits === 0 ? `Enter the ${name} without decimals: ${currency} has none.` : `Enter the ${name} with at most ${digits} decimals.`;
}

/** Returns an ISO 8601 period in words: “month” for `P1M`, “3 months” for `P3M`. */
export function period(text) {
    const parts = /^P(\d+)([DWMY])$/.exec(text ?? "");
    if (!parts) return text ?? "";
    const unit = { D: "day", W: "week", M: "month", Y: "year" }[parts[2]];
    return parts[1] === "1" ? unit : `${parts[1]} ${unit}s`;
}

/** Returns a duration in the largest suitable unit, such as “3 days”. */
export function span(milliseconds) {
    const seconds = Math.round(Math.abs(milliseconds) / 1000);
    for (const [unit, size] of [["year", 31_557_600], ["month", 2_629_800], ["day", 86_400], ["hour", 3_600], ["minute", 60]]) {
        const number = Math.round(seconds / size);
        if (seconds >= size * (unit === "day" || unit === "month" ? 2 : 1) && number > 0) return count(number, unit);
    }
    return count(seconds, "second");
}

export function count(number, one, many = `${one}s`) {
    return `${number} ${number === 1 ? one : many}`;
}

/** Returns a number with a comma between thousands. */
export function grouped(number) {
    return number.toLocaleString("en");
}

/** Returns the type and the subtype of a notification as a name. */
export function notificationName({ type, subtype }) {
    return [type, subtype].filter(Boolean).join(", ");
}

/** Returns a name in words: “did fail to renew” for `DID_FAIL_TO_RENEW`. */
export function readable(name) {
    return (name ?? "").toLowerCase().replaceAll("_", " ");
}

/** Returns a product identifier without its first three parts, or only its last part for an identifier of at most three parts. */
export function short(product) {
    const parts = (product ?? "").split(".");
    return parts.length > 3 ? parts.slice(3).join(".") : parts.at(-1);
}

export const statuses = {
    1: ["Active", "good"], 2: ["Expired", "calm"], 3: ["Billing retry", "bad"], 4: ["Grace period", "warm"], 5: ["Revoked", "bad"],
};

export const offers = { 1: "Introductory offer", 2: "Promotional offer", 3: "Offer code", 4: "Win-back offer" };

export const discounts = {
    FREE_TRIAL: "free trial", PAY_AS_YOU_GO: "pay as you go", PAY_UP_FRONT: "pay up front", ONE_TIME: "one time",
};

/** Returns the price of all seats of price tiers. */
export const tierTotal = (tiers) => (tiers ?? []).reduce((sum, tier) => sum + tier.price * tier.quantity, 0);

/** Returns the charge of a transaction: for seats, the sum of the tiers, because the price is the average of one seat. */
export function charge(payload) {
    if (!payload.multiSeatInfo) return payload.price;
    if (payload.inAppOwnershipType === "ASSIGNED") return 0;
    const tiers = payload.multiSeatInfo.priceTiers;
    return tiers?.length > 0 ? tierTotal(tiers) : payload.price * payload.quantity;
}

/** The labels for the kinds of transactions. */
export const origins = { purchase: "purchase", renewal: "renewal", restore: "restore", familyShared: "Family Sharing", assigned: "group seat" };

/** The labels for the results of attempts to deliver a notification. */
const results = {
    SUCCESS: "received", TIMED_OUT: "timed out", TLS_ISSUE: "TLS error", CIRCULAR_REDIRECT: "circular redirect",
    NO_RESPONSE: "no response", SOCKET_ISSUE: "connection failed", UNSUPPORTED_CHARSET: "unsupported charset",
    INVALID_RESPONSE: "invalid response", PREMATURE_CLOSE: "connection closed", UNSUCCESSFUL_HTTP_RESPONSE_CODE: "HTTP error status",
    OTHER: "other error",
};

/** Returns the label for the result of an attempt to deliver a notification. */
export function resultName(result) {
    return results[result] ?? readable(result);
}

/** The kinds of events, each with its title, its color, and the filter that shows it. */
export const kinds = {
    purchase: ["Bought", "good", "Purchases"], renewal: ["Renewed", "good", "Purchases"], restore: ["Restored", "calm", "Purchases"],
    finish: ["Finished", "calm", "Purchases"], deferred: ["Ask to Buy", "warm", "Purchases"],
    decision: ["Ask to Buy decision", "warm", "Purchases"], interruption: ["Interrupted", "warm", "Purchases"],
    refusal: ["Refused", "bad", "Purchases"], promotion: ["Promoted", "calm", "Purchases"],
    subscription: ["Subscription", "cool", "Subscriptions"],
    refundRequest: ["Refund requested", "warm", "Refunds"], refund: ["Refunded", "bad", "Refunds"],
    refundReversal: ["Refund reversed", "good", "Refunds"], revocation: ["Revoked", "bad", "Refunds"],
    server: ["Server API", "cool", "Notifications"], notification: ["Notification", "cool", "Notifications"],
    delivery: ["Delivery", "calm", "Notifications"],
    account: ["Account", "calm", "Accounts"], clock: ["Clock", "calm", "Store"], fault: ["Fault", "bad", "Store"],
};
export const filters = ["Purchases", "Subscriptions", "Refunds", "Notifications", "Accounts", "Store"];
