// Links to transactions and notifications, dialogs with an address, and rows that open by a click anywhere.

import { h, empty } from "./dom.js";
import { run } from "./dialogs.js";

export const accountAddress = (account) => `#/accounts/${encodeURIComponent(account)}`;
export const transactionAddress = (id) => `#/transactions/${encodeURIComponent(id)}`;
export const notificationAddress = (uuid) => `#/notifications/${encodeURIComponent(uuid)}`;

/** Creates a link to the page of an account; in a dialog, `leave` closes the dialog. */
export function accountLink(account, { leave, ...attributes } = {}) {
    return h("a", { href: accountAddress(account), ...attributes, onclick: leave }, account);
}

/** Creates a link that opens a dialog on the open page; in another tab, the browser opens the address. */
export function itemLink(label, address, open, attributes = {}) {
    return h("a", {
        href: address, class: "item", ...attributes, onclick: (event) => {
            if (event.metaKey || event.ctrlKey || event.shiftKey) return;
            event.preventDefault();
            run(open);
        },
    }, label);
}

/**
 * Shows the address of a dialog's item while the dialog is open, so that the address can be copied and reloaded.
 *
 * `below` is the address of the page below the dialog if the dialog was opened by its address.
 */
export function atAddress(dialog, address, below) {
    const before = location.hash === address ? below : location.hash;
    const show = (hash) => {
        history.replaceState(null, "", hash);
        document.getElementById("main").dataset.at = hash;
    };
    show(address);
    dialog.addEventListener("close", () => { if (location.hash === address) show(before); });
    return dialog;
}

const controls = "a, button, input, select, summary, label, textarea";

/** Opens the item of a row by a click outside its links and buttons; a click that ends a selection of text opens nothing. */
addEventListener("click", (event) => {
    const row = event.target.closest?.("tbody tr");
    const link = row?.querySelector("td.opens a, td.opens button");
    if (!link || event.target.closest(controls) || !getSelection().isCollapsed) return;
    if ((event.metaKey || event.ctrlKey) && link.href) open(link.href, "_blank", "noopener");
    else link.click();
});

/** Creates the content of a page for an item that is unknown to the store. */
export function missing(sentence, section, name) {
    return empty(sentence, "Another store may have this item. ", h("a", { href: `#/${section}` }, `Open ${name}`), ".");
}
