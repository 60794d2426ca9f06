// Groups the events that belong together: what has happened, the notifications about it, and their deliveries.

/** The kinds of events about which the store signs notifications. */
const notified = new Set(["purchase", "renewal", "subscription", "refundRequest", "refund", "refundReversal", "revocation"]);

/**
 * Groups events, which are in the order of their numbers, newest first.
 *
 * The store records what has happened, the change of the subscription and the notifications together, so that their numbers follow each
 * other. An event has at most one change of the subscription, because a stopped clock gives later changes the same date.
 *
 * - `deliveries`: the last delivery of each notification, by `notificationUUID`
 * - `parts`: the change of the subscription and the notifications that belong to an event, oldest first, by the number of the event
 * - `isRow(event)`: whether an event has a row of its own
 * - `rowsOf(events)`: the events whose rows show other events
 */
export function happenings(events) {
    const [deliveries, notifications, parts, wholes] = [new Map(), new Map(), new Map(), new Map()];
    let whole, last, hasChange;
    for (const event of events.toReversed()) {
        if (event.kind === "delivery") deliveries.set(event.notificationUUID, event);
        if (event.kind === "notification") notifications.set(event.notificationUUID, event);
        const isPart = whole && event.id === last + 1 && (event.kind === "notification" || (event.kind === "subscription" && !hasChange))
            && event.transactionID === whole.transactionID && event.account === whole.account && event.date === whole.date;
        if (isPart) {
            parts.set(whole.id, [...parts.get(whole.id) ?? [], event]);
            wholes.set(event.id, whole);
        } else {
            whole = notified.has(event.kind) ? event : undefined;
            hasChange = false;
        }
        if (event.kind === "subscription") hasChange = true;
        last = event.id;
    }
    return {
        deliveries, parts,
        isRow: (event) => event.kind === "delivery" ? !notifications.has(event.notificationUUID) : !wholes.has(event.id),
        rowsOf: (others) => new Set(others.map((event) => notifications.get(event.notificationUUID) ?? event)
            .map((event) => wholes.get(event.id)).filter(Boolean)),
    };
}
