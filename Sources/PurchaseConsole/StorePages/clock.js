// The store's time: stopped, at some speed, or moved.

import { h, put, heading } from "./dom.js";
import { post } from "./api.js";
import { act, attempt, say, field, values } from "./dialogs.js";
import { day, clockTime, when, span } from "./words.js";
import * as watching from "./watch.js";

export const title = "Clock";

const rates = [
    [0, "By the calendar"], [1, "An hour is a day (clock ×24)"], [2, "30 minutes are a day (clock ×48)"],
    [3, "5 minutes are a day (clock ×288)"], [4, "A minute is a day (clock ×1440)"], [5, "30 seconds are a day (clock ×2880)"],
    [6, "A second is a day (clock ×86400)"], [10, "A month takes an hour"], [11, "A month takes 30 minutes"],
    [12, "A month takes 15 minutes"], [13, "A month takes 5 minutes"], [15, "A month takes 30 seconds"],
    [1000, "Every period takes 15 minutes"], [1001, "Every period takes 5 minutes"], [1002, "Every period takes a minute"],
    [1003, "Every period takes 30 seconds"], [1004, "Every period takes 10 seconds"], [1005, "Every period takes 2 seconds"],
];
const speeds = [[0, "Stop"], [1, "Real time"], [60, "×60"], [1440, "×1440"], [86_400, "×86 400"]];

export function speedName(factor) {
    if (factor === 0) return "stopped";
    return factor === 1 ? "real time" : `×${Number(factor.toFixed(2)).toLocaleString("en").replaceAll(",", "\u202f")}`;
}

function changed(reply) {
    watching.setClock(reply);
    document.dispatchEvent(new CustomEvent("store-changed"));
    say(`It is ${when(reply.now)} in the store.`);
}

/** Moves the store's time on; everything that falls due on the way happens first. */
export async function advance(seconds) {
    changed(await post`clock/advance`({ seconds }));
}

/** Jumps by whole months of the calendar. */
function later(months) {
    const date = new Date(watching.now());
    const target = new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + months, 1, date.getUTCHours(), date.getUTCMinutes(),
        date.getUTCSeconds()));
    const last = new Date(Date.UTC(target.getUTCFullYear(), target.getUTCMonth() + 1, 0)).getUTCDate();
    target.setUTCDate(Math.min(date.getUTCDate(), last));
    return target.getTime();
}

const jumpTo = async (now) => changed(await post`clock`({ now: Math.round(now) }));

export async function show(view) {
    const face = h("p", { class: "dial", "aria-label": "Time in the store" });
    const speed = h("div", { class: "choices", role: "group", "aria-label": "Speed" });
    const beside = h("p", { class: "note" });
    view.tick = (now) => {
        put(face, h("span", { class: "date" }, day(now)), h("span", {}, clockTime(now)), h("span", { class: "zone" }, "UTC"));
        const apart = now - Date.now();
        beside.textContent = Math.abs(apart) < 90_000 ? "As on this machine." : `${span(apart)} ${apart > 0 ? "ahead of" : "behind"} this machine.`;
    };
    const drawSpeed = () => put(speed, speeds.map(([factor, label]) =>
        act(label, async () => changed(await post`clock`({ factor })), { "aria-pressed": String(watching.clock().factor === factor) })));

    const dateFields = [{ name: "date", label: "Date and time, UTC", type: "datetime-local", step: 1, required: true, value: new Date(later(1)).toISOString().slice(0, 19) }];
    const dateForm = h("form", {
        class: "line", onsubmit: (event) => {
            event.preventDefault();
            attempt(async () => jumpTo(Date.parse(`${(await values(dateForm, dateFields)).date}Z`)), event.submitter);
        },
    }, dateFields.map(field), h("button", { type: "submit" }, "Jump"));

    const factorFields = [{ name: "factor", label: "Times as fast", type: "number", min: 0, step: "any", required: true, value: watching.clock().factor }];
    const factorForm = h("form", {
        class: "line", onsubmit: (event) => {
            event.preventDefault();
            attempt(async () => changed(await post`clock`(await values(factorForm, factorFields))), event.submitter);
        },
    }, factorFields.map(field), h("button", { type: "submit" }, "Set"));

    const rate = field({ name: "rate", label: "Length of the periods of new subscriptions", options: rates, value: watching.clock().timeRate });
    rate.querySelector("select").addEventListener("change", (event) =>
        attempt(async () => changed(await post`clock`({ timeRate: Number(event.target.value) })), event.target));

    const jumps = [["1 hour", 3600], ["1 day", 86_400], ["3 days", 3 * 86_400], ["1 week", 7 * 86_400]];
    put(view.place,
        heading("Clock", "Everything dated follows it: renewals, retries, expiry, certificates, attempts to notify."),
        h("section", { class: "card center" }, face, beside, speed),
        h("div", { class: "grid" },
            h("section", { class: "card" }, h("h2", {}, "Move on"),
                h("p", { class: "note" }, "What falls due on the way happens in order, before the store answers. Time only goes forward."),
                h("div", { class: "choices" },
                    jumps.map(([label, seconds]) => act(`+ ${label}`, () => advance(seconds))),
                    [[1, "1 month"], [6, "6 months"], [12, "1 year"]].map(([months, label]) => act(`+ ${label}`, () => jumpTo(later(months))))),
                dateForm),
            h("section", { class: "card" }, h("h2", {}, "Speed"),
                h("p", { class: "note" }, "How much faster than this machine’s clock it goes, with fractions for slower."), factorForm,
                rate)));
    view.tick(watching.now());
    drawSpeed();
    view.isInterested = (news) => news.some((event) => event.kind === "clock");
    view.refresh = drawSpeed;
    const listener = () => { drawSpeed(); view.tick(watching.now()); };
    document.addEventListener("store-changed", listener);
    view.leave = () => document.removeEventListener("store-changed", listener);
}
