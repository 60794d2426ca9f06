// Groups related events: an event, its notifications, and their deliveries.

/** The kinds of events about which the store signs notifications. */
const notified = new Set(["purchase", "renewal", "subscription", "refundRequest", "refund", "refundReversal", "revocation"]);
/** The kinds of events that can change the state of a subscription; the change is a separate event. */
const changing = new Set(["purchase", "renewal", "refund", "refundReversal", "revocation"]);

/** Returns whether an event is a delivery that the server did not accept. */
export const isFailedDelivery = (event) => event.kind === "delivery" && !event.detail?.endsWith(" SUCCESS");

/**
 * Groups events, which are in the order of their numbers, newest first.
 *
 * The store records an event, the change of the subscription, faults and one notification together, so that their numbers are
 * consecutive. The dates do not suffice, because a stopped clock gives later events the same date.
 *
 * - `deliveries`: the last delivery of each notification, by `notificationUUID`
 * - `parts`: the change of the subscription and the notification that belong to an event, by the number of the event
 * - `isRow(event)`: whether an event has a separate row
 * - `rowsOf(events)`: the events whose rows can show these events
 */
export function happenings(events) {
    const [deliveries, notifications, parts, wholes] = [new Map(), new Map(), new Map(), new Map()];
    let whole, last;
    for (const event of events.toReversed()) {
        if (event.kind === "delivery") deliveries.set(event.notificationUUID, event);
        if (event.kind === "notification") notifications.set(event.notificationUUID, event);
        const isNext = whole && event.id === last + 1 && event.date === whole.date;
        const isPart = isNext && event.transactionID === whole.transactionID && event.account === whole.account
            && (event.kind === "notification" || (event.kind === "subscription" && changing.has(whole.kind) && event.id === whole.id + 1));
        if (isPart) {
            parts.set(whole.id, [...parts.get(whole.id) ?? [], event]);
            wholes.set(event.id, whole);
            if (event.kind === "notification") whole = undefined;
        } else if (!isNext || event.kind !== "fault") {
            whole = notified.has(event.kind) ? event : undefined;
        }
        last = event.id;
    }
    return {
        deliveries, parts,
        isRow: (event) => event.kind === "delivery" ? !notifications.has(event.notificationUUID) : !wholes.has(event.id),
        rowsOf: (others) => new Set(others.map((event) => notifications.get(event.notificationUUID) ?? event)
            .flatMap((event) => [event, wholes.get(event.id)]).filter(Boolean)),
    };
}
