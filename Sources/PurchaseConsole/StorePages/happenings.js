// Groups the events that belong together: what has happened, the notifications about it, and their deliveries.

/** The kinds of events about which the store signs notifications. */
const notified = new Set(["purchase", "renewal", "subscription", "refundRequest", "refund", "refundReversal", "revocation"]);

/** The store records an event and the notifications about it together, so that their numbers are close. */
const distance = 4;

/**
 * Groups events, which are in the order of their numbers, newest first.
 *
 * - `deliveries`: the last delivery of each notification, by `notificationUUID`
 * - `about`: the notifications about an event, oldest first, by the number of the event
 * - `isRow(event)`: whether an event has a row of its own
 * - `rowsOf(events)`: the events whose rows show other events
 */
export function happenings(events) {
    const [deliveries, notifications, about, causes] = [new Map(), new Map(), new Map(), new Map()];
    let waiting = [];
    for (const event of events) {
        if (event.kind === "delivery" && !deliveries.has(event.notificationUUID)) deliveries.set(event.notificationUUID, event);
        if (event.kind === "notification") {
            notifications.set(event.notificationUUID, event);
            waiting.push(event);
        }
        if (!notified.has(event.kind) || waiting.length === 0) continue;
        waiting = waiting.filter((each) => each.id - event.id <= distance);
        const own = waiting.filter((each) => each.transactionID === event.transactionID && each.account === event.account && each.date === event.date);
        if (own.length === 0) continue;
        about.set(event.id, own.toReversed());
        for (const each of own) causes.set(each.id, event);
        waiting = waiting.filter((each) => !own.includes(each));
    }
    return {
        deliveries, about,
        isRow: (event) => event.kind === "delivery" ? !notifications.has(event.notificationUUID) : !causes.has(event.id),
        rowsOf: (others) => new Set(others.map((event) => notifications.get(event.notificationUUID)).filter(Boolean).map((event) => causes.get(event.id) ?? event)),
    };
}
