// The people of the store: all of them, or one.

import { h, put, table, growing, badge, empty } from "./dom.js";
import { get, post, decoded } from "./api.js";
import { ask, act } from "./dialogs.js";
import { count } from "./words.js";
import { showCustomer } from "./customer.js";

export const title = "Customers";

let sought = "";

export function flags(account) {
    return [
        !account.cardWorks && badge("Card fails", "bad"), account.asksToBuy && badge("Asks to buy", "warm"),
        account.interruptsPurchases && badge("Interrupted", "warm"), account.family && badge(`Family ${account.family}`, "cool"),
        account.environment === "Production" && badge("Production", "calm"),
    ].filter(Boolean);
}

function openAccount() {
    ask("A new customer", "Open the account", [
        { name: "account", label: "Name to sign in with", required: true, placeholder: "ada@example.com" },
        { name: "password", label: "Password", required: true, value: "secret", hint: "A test’s password: the store keeps it as it is." },
        { name: "asksToBuy", label: "A parent must approve each purchase", type: "checkbox" },
    ], async (account) => {
        await post`accounts`(account);
        location.hash = `#/customers/${encodeURIComponent(account.account)}`;
    });
}

/** The signed texts of a customer's past, in whatever Get Transaction History or Get All Subscription Statuses answered. */
function signedTexts(text) {
    const all = [...text.matchAll(/[\w-]+\.[\w-]+\.[\w-]+/g)].map(([signed]) => ({ signed, says: decoded(signed).payload })).filter(({ says }) => says);
    const isRenewal = ({ says }) => says.autoRenewStatus !== undefined;
    return {
        signedTransactions: all.filter((each) => each.says.transactionId !== undefined && !isRenewal(each)).map((each) => each.signed),
        signedRenewalInfos: all.filter(isRenewal).map((each) => each.signed),
    };
}

function takeHistory() {
    ask("A real customer’s past", "Take it in", [
        { name: "account", label: "Whose it becomes", required: true, hint: "A new name opens an account." },
        { name: "history", label: "What the App Store Server API answered, as a file", type: "file", required: true, accept: ".json,.txt,application/json" },
    ], async ({ account, history }) => {
        const texts = signedTexts(history);
        if (texts.signedTransactions.length === 0) throw new Error("No signed transaction is in that file.");
        await post`import/history`({ account, ...texts });
        location.hash = `#/customers/${encodeURIComponent(account)}`;
    }, "From Get Transaction History or Get All Subscription Statuses; this store signs all of it anew.");
}

function restrict() {
    ask("Restrict a device", "Set", [
        { name: "device", label: "The device’s identifier, a UUID", required: true },
        { name: "isRestricted", label: "Purchases are forbidden on it", type: "checkbox", value: true },
    ], ({ device, isRestricted }) => post`devices/${device}`({ isRestricted }));
}

export async function show(view) {
    if (view.parameters[0]) return showCustomer(view, view.parameters[0]);
    const list = h("div", {});
    let accounts = [];
    const columns = [
        { title: "Customer", class: "name", cell: (each) => h("a", { href: `#/customers/${encodeURIComponent(each.account)}`, "data-focus": each.account }, each.account) },
        { title: "State", cell: flags },
        { title: "Family", cell: (each) => each.family ? (each.sharesPurchases ? "shares what it buys" : "does not share") : "" },
        { title: "Storefront", cell: (each) => each.storefront ?? "" },
    ];
    const draw = () => {
        const found = accounts.filter((each) => each.account.toLowerCase().includes(sought.toLowerCase()));
        put(list, accounts.length === 0
            ? empty("Nobody has an account yet.", act("Open one", openAccount, { class: "link", "data-focus": "first" }), ", or let an app sign in.")
            : found.length === 0 ? empty(`No name has “${sought}” in it.`)
                : growing(found, 100, (rows) => table("Customers", columns, rows)));
    };
    const search = h("input", {
        type: "search", "aria-label": "Find a customer", placeholder: "Find a customer", value: sought, class: "search",
        oninput: (event) => { sought = event.target.value; draw(); },
    });
    view.refresh = async () => {
        accounts = (await get`accounts`).accounts;
        note.textContent = accounts.length > 0 ? count(accounts.length, "account") : "";
        draw();
    };
    view.isInterested = (news) => news.some((event) => event.kind === "account" || event.kind === "purchase");
    const note = h("p", { class: "note" });
    put(view.place, h("div", { class: "heading" }, h("div", {}, h("h1", {}, "Customers"), note),
        h("div", { class: "actions" }, search, act("Restrict a device…", restrict), act("Import a history…", takeHistory), act("New customer…", openAccount, { class: "main" }))), list);
    await view.refresh();
}
