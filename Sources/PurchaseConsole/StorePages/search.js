// The search box of the frame, which finds an account, a transaction, a notification, a product or a request.

import { h, put } from "./dom.js";
import { get } from "./api.js";
import { announce } from "./dialogs.js";
import { count, dated, day, readable } from "./format.js";
import { accountAddress, transactionAddress, notificationAddress } from "./items.js";

/** The maximum length of a text, which never exceeds the 200 bytes of UTF-8 that the store accepts. */
const textLimit = 66;
const kinds = { account: "Account", transaction: "Transaction", notification: "Notification", product: "Product", request: "Request" };
/** The properties that are shown as the reason of a result; the result shows the other properties. */
const reasons = {
    appTransactionID: "app transaction ID", originalTransactionID: "original transaction ID", orderID: "order ID",
    webOrderLineItemID: "web order line item ID",
};
const addresses = {
    account: (each) => accountAddress(each.id), transaction: (each) => transactionAddress(each.id), notification: (each) => notificationAddress(each.id),
    product: (each) => `#/catalog/${encodeURIComponent(each.bundleID)}/${encodeURIComponent(each.id)}`, request: (each) => `#/requests/${each.id}`,
};

function content(each) {
    const name = each.kind === "notification" ? readable(each.title) : each.title;
    const date = each.kind !== "request" && each.date && dated(each.date, day(each.date));
    const more = [each.kind !== "account" && each.id, each.account, date, reasons[each.match] && `by ${reasons[each.match]}`].filter(Boolean);
    return [h("span", { class: "quiet" }, kinds[each.kind]), h("span", { class: "found" },
        h("strong", {}, each.kind === "account" ? each.id : name || each.id), h("span", { class: "quiet small" }, more.flatMap((part, index) => index > 0 ? [" · ", part] : [part])))];
}

/** Creates the search box, a combobox as WAI-ARIA describes it: the box retains the focus, and arrow keys choose a result. */
export function searchBox() {
    const list = h("ul", { role: "listbox", id: "search-results", "aria-label": "Search results" });
    const message = h("p", { class: "note" });
    const panel = h("div", { class: "results", hidden: true, onmousedown: (event) => event.preventDefault() }, list, message);
    const input = h("input", {
        type: "search", role: "combobox", "aria-label": "Search", "aria-expanded": "false", "aria-controls": "search-results", "aria-autocomplete": "list",
        autocomplete: "off", spellcheck: "false", maxlength: textLimit, placeholder: "Account, transaction, order, UUID, product …",
        "aria-keyshortcuts": "/ Control+K",
    });
    let results = [], chosen = 0, shownText = "", opensFirst = false, timer;

    const close = () => {
        panel.hidden = true;
        input.setAttribute("aria-expanded", "false");
        input.removeAttribute("aria-activedescendant");
    };
    const choose = (index) => {
        chosen = index;
        [...list.children].forEach((each, other) => each.setAttribute("aria-selected", String(other === index)));
        if (results.length === 0) return input.removeAttribute("aria-activedescendant");
        input.setAttribute("aria-activedescendant", `result-${index}`);
        list.children[index].scrollIntoView({ block: "nearest" });
    };
    const open = (each) => {
        const address = addresses[each.kind](each);
        [input.value, shownText] = ["", ""];
        close();
        input.blur();
        if (location.hash === address) dispatchEvent(new HashChangeEvent("hashchange"));
        else location.hash = address;
    };
    const show = (found, text, sentence) => {
        [results, shownText] = [found, text];
        put(list, found.map((each, index) => h("li", { role: "option", id: `result-${index}`, onclick: () => open(each), onmousemove: () => { if (chosen !== index) choose(index); } }, content(each))));
        list.hidden = found.length === 0;
        message.textContent = sentence ?? "";
        message.hidden = sentence === undefined;
        panel.hidden = false;
        input.setAttribute("aria-expanded", "true");
        choose(0);
        announce(sentence ?? count(found.length, "result"));
    };
    const find = async () => {
        const text = input.value.trim();
        if (text === "") { [shownText, opensFirst] = ["", false]; return close(); }
        try {
            const found = (await get`search?text=${text}`).results;
            // Ignore the reply to an earlier text.
            if (text !== input.value.trim() || document.activeElement !== input) return;
            if (opensFirst && found.length > 0) return open(found[0]);
            show(found, text, found.length === 0 ? `Nothing in this store has the identifier or the name “${text}”.` : undefined);
        } catch (error) {
            if (text === input.value.trim()) show([], text, error.message);
        } finally {
            opensFirst = false;
        }
    };
    const step = (by) => {
        if (panel.hidden || results.length === 0) return find();
        choose((chosen + by + results.length) % results.length);
    };
    input.oninput = () => {
        clearTimeout(timer);
        timer = setTimeout(find, 120);
    };
    input.onkeydown = (event) => {
        if (event.isComposing) return;
        if (event.key === "ArrowDown" || event.key === "ArrowUp") {
            event.preventDefault();
            step(event.key === "ArrowDown" ? 1 : -1);
        } else if (event.key === "Enter") {
            clearTimeout(timer);
            if (!panel.hidden && shownText === input.value.trim() && results.length > 0) return open(results[chosen]);
            opensFirst = true;
            find();
        } else if (event.key === "Escape") {
            event.preventDefault();
            if (panel.hidden) { input.value = ""; document.getElementById("main").focus({ preventScroll: true }); }
            close();
        }
    };
    input.onfocus = () => { if (input.value.trim() !== "") find(); };
    input.onblur = () => { clearTimeout(timer); close(); };
    addEventListener("keydown", (event) => {
        const isSlash = event.key === "/" && !event.ctrlKey && !event.metaKey && !event.altKey;
        const isK = event.key.toLowerCase() === "k" && (event.ctrlKey || event.metaKey) && !event.shiftKey && !event.altKey;
        if (!isSlash && !isK || document.querySelector("dialog[open]")) return;
        if (isSlash && event.target.closest?.("input, select, textarea")) return;
        event.preventDefault();
        input.focus();
        input.select();
    });
    return [input, h("kbd", { "aria-hidden": "true" }, "/"), panel];
}
