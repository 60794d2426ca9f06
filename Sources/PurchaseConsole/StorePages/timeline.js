// Draws an account's timeline: a lane for each product, a time axis, and a line at the store's time.

import { h, s, put, button } from "./dom.js";
import { clockTime, day, when, count } from "./format.js";
import { transcript } from "./transcript.js";

const minute = 60_000, hour = 60 * minute, dayLength = 24 * hour;
const zooms = [["Everything", undefined], ["Year", 366 * dayLength], ["Quarter", 92 * dayLength], ["Month", 31 * dayLength], ["Day", dayLength]];
const months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];

/** The possible distances between two ticks of the axis: fixed durations, and calendar months and years. */
const steps = [
    ...[1, 5, 15, 30].map((n) => ({ length: n * minute })), ...[1, 3, 6, 12].map((n) => ({ length: n * hour })),
    ...[1, 2, 7].map((n) => ({ length: n * dayLength })), ...[1, 2, 3, 6, 12, 24, 60, 120].map((n) => ({ length: n * 30.44 * dayLength, months: n })),
];

/** Returns the ticks of an axis of `width` pixels, at most one for each `room` pixels. */
function ticks(from, to, width, room = 84) {
    const most = Math.max(2, Math.floor(width / room));
    const step = steps.find((each) => (to - from) / each.length <= most) ?? steps.at(-1);
    const result = [];
    if (step.months) {
        const start = new Date(from);
        let month = Math.floor((start.getUTCFullYear() * 12 + start.getUTCMonth()) / step.months) * step.months;
        for (; result.length < 200; month += step.months) {
            const at = Date.UTC(Math.floor(month / 12), month % 12, 1);
            if (at > to) break;
            if (at >= from) {
                const isYear = month % 12 === 0;
                result.push({ at, label: isYear ? String(Math.floor(month / 12)) : months[month % 12], strong: isYear });
            }
        }
        return result;
    }
    for (let at = Math.ceil(from / step.length) * step.length; at <= to && result.length < 200; at += step.length) {
        const date = new Date(at);
        const isDay = at % dayLength === 0;
        result.push({ at, label: isDay ? `${date.getUTCDate()} ${months[date.getUTCMonth()]}` : clockTime(at).slice(0, 5), strong: isDay && step.length < dayLength });
    }
    return result;
}

const definitions = () => s("defs", {},
    ["left", "right"].map((side) => s("linearGradient", { id: `fade-${side}`, ...(side === "left" && { x1: 1, x2: 0 }) },
        s("stop", { class: "fade clear", offset: 0 }), s("stop", { class: "fade", offset: 1 }))),
    [["offer", 6], ["grace", 6], ["retry", 4]].map(([name, size]) =>
    s("pattern", { id: `hatch-${name}`, width: size, height: size, patternUnits: "userSpaceOnUse", patternTransform: "rotate(45)" },
        s("rect", { class: `ground ${name}`, width: size, height: size }), s("rect", { class: `hatch ${name}`, width: size / 2, height: size }))));

const hatch = (look) => ["offer", "grace", "retry"].includes(look) ? `url(#hatch-${look})` : undefined;

/** The shapes of the marks, centered at the origin. */
const shapes = {
    refund: () => [s("circle", { r: 6.5 }), s("path", { d: "M-3 0h6" })],
    revoked: () => [s("circle", { r: 6.5 }), s("path", { d: "M-2.5 -2.5l5 5M2.5 -2.5l-5 5" })],
    reversal: () => [s("circle", { r: 6.5 }), s("path", { d: "M-3 0h6M0 -3v6" })],
    upgrade: () => [s("circle", { r: 6.5 }), s("path", { d: "M0 3v-6M-2.6 -0.6l2.6 -2.6l2.6 2.6" })],
    change: () => [s("circle", { r: 6.5 }), s("path", { d: "M0 -3v6M-2.6 0.6l2.6 2.6l2.6 -2.6" })],
    off: () => [s("rect", { x: -4.5, y: -4.5, width: 9, height: 9, rx: 1.5 })],
    on: () => [s("path", { class: "solid", d: "M-4 -5l9 5l-9 5z" })],
    price: () => [s("path", { class: "solid", d: "M0 -6l6 10h-12z" })],
    extend: () => [s("circle", { r: 6.5 }), s("path", { d: "M-3 0h6M1 -2.4l2.4 2.4l-2.4 2.4" })],
    request: () => [s("circle", { r: 6.5 }), s("path", { d: "M0 -3.2v3.4M0 2.6v0.6" })],
};

const legend = [["bar paid", "Paid"], ["bar offer", "Offer"], ["bar grace", "Grace period"], ["bar retry", "Billing retry"],
    ["bar shared", "Shared"], ["bar revoked", "Revoked"], ["bar next", "Next renewal"], ["dot", "One-time purchase"], ["mark refund", "Refund"],
    ["mark upgrade", "Upgrade"], ["mark change", "Change of plan"], ["mark off", "Auto-renew disabled"], ["mark on", "Auto-renew enabled"], ["mark request", "Refund requested"],
    ["mark reversal", "Refund reversed"], ["mark revoked", "Revoked"], ["mark price", "Price increase"], ["mark extend", "Renewal date extended"]];

function drawLegend(lanes) {
    const present = new Set(lanes.flatMap((lane) => lane.items.map((item) => item.kind.replace("dot refunded", "dot"))));
    return h("ul", { class: "legend" }, legend.filter(([kind]) => present.has(kind)).map(([kind, name]) => {
        const [shape, look] = kind.split(" ");
        const sample = shape === "bar" ? s("rect", { class: kind, x: 1, y: 4, width: 22, height: 10, rx: 3, fill: hatch(look) })
            : shape === "dot" ? s("circle", { class: "dot", cx: 12, cy: 9, r: 5 }) : s("g", { class: kind, transform: "translate(12 9)" }, shapes[look]());
        return h("li", {}, s("svg", { width: 24, height: 18, "aria-hidden": "true" }, sample), name);
    }));
}

/** Returns the last two parts of a lane's product identifier, and the number of periods if there are more than 12. */
function subtitle(lane) {
    const periods = lane.items.filter((item) => /^bar (paid|offer|shared)$/.test(item.kind)).length;
    const id = lane.product.split(".").slice(-2).join(".");
    return periods > 12 ? `${id} · ${count(periods, "period")}` : id;
}

/** Creates a timeline that calls `open(summary)` to show the transaction of a bar or a mark. */
export function timeline(open) {
    const frame = h("div", { class: "timeline-frame" });
    const statusLine = h("p", { class: "timeline-status", role: "status", "aria-live": "polite" });
    const legendPlace = h("div", {});
    const words = h("div", {});
    const tools = h("div", { class: "choices" });
    const element = h("section", { class: "timeline card", "aria-label": "Timeline" }, h("div", { class: "timeline-tools" }, tools, statusLine), frame, legendPlace, words);
    let lanes = [], now = 0, zoom = 0, shift = 0, focused, hand, ahead, scale;
    const hint = matchMedia("(hover: none)").matches ? "Tap a bar or a mark to open its transaction."
        : "Point at a bar, or move with the arrow keys. Enter opens the transaction.";

    const whole = () => {
        const items = lanes.flatMap((lane) => lane.items);
        const from = Math.min(...items.map((item) => item.from));
        // Limit the share of the future in the width, so that a new yearly period does not compress the history. With almost no history,
        // the axis shows the whole current period.
        const known = Math.max(now, ...items.filter((item) => item.kind !== "bar next").map((item) => item.to));
        const ahead = now - from < 0.1 * (known - now) ? (known - now) * 1.1 : Math.max((now - from) * 0.35, 40 * dayLength);
        const to = Math.max(now, Math.min(Math.max(...items.map((item) => item.to)), now + ahead));
        const margin = Math.max((to - from) * 0.02, minute);
        return [from - margin, to + margin];
    };
    const range = () => {
        const [from, to] = whole();
        const length = zooms[zoom][1];
        if (!length || length >= to - from) return [from, to];
        const end = Math.min(to, now + length * 0.25) - shift * length / 2;
        return [end - length, end];
    };

    function drawTools() {
        const [from, to] = whole();
        put(tools, zooms.filter(([, length]) => !length || length < to - from).map(([name]) => {
            const index = zooms.findIndex((each) => each[0] === name);
            return button(name, () => { zoom = index; shift = 0; draw(); }, { "aria-pressed": String(zoom === index) });
        }), zooms[zoom][1] && [
            button("Earlier", () => { shift += 1; draw(); }, { disabled: range()[0] <= from }),
            button("Later", () => { shift -= 1; draw(); }, { disabled: shift === 0 }),
        ]);
    }

    function draw() {
        if (lanes.length === 0) return;
        const width = Math.max(280, frame.clientWidth || 800);
        const isNarrow = width < 620;
        const longest = Math.max(...lanes.map((lane) => lane.title.length * 7.8), ...lanes.map((lane) => subtitle(lane).length * 6.4));
        const left = isNarrow ? 4 : Math.min(220, width * 0.24, longest + 24);
        const right = 12, top = 34, laneHeight = isNarrow ? 60 : 48, bottom = 28;
        const height = top + lanes.length * laneHeight + bottom;
        const [from, to] = range();
        scale = (at) => left + (at - from) / (to - from) * (width - left - right);
        const middle = (index) => top + index * laneHeight + (isNarrow ? 38 : laneHeight / 2 + 3);
        const svg = s("svg", { class: "timeline-svg", width, height, viewBox: `0 0 ${width} ${height}`, role: "group", "aria-label": `Timeline from ${day(from)} to ${day(to)}; a text version follows` });
        svg.append(definitions(), s("clipPath", { id: "timeline-clip" }, s("rect", { x: left - 1, y: 0, width: width - left - right + 2, height })));
        const inside = s("g", { "clip-path": "url(#timeline-clip)" }), labels = s("g", {});

        ahead = s("rect", { class: "ahead", y: top - 6, height: height - bottom - top + 6 });
        inside.append(ahead);
        for (const tick of ticks(from, to, width - left - right, 16)) {
            inside.append(s("line", { class: "notch", x1: scale(tick.at), x2: scale(tick.at), y1: height - bottom, y2: height - bottom + 3 }));
        }
        svg.append(s("line", { class: "axis", x1: left, x2: width - right, y1: height - bottom, y2: height - bottom }));
        for (const tick of ticks(from, to, width - left - right, isNarrow ? 54 : 84)) {
            inside.append(s("line", { class: tick.strong ? "tick-line strong" : "tick-line", x1: scale(tick.at), x2: scale(tick.at), y1: top - 6, y2: height - bottom }));
            const x = scale(tick.at);
            if (x > left + 12 && x < width - right - 12) {
                svg.append(s("text", { class: tick.strong ? "tick strong" : "tick", x, y: height - 8, "text-anchor": "middle" }, tick.label));
            }
        }
        const targets = lanes.map((lane, index) => drawLane(lane, index, { labels, inside, left, width, right, isNarrow, middle, from, to }));
        lanes.forEach((lane, index) => lane.links.forEach((link) => {
            const other = lanes.findIndex((each) => each.product === link.to);
            if (other < 0) return;
            const x = scale(link.at), y1 = middle(index), y2 = middle(other);
            inside.prepend(s("path", { class: "link", d: `M${x} ${y1}V${y2}` }));
        }));
        hand = s("g", { class: "hand", "aria-hidden": "true" }, s("line", { y1: 17, y2: height - bottom }),
            s("rect", { x: -17, y: 1, width: 34, height: 16, rx: 8 }), s("text", { y: 13, "text-anchor": "middle" }, "now"),
            s("circle", { cy: height - bottom, r: 3 }));
        svg.append(inside, fades(from, to, left, width - right, top - 7, height - bottom - 1), labels, hand);
        placeHand();
        makeNavigable(targets);
        frame.replaceChildren(svg);
        if (focused) targets.flat().find((each) => each.dataset.key === focused)?.focus({ preventScroll: true });
        drawTools();
    }

    function drawLane(lane, index, { labels, inside, left, width, right, isNarrow, middle, from, to }) {
        const y = middle(index);
        const room = isNarrow ? width : left - 16;
        const cut = (text, letter) => text.length * letter > room ? `${text.slice(0, Math.floor(room / letter) - 1)}…` : text;
        if (isNarrow) labels.append(s("text", { class: "lane", x: left, y: y - 19 }, cut(lane.title, 7.4), s("title", {}, lane.product)));
        else {
            labels.append(s("text", { class: "lane", x: 0, y: y - 2 }, cut(lane.title, 7.4), s("title", {}, lane.product)),
                s("text", { class: "lane-id", x: 0, y: y + 13 }, cut(subtitle(lane), 6.2)));
        }
        inside.append(s("line", { class: "track", x1: left, x2: width - right, y1: y, y2: y }));
        const drawing = { bar: 0, dot: 1, mark: 2 };
        const shown = lane.items.filter((item) => item.to >= from && item.from <= to)
            .toSorted((a, b) => drawing[a.kind.split(" ")[0]] - drawing[b.kind.split(" ")[0]] || a.from - b.from);
        const used = [];
        return shown.map((item) => {
            const group = drawItem(item, y, used);
            group.dataset.key = `${lane.product} ${item.kind} ${item.from}`;
            group.dataset.at = String(item.from);
            inside.append(group);
            return group;
        }).toSorted((a, b) => Number(a.dataset.at) - Number(b.dataset.at));
    }

    function drawItem(item, y, used) {
        const [shape, look] = item.kind.split(" ");
        const x = scale(item.from);
        const group = s("g", {
            class: `item ${shape}-item`, tabindex: "-1", role: "button", "aria-label": item.text,
            onfocus: () => { focused = group.dataset.key; statusLine.textContent = item.text; },
            onblur: () => { focused = undefined; statusLine.textContent = hint; },
            onmouseenter: () => { statusLine.textContent = item.text; }, onmouseleave: () => { statusLine.textContent = hint; },
            onclick: () => open(item.summary),
        });
        if (shape === "bar") {
            const width = Math.max(scale(item.to) - x, 1.5);
            const gap = width > 4 ? 1 : 0;
            group.append(s("rect", {
                class: `${item.kind} shape`, x: x + gap / 2, y: y - 9, width: width - gap, height: 18, rx: Math.min(4, width / 3), fill: hatch(look),
            }));
        } else if (shape === "dot") {
            group.append(s("circle", { class: `${item.kind} shape`, cx: x, cy: y, r: 6 }));
            if (look === "refunded") group.append(s("path", { class: "minus", d: `M${x - 3} ${y}h6` }));
        } else {
            // Overlapping marks are drawn side by side.
            let place = x;
            while (used.some((each) => Math.abs(each - place) < 13)) place += 13;
            used.push(place);
            group.append(s("g", { class: item.kind, transform: `translate(${place} ${y - 17})` }, s("g", { class: "shape" }, shapes[look]())));
        }
        group.append(s("title", {}, item.text));
        return group;
    }

    /** Makes the items reachable by keyboard: the Tab key stops at one item, and arrow keys move within a lane and between lanes. */
    function makeNavigable(targets) {
        const rows = targets.filter((row) => row.length > 0);
        if (rows.length > 0) rows[0].at(-1).setAttribute("tabindex", "0");
        rows.forEach((row, index) => row.forEach((target, position) => target.addEventListener("keydown", (event) => {
            const nearest = (other) => other?.toSorted((a, b) =>
                Math.abs(a.dataset.at - target.dataset.at) - Math.abs(b.dataset.at - target.dataset.at))[0];
            const to = {
                ArrowRight: row[position + 1], ArrowLeft: row[position - 1], Home: row[0], End: row.at(-1),
                ArrowDown: nearest(rows[index + 1]), ArrowUp: nearest(rows[index - 1]),
            };
            if (event.key === "Enter" || event.key === " ") {
                event.preventDefault();
                target.dispatchEvent(new Event("click"));
            } else if (event.key in to) {
                event.preventDefault();
                if (!to[event.key]) return;
                target.setAttribute("tabindex", "-1");
                to[event.key].setAttribute("tabindex", "0");
                to[event.key].focus();
            }
        })));
    }

    /** Creates fading edges on the sides on which the timeline continues beyond the visible range. */
    function fades(from, to, left, right, top, bottom) {
        const items = lanes.flatMap((lane) => lane.items);
        return s("g", { class: "fades" }, [["left", left - 1, items.some((item) => item.from < from)], ["right", right - 27, items.some((item) => item.to > to)]]
            .filter(([, , isMore]) => isMore).map(([side, x]) => s("rect", { x, y: top, width: 28, height: bottom - top, fill: `url(#fade-${side})` })));
    }

    function placeHand() {
        const [from, to] = range();
        const x = scale(Math.min(Math.max(now, from), to));
        ahead.setAttribute("x", x);
        ahead.setAttribute("width", scale(to) - x);
        hand.setAttribute("visibility", now >= from && now <= to ? "visible" : "hidden");
        hand.setAttribute("transform", `translate(${x} 0)`);
        hand.dataset.now = when(now);
    }

    let drawnWidth = 0;
    new ResizeObserver(() => {
        if (frame.clientWidth === drawnWidth) return;
        drawnWidth = frame.clientWidth;
        draw();
    }).observe(frame);

    statusLine.textContent = hint;
    return {
        element,
        show(newLanes, at) {
            lanes = newLanes;
            now = at;
            element.hidden = lanes.length === 0;
            put(legendPlace, drawLegend(lanes));
            if (!words.querySelector("details[open]:focus-within")) put(words, transcript(lanes, words.querySelector("details")?.open));
            draw();
        },
        tick(at) {
            now = at;
            if (hand && lanes.length > 0) placeHand();
        },
    };
}
