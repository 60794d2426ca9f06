// The section that lists the requests that the store has received, with the reason of each refusal.

import { h, put, button, heading, choices, table, badge, empty, tabs, code, definitionList, released } from "./dom.js";
import { get, requestStreamAddress, optional, base, isJWS } from "./api.js";
import { openDialog, notice, run, signedTabs, copy, verification } from "./dialogs.js";
import { time, count } from "./format.js";
import { accountLink, atAddress } from "./items.js";

export const title = "Requests";

/** The interfaces of the store, each with its label. */
const surfaces = { verifyReceipt: "verifyReceipt", serverAPI: "Server API", ocsp: "OCSP", device: "Devices", control: "Control API" };
/** The initial filter, which hides the requests to the control API, such as this console's requests. */
const others = "All but control";
/** The maximum numbers of listed requests to the control API and to other interfaces, equal to the store's limits. */
const [controlMemory, memory] = [200, 800];
let chosen = others;
let onlyFailed = false;
let text = "";

const isFailure = (each) => each.status >= 400 || each.reason !== undefined;
const milliseconds = (each) => `${(each.microseconds / 1000).toFixed(1)} ms`;
const answer = (each) => badge([each.status, each.code].filter((part) => part !== undefined).join(" · "), isFailure(each) ? "bad" : "good");

/** Returns each JWS in a JSON value, with its path. */
function signedParts(value, place = "") {
    if (typeof value === "string") return isJWS(value) ? [[place || "signed", value]] : [];
    if (typeof value !== "object" || value === null) return [];
    return Object.entries(value).flatMap(([name, each]) => signedParts(each, place ? `${place}.${name}` : name));
}

/** Returns the receipts in a JSON value, each with its place: base64 in a member whose name contains “receipt”. */
const receiptParts = (value) => Object.entries(value ?? {}).filter(([name, text]) => /receipt/i.test(name) && typeof text === "string"
    && /^[A-Za-z0-9+/\r\n]{200,}=*\s*$/.test(text)).map(([name, text]) => [name, text.replace(/\s/g, "")]);

function parsed(body) {
    try { return JSON.parse(body); } catch { return undefined; }
}

function bodyTabs(name, body) {
    if (body === undefined) return [];
    const value = parsed(body);
    return [
        { title: name, draw: () => [copy(body), code(value ?? body)] },
        ...receiptParts(value).map(([place, receipt]) => ({ title: place, draw: () => verification(receipt) })),
        ...signedParts(value).slice(0, 8).map(([place, signed]) => ({ title: place, draw: () => signedTabs(signed, `${name} ${place}`) })),
    ];
}

const size = (length) => length === undefined ? "unknown" : length === 0 ? "none" : `${length} bytes`;

async function open(id) {
    const known = await optional(get`requests/${id}`);
    if (!known) return notice(`The store has no request ${id} any more. It keeps the newest ones until it ends.`);
    const { summary } = known;
    const parts = [...bodyTabs("Request", known.requestBody), ...bodyTabs("Response", known.responseBody)];
    const dialog = openDialog(`${summary.method} ${summary.path}`, [
        definitionList([["Answer", answer(summary)], ["Reason", summary.reason], ["Time", time(summary.date)], ["Duration", milliseconds(summary)],
            ["Environment", summary.environment],
            ["Account", summary.account && accountLink(summary.account, { leave: () => dialog.close() })],
            ["Client", summary.client], ["Identifier", summary.requestID],
            ["Request body", known.requestBody === undefined ? size(known.requestLength) : undefined],
            ["Response body", known.responseBody === undefined ? size(known.responseLength) : undefined]]),
        parts.length > 0 && tabs("Bodies", parts),
    ]);
    atAddress(dialog, `#/requests/${summary.id}`, "#/requests");
}

export async function show(view) {
    let requests = (await get`requests?limit=500`).requests.reverse();
    const list = h("div", {});
    const bar = choices("Show only");
    const note = h("p", { class: "note" });
    const explanation = h("p", { class: "note" }, "The newest requests, at the times of this machine’s clock. The store keeps requests until it stops.");
    const search = h("input", { type: "search", value: text, placeholder: "Transaction, account, path …", "aria-label": "Search in the requests", "data-focus": "search" });
    const failures = h("input", { type: "checkbox", checked: onlyFailed, "data-focus": "refused" });
    // The store performs the search, because this page has not loaded the requests' bodies.
    let found;

    const columns = [
        { title: "Time", class: "time", cell: (each) => time(each.date) },
        { title: "Method", class: "method", cell: (each) => each.method },
        { title: "Path", class: "path opens", cell: (each) => button(each.path, () => run(() => open(each.id)), { class: "link", "data-focus": `r${each.id}` }) },
        { title: "Answer", cell: answer },
        { title: "Duration", class: "number", cell: milliseconds },
        { title: "Account", class: "owner", cell: (each) => each.account && accountLink(each.account, { title: each.account, "data-focus": `a${each.id}` }) },
        { title: "Reason", class: "more-text reason", cell: (each) => each.reason },
    ];
    const isShown = (each) => (chosen === others ? each.surface !== "control" : each.surface === chosen) && (!onlyFailed || isFailure(each));
    const draw = () => {
        put(bar, [others, ...Object.keys(surfaces)].map((name) => button(surfaces[name] ?? name, () => { chosen = name; draw(); },
            { "aria-pressed": String(name === chosen), "data-focus": `only ${name}` })));
        const rows = requests.filter((each) => isShown(each) && (!found || found.has(each.id)));
        note.textContent = count(rows.length, "request");
        put(list, rows.length > 0 ? table("Requests, newest first", columns, rows.slice(0, 300))
            : empty(requests.some((each) => each.surface !== "control") ? "No request matches the filters." : "No requests yet.",
                "Send your server’s requests to ", h("code", {}, new URL("verifyReceipt", base).href), " or to the Server API at ", h("code", {}, base.href.replace(/\/$/, "")), ". The requests appear here immediately."));
    };
    let searching;
    const find = async () => {
        text = search.value.trim();
        const asked = text;
        const ids = asked === "" ? undefined : new Set((await get`requests?limit=500&text=${asked}`).requests.map((each) => each.id));
        if (asked !== text) return;
        found = ids;
        draw();
    };
    search.oninput = () => { clearTimeout(searching); searching = setTimeout(() => run(find), 200); };
    failures.onchange = () => { onlyFailed = failures.checked; draw(); };
    put(view.place, heading(title, [explanation, note]), bar,
        h("div", { class: "filters" }, search, h("label", {}, failures, " Only refused and failed")), list);
    if (text === "") draw(); else await find();

    const remember = (all) => {
        let [control, rest] = [0, 0];
        return all.filter((each) => each.surface === "control" ? ++control <= controlMemory : ++rest <= memory);
    };
    const source = new EventSource(requestStreamAddress(requests[0]?.id ?? 0));
    let hasOpened = false;
    source.onopen = async () => {
        // After a restart, the store numbers requests from 1.
        if (hasOpened) {
            requests = (await get`requests?limit=500`).requests.reverse();
            draw();
        }
        hasOpened = true;
    };
    source.onmessage = (event) => {
        const request = JSON.parse(event.data);
        if (requests.some((each) => each.id === request.id)) return;
        requests = remember([request, ...requests]);
        // Several simultaneous requests are drawn together; hidden requests are not drawn.
        if (!isShown(request)) return;
        view.drawing ??= setTimeout(async () => {
            await released();
            view.drawing = undefined;
            if (text === "") draw(); else run(find);
        }, 100);
    };
    view.leave = () => { source.close(); clearTimeout(view.drawing); clearTimeout(searching); };
    const [id] = view.parameters;
    if (id) view.drawn = () => run(() => open(id));
}
