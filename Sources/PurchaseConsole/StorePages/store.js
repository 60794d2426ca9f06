// The frame of the page: which store, what time it is there, which section is open.

import { h, put, button, empty } from "./dom.js";
import { get, identity, optional, ofHost, storeName } from "./api.js";
import { act, notice } from "./dialogs.js";
import { day, clockTime } from "./words.js";
import * as watching from "./watch.js";
import { advance, speedName } from "./clock.js";
import * as live from "./live.js";
import * as customers from "./customers.js";
import * as catalog from "./catalog.js";
import * as waiting from "./waiting.js";
import * as notifications from "./notifications.js";
import * as faults from "./faults.js";
import * as clock from "./clock.js";
import * as stores from "./stores.js";

const sections = { live, customers, catalog, waiting, notifications, faults, clock, stores };
const main = document.getElementById("main");
let open;

// The token came in the address so that a cookie could take its place; it need not stay there to be read over a shoulder.
if (new URLSearchParams(location.search).has("token")) history.replaceState(null, "", location.pathname + location.hash);

function drawNavigation() {
    put(document.getElementById("nav"), h("ul", {}, Object.entries(sections).map(([name, section]) => h("li", {},
        h("a", { href: `#/${name}`, "data-section": name }, section.title, h("span", { class: "count", "data-count": name }))))));
}

/** Opens the section that the address names; only the newest call may draw. */
async function route({ keepFocus = false } = {}) {
    const [name, ...rest] = location.hash.replace(/^#\//, "").split("/").map(decodeURIComponent);
    const section = sections[name] ?? live;
    open?.leave?.();
    const view = { place: h("div", { class: "view" }), parameters: rest };
    open = view;
    for (const link of document.querySelectorAll("[data-section]")) {
        if (sections[link.dataset.section] === section) link.setAttribute("aria-current", "page");
        else link.removeAttribute("aria-current");
    }
    document.title = `${rest[0] || section.title} · ${storeName} · Local App Store`;
    // What is still to be seen belongs to another address: a press on it would do something to somebody else.
    main.inert = true;
    main.ariaBusy = "true";
    try {
        await section.show(view);
    } catch (error) {
        put(view.place, empty("This part could not be read.", error.message));
    }
    if (open !== view) return view.leave?.();
    main.replaceChildren(view.place);
    main.inert = false;
    main.ariaBusy = null;
    main.dataset.at = location.hash;
    view.drawn?.();
    if (!keepFocus) {
        main.focus({ preventScroll: true });
        window.scrollTo(0, 0);
    }
}

/** Draws a section again when something happened that it shows; once for many events, and not below an open dialog. */
let pending;
function refreshSoon(news) {
    if (!open?.refresh || (news.length > 0 && open.isInterested?.(news) === false)) return;
    clearTimeout(pending);
    const view = open;
    pending = setTimeout(async () => {
        if (open !== view) return;
        try { await view.refresh(); } catch (error) { if (error.status !== 0) notice(error.message); }
    }, 250);
}

async function count() {
    const [approvals, interruptions, requests, on] = await Promise.all([
        get`approvals`, get`interruptions`, get`refund-requests`, optional(get`faults`)]);
    const show = (name, number) => { document.querySelector(`[data-count="${name}"]`).textContent = number > 0 ? number : ""; };
    show("waiting", approvals.pending.length + interruptions.pending.length
        + requests.requests.filter((each) => each.state === "pending").length);
    show("faults", on?.faults.length ?? 0);
    const faultLink = document.querySelector("[data-section=faults]");
    faultLink.parentElement.hidden = on === undefined;
}
let counting;
const countSoon = () => { clearTimeout(counting); counting = setTimeout(() => count().catch(() => {}), 300); };

function drawClock() {
    // Nobody knows what time it is in a store that does not answer.
    if (isLost) return;
    const now = watching.now();
    const face = document.getElementById("clock-now");
    const text = `${day(now)} ${clockTime(now)}`;
    if (face.textContent !== text) {
        face.textContent = text;
        face.dateTime = new Date(now).toISOString();
        open?.tick?.(now);
    }
}

function drawSpeed() {
    const { factor } = watching.clock();
    document.getElementById("clock-speed").textContent = speedName(factor);
    document.getElementById("clock-pulse").classList.toggle("still", factor === 0);
}

function drawSteps() {
    const step = (label, seconds, name) => act(label, () => advance(seconds), { "aria-label": `Move the clock on by a ${name}`, class: "step" });
    put(document.getElementById("clock-steps"), step("+1 d", 86_400, "day"), step("+1 w", 7 * 86_400, "week"),
        step("+1 mo", 30 * 86_400, "month of 30 days"));
}

async function drawStores() {
    const select = document.getElementById("stores");
    const { stores: all } = await ofHost.stores();
    const names = all.map((each) => each.name);
    put(select, names.map((name) => h("option", { value: name, selected: name === storeName }, name)));
    select.onchange = () => { location.href = ofHost.page(select.value); };
}

let isLost = false;
function connection(isThere, sentence) {
    const line = document.getElementById("lost");
    line.textContent = isThere ? "" : sentence;
    document.body.classList.toggle("lost", !isThere);
    if (isThere && isLost) {
        notice("The store answers again.", "good");
        refreshSoon([]);
    }
    isLost = !isThere;
}

async function start() {
    drawNavigation();
    drawSteps();
    let store;
    try {
        store = await identity();
        await watching.readClock();
        await watching.earlier(200);
    } catch (error) {
        put(main, empty("The store cannot be read.", error.message, " ", button("Try again", () => location.reload())));
        return;
    }
    drawClock();
    drawSpeed();
    setInterval(drawClock, 250);
    // The machine sleeps, tabs are put aside: read the clock again now and then.
    setInterval(() => watching.readClock().then(drawSpeed).catch(() => {}), 15_000);
    watching.watch((news) => {
        countSoon();
        watching.readClock().then(() => { drawSpeed(); drawClock(); }).catch(() => {});
        open?.news?.(news);
        refreshSoon(news);
    });
    document.addEventListener("store-changed", () => { drawSpeed(); drawClock(); countSoon(); });
    document.addEventListener("stores-changed", () => drawStores().catch(() => {}));
    addEventListener("hashchange", () => route());
    await Promise.all([route({ keepFocus: true }), drawStores().catch(() => {}), count().catch(() => {})]);
    watching.follow(store, connection);
}

start();
