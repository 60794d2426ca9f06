// The frame of the page: store selection, clock, navigation and the open section.

import { h, put, button, empty, released } from "./dom.js";
import { get, identity, optional, hostAPI, storeName } from "./api.js";
import { actionButton, notice } from "./dialogs.js";
import { when } from "./format.js";
import * as stream from "./stream.js";
import { advance, advanceMonths, rateName } from "./clock.js";
import { readNames, readNamesOf } from "./names.js";
import { searchBox } from "./search.js";
import * as live from "./live.js";
import * as requests from "./requests.js";
import * as accounts from "./accounts.js";
import * as devices from "./devices.js";
import * as catalog from "./catalog.js";
import * as pending from "./pending.js";
import * as notifications from "./notifications.js";
import * as faults from "./faults.js";
import * as clock from "./clock.js";
import * as stores from "./stores.js";
import * as transactions from "./transactions.js";

/** The section for an address without a known section, such as an address of another version. */
const unknown = {
    title: "No such section",
    async show(view) {
        put(view.place, h("h1", {}, unknown.title), empty("The address of this page names no section.", "Choose a section on the left, or ", h("a", { href: "#/live" }, "open the live events"), "."));
    },
};
const sections = { live, requests, accounts, devices, catalog, pending, notifications, faults, clock, stores };
/** Pages that the navigation does not list. */
const pages = { ...sections, transactions };
const main = document.getElementById("main");
let open;

// The store has exchanged the token in the URL for a cookie. Removing the token keeps it off the screen and out of the browser history.
if (new URLSearchParams(location.search).has("token")) history.replaceState(null, "", location.pathname + location.hash);

function drawNavigation() {
    put(document.getElementById("nav"), h("ul", {}, Object.entries(sections).map(([name, section]) => h("li", {},
        h("a", { href: `#/${name}`, "data-section": name }, section.title, h("span", { class: "count", "data-count": name }))))));
}

function part(text) {
    try { return decodeURIComponent(text); } catch { return text; }
}

/** Opens the section that the URL's fragment names. If the function is called again meanwhile, only the last call draws its section. */
async function route({ keepFocus = false } = {}) {
    const [name, ...rest] = location.hash.replace(/^#\//, "").split("/").map(part);
    const section = name === "" ? live : Object.hasOwn(pages, name) ? pages[name] : unknown;
    for (const dialog of document.querySelectorAll("dialog[open]")) dialog.close();
    open?.leave?.();
    const view = { place: h("div", { class: "view" }), parameters: rest };
    open = view;
    for (const link of document.querySelectorAll("[data-section]")) {
        if (sections[link.dataset.section] === (section === transactions ? accounts : section)) link.setAttribute("aria-current", "page");
        else link.removeAttribute("aria-current");
    }
    document.title = `${rest[0] || section.title} · ${storeName} · Local App Store`;
    // The visible content belongs to the previous section. Controls stay inert so that a click cannot affect the wrong account.
    main.inert = true;
    main.ariaBusy = "true";
    try {
        await section.show(view);
    } catch (error) {
        put(view.place, empty("This section cannot be loaded.", error.message));
    }
    if (open !== view) return view.leave?.();
    main.replaceChildren(view.place);
    main.inert = false;
    main.ariaBusy = null;
    main.dataset.at = location.hash;
    if (!keepFocus) {
        main.focus({ preventScroll: true });
        window.scrollTo(0, 0);
    }
    // A page may open a dialog, or focus a row, that its URL names.
    view.drawn?.();
}

/** Refreshes the open section 250 ms after new events that concern it; the delay combines several events into one refresh. */
let refreshTimer;
function refreshSoon(newEvents) {
    if (!open?.refresh || (newEvents.length > 0 && open.isInterested?.(newEvents) === false)) return;
    clearTimeout(refreshTimer);
    const view = open;
    refreshTimer = setTimeout(async () => {
        if (open !== view) return;
        try { await view.refresh(); } catch (error) { if (error.status !== 0) notice(error.message); }
    }, 250);
}

async function count() {
    const [approvals, interruptions, requests, on] = await Promise.all([
        get`approvals`, get`interruptions`, get`refund-requests`, optional(get`faults`)]);
    const show = (name, number) => { document.querySelector(`[data-count="${name}"]`).textContent = number > 0 ? number : ""; };
    show("pending", approvals.pending.length + interruptions.pending.length
        + requests.requests.filter((each) => each.state === "pending").length);
    show("faults", on?.faults.length ?? 0);
    const faultLink = document.querySelector("[data-section=faults]");
    faultLink.parentElement.hidden = on === undefined;
}
let counting;
const countSoon = () => { clearTimeout(counting); counting = setTimeout(() => count().catch(() => {}), 300); };

function drawClock() {
    // The time is unknown while the store is unreachable.
    if (isLost) return;
    const now = stream.now();
    const face = document.getElementById("clock-now");
    const text = when(now);
    if (face.textContent !== text) {
        face.textContent = text;
        face.dateTime = new Date(now).toISOString();
        open?.tick?.(now);
    }
}

function drawRate() {
    const { factor } = stream.clock();
    document.getElementById("clock-speed").textContent = rateName(factor);
    document.getElementById("clock-pulse").classList.toggle("still", factor === 0);
}

function drawSteps() {
    const step = (label, seconds, name) => actionButton(label, () => advance(seconds), { "aria-label": `Advance the clock by a ${name}`, class: "step" });
    put(document.getElementById("clock-steps"), step("+1 d", 86_400, "day"), step("+1 w", 7 * 86_400, "week"),
        actionButton("+1 mo", () => advanceMonths(1), { "aria-label": "Advance the clock by a calendar month", class: "step" }));
}

async function drawStores() {
    const select = document.getElementById("stores");
    const { stores: all } = await hostAPI.stores();
    const names = all.map((each) => each.name);
    put(select, names.map((name) => h("option", { value: name, selected: name === storeName }, name)));
    select.onchange = () => { location.href = hostAPI.page(select.value); };
}

let isLost = false;
function connection(isThere, sentence) {
    const line = document.getElementById("lost");
    line.textContent = isThere ? "" : sentence;
    document.body.classList.toggle("lost", !isThere);
    if (isThere && isLost) {
        // Remove the messages about failures during the interruption.
        for (const message of document.querySelectorAll(".notice.bad")) message.remove();
        notice("Reconnected to the store.", "good");
        refreshSoon([]);
    }
    isLost = !isThere;
}

async function start() {
    drawNavigation();
    drawSteps();
    put(document.getElementById("search"), searchBox());
    let store;
    try {
        store = await identity();
        await stream.readClock();
        await stream.earlier(200);
        await readNames();
    } catch (error) {
        put(main, empty("The store cannot be loaded.", error.message, " ", button("Try again", () => location.reload())));
        return;
    }
    drawClock();
    drawRate();
    setInterval(drawClock, 250);
    // The clock is read again regularly, because the computed time drifts while the machine sleeps or the tab is in the background.
    setInterval(() => stream.readClock().then(drawRate).catch(() => {}), 15_000);
    stream.watch((newEvents) => {
        countSoon();
        stream.readClock().then(() => { drawRate(); drawClock(); }).catch(() => {});
        readNamesOf(newEvents.map((event) => event.productID)).catch(() => {}).finally(async () => {
            const view = open;
            refreshSoon(newEvents);
            await released();
            if (open === view) view?.newEvents?.(newEvents);
        });
    });
    document.addEventListener("store-changed", () => { drawRate(); drawClock(); countSoon(); });
    document.addEventListener("stores-changed", () => drawStores().catch(() => {}));
    addEventListener("hashchange", () => route());
    await Promise.all([route({ keepFocus: true }), drawStores().catch(() => {}), count().catch(() => {})]);
    stream.follow(store, connection);
}

start();
