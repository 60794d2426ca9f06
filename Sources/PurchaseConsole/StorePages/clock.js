// The section that shows, stops, speeds up and advances the store's clock.

import { h, put, heading, choices } from "./dom.js";
import { get, post } from "./api.js";
import { actionButton, run, announce, field, notice, values } from "./dialogs.js";
import { count, day, clockTime, grouped, when, span } from "./format.js";
import { isFailedDelivery } from "./happenings.js";
import * as stream from "./stream.js";

export const title = "Clock";

const rates = [
    [0, "Calendar time"], [1, "1 hour is 1 day (clock ×24)"], [2, "30 minutes are 1 day (clock ×48)"],
    [3, "5 minutes are 1 day (clock ×288)"], [4, "1 minute is 1 day (clock ×1,440)"], [5, "30 seconds are 1 day (clock ×2,880)"],
    [6, "1 second is 1 day (clock ×86,400)"], [10, "Monthly renewal every hour"], [11, "Monthly renewal every 30 minutes"],
    [12, "Monthly renewal every 15 minutes"], [13, "Monthly renewal every 5 minutes"], [15, "Monthly renewal every 30 seconds"],
    [1000, "Renewal every 15 minutes"], [1001, "Renewal every 5 minutes"], [1002, "Renewal every minute"],
    [1003, "Renewal every 30 seconds"], [1004, "Renewal every 10 seconds"], [1005, "Renewal every 2 seconds"],
];
const speeds = [[0, "Stop"], [1, "Real time"], [60, "×60"], [1440, "×1,440"], [86_400, "×86,400"]];

export function rateName(factor) {
    if (factor === 0) return "stopped";
    return factor === 1 ? "real time" : `×${grouped(Number(factor.toFixed(2))).replaceAll(",", "\u202f")}`;
}

function changed(reply) {
    stream.setClock(reply);
    document.dispatchEvent(new CustomEvent("store-changed"));
    announce(`Store time: ${when(reply.now)}`);
}

/** The maximum number of events in a reply, and of counted events in the summary of a jump. */
const page = 1_000;

/** Returns the numbers of the store's events in words: “3 renewals, 1 billing issue, 4 notifications, 1 refused”. */
function summary(events) {
    const of = (kind, ...types) => events.filter((event) => event.kind === kind && (types.length === 0 || types.includes(event.detail?.split(" ")[0]))).length;
    const refused = events.filter(isFailedDelivery).length;
    const parts = [
        [of("renewal"), "renewal"], [of("notification", "DID_FAIL_TO_RENEW"), "billing issue"], [of("notification", "EXPIRED", "GRACE_PERIOD_EXPIRED"), "expiration"],
        [of("refund"), "refund"], [of("notification"), "notification"],
    ].filter(([number]) => number > 0).map(([number, name]) => count(number, name));
    if (refused > 0) parts.push(`${refused} refused`);
    if (events.length >= page) parts.push("and more");
    return parts.join(", ") || "nothing was due";
}

/** Advances the clock with a request, and shows a summary of the events since the earlier time. */
async function travel(request) {
    const before = (await get`events?before=${Number.MAX_SAFE_INTEGER}&limit=1`).events.at(-1)?.id ?? 0;
    const reply = await request();
    changed(reply);
    const { events } = await get`events?after=${before}&limit=${page}`;
    notice(`${when(reply.now)}: ${summary(events)}.`, "good");
}

/** Advances the store's clock. The store processes all events that become due before it responds. */
export const advance = (seconds) => travel(() => post`clock/advance`({ seconds }));

/** Advances the store's clock by calendar months, in which subscriptions renew. */
export const advanceMonths = (months) => jumpTo(later(months));

/** Returns the store's time plus a number of calendar months, in milliseconds since 1970. */
function later(months) {
    const date = new Date(stream.now());
    const target = new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + months, 1, date.getUTCHours(), date.getUTCMinutes(),
        date.getUTCSeconds()));
    const last = new Date(Date.UTC(target.getUTCFullYear(), target.getUTCMonth() + 1, 0)).getUTCDate();
    target.setUTCDate(Math.min(date.getUTCDate(), last));
    return target.getTime();
}

const jumpTo = (now) => travel(() => post`clock`({ now: Math.round(now) }));

/** Advances the store's clock to the next renewal or the next end of a grace period, of one account or of all. */
async function advanceToChange(kind, account) {
    const date = (await (account ? get`clock/schedule?account=${account}` : get`clock/schedule`))[kind];
    if (date !== undefined) return jumpTo(date);
    const owner = account ? ` of ${account}` : "";
    return notice(kind === "renewal" ? `No active subscription${owner} renews automatically. The clock is unchanged.`
        : `No subscription${owner} is in a grace period. The clock is unchanged.`);
}

/** Creates the buttons that advance the clock to the next scheduled changes of subscriptions. */
export const scheduledJumps = (account) => [
    actionButton(account ? "Advance to the next renewal" : "To the next renewal", () => advanceToChange("renewal", account)),
    actionButton(account ? "Advance to the end of the grace period" : "To the end of the grace period", () => advanceToChange("gracePeriodEnd", account))];

export async function show(view) {
    const face = h("p", { class: "dial", "aria-label": "Time in the store" });
    const speed = choices("Time rate");
    const beside = h("p", { class: "note" });
    view.tick = (now) => {
        put(face, h("span", { class: "date" }, day(now)), h("span", {}, clockTime(now)), h("span", { class: "zone" }, "UTC"));
        const apart = now - Date.now();
        beside.textContent = Math.abs(apart) < 90_000 ? "Same as this machine’s clock." : `${span(apart)} ${apart > 0 ? "ahead of" : "behind"} this machine’s clock.`;
    };
    const drawRate = () => put(speed, speeds.map(([factor, label]) =>
        actionButton(label, async () => changed(await post`clock`({ factor })), { "aria-pressed": String(stream.clock().factor === factor) })));

    const dateFields = [{ name: "date", label: "Date and time, UTC", type: "datetime-local", step: 1, required: true, value: new Date(later(1)).toISOString().slice(0, 19) }];
    const dateForm = h("form", {
        class: "line", onsubmit: (event) => {
            event.preventDefault();
            run(async () => jumpTo(Date.parse(`${(await values(dateForm, dateFields)).date}Z`)), event.submitter);
        },
    }, dateFields.map(field), h("button", { type: "submit" }, "Advance to date"));

    const factorFields = [{ name: "factor", label: "Speed factor", type: "number", min: 0, step: "any", required: true, value: stream.clock().factor }];
    const factorForm = h("form", {
        class: "line", onsubmit: (event) => {
            event.preventDefault();
            run(async () => changed(await post`clock`(await values(factorForm, factorFields))), event.submitter);
        },
    }, factorFields.map(field), h("button", { type: "submit" }, "Set"));

    const rate = field({ name: "rate", label: "Renewal rate of new subscriptions", options: rates, value: stream.clock().timeRate });
    rate.querySelector("select").addEventListener("change", (event) =>
        run(async () => changed(await post`clock`({ timeRate: Number(event.target.value) })), event.target));

    const jumps = [["1 hour", 3600], ["1 day", 86_400], ["3 days", 3 * 86_400], ["1 week", 7 * 86_400]];
    put(view.place,
        heading("Clock", "The store’s clock determines renewals, billing retries, expirations, certificate validity and notification retries."),
        h("section", { class: "card center" }, face, beside, speed),
        h("div", { class: "grid" },
            h("section", { class: "card" }, h("h2", {}, "Advance"),
                h("p", { class: "note" }, "The store processes all due events in order before it responds. The clock cannot go back."),
                h("div", { class: "choices" },
                    jumps.map(([label, seconds]) => actionButton(`+ ${label}`, () => advance(seconds))),
                    [[1, "1 month"], [6, "6 months"], [12, "1 year"]].map(([months, label]) => actionButton(`+ ${label}`, () => advanceMonths(months)))),
                choices("Scheduled changes of all subscriptions", scheduledJumps()),
                dateForm),
            h("section", { class: "card" }, h("h2", {}, "Time rate"),
                h("p", { class: "note" }, "The speed of the store’s clock relative to this machine’s clock. A factor below 1 is slower."), factorForm,
                rate)));
    view.tick(stream.now());
    drawRate();
    view.isInterested = (newEvents) => newEvents.some((event) => event.kind === "clock");
    view.refresh = drawRate;
    const listener = () => { drawRate(); view.tick(stream.now()); };
    document.addEventListener("store-changed", listener);
    view.leave = () => document.removeEventListener("store-changed", listener);
}
