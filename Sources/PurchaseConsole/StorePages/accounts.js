// The accounts of the store: the list, or one account.

import { h, put, table, pagedList, badge, empty } from "./dom.js";
import { get, post, decoded } from "./api.js";
import { ask, actionButton } from "./dialogs.js";
import { count } from "./format.js";
import { showAccount } from "./account.js";

export const title = "Accounts";

let searchText = "";

export function accountBadges(account) {
    return [
        !account.hasValidPaymentMethod && badge("Payment method declines", "bad"), account.askToBuyEnabled && badge("Ask to Buy", "warm"),
        account.interruptedPurchasesEnabled && badge("Interrupted", "warm"), account.family && badge(`Family ${account.family}`, "cool"),
        account.environment === "Production" && badge("Production", "calm"),
    ].filter(Boolean);
}

function openAccount() {
    ask("New account", "Create account", [
        { name: "account", label: "Account name", required: true, placeholder: "ada@example.com" },
        { name: "password", label: "Password", required: true, value: "secret", hint: "A password for tests. The store keeps it as plain text." },
        { name: "askToBuyEnabled", label: "A parent must approve each purchase", type: "checkbox" },
    ], async (account) => {
        await post`accounts`(account);
        location.hash = `#/accounts/${encodeURIComponent(account.account)}`;
    });
}

/** Returns the signed transactions and signed renewal info in a response to Get Transaction History or Get All Subscription Statuses. */
function signedData(text) {
    const all = [...text.matchAll(/[\w-]+\.[\w-]+\.[\w-]+/g)].map(([signed]) => ({ signed, payload: decoded(signed).payload })).filter(({ payload }) => payload);
    const isRenewal = ({ payload }) => payload.autoRenewStatus !== undefined;
    return {
        signedTransactions: all.filter((each) => each.payload.transactionId !== undefined && !isRenewal(each)).map((each) => each.signed),
        signedRenewalInfos: all.filter(isRenewal).map((each) => each.signed),
    };
}

function importHistory() {
    ask("Import a transaction history", "Import file", [
        { name: "account", label: "Account to import into", required: true, hint: "The store creates the account if it does not exist." },
        { name: "history", label: "Response of the App Store Server API, as a file", type: "file", required: true, accept: ".json,.txt,application/json" },
    ], async ({ account, history }) => {
        const texts = signedData(history);
        if (texts.signedTransactions.length === 0) throw new Error("The file has no signed transaction. Choose a response to Get Transaction History.");
        await post`import/history`({ account, ...texts });
        location.hash = `#/accounts/${encodeURIComponent(account)}`;
    }, "Imports responses to Get Transaction History or Get All Subscription Statuses. This store signs the imported data again.");
}

function restrict() {
    ask("Restrict a device", "Set", [
        { name: "device", label: "Device identifier (UUID)", required: true },
        { name: "isRestricted", label: "Restrict purchases on the device", type: "checkbox", value: true },
    ], ({ device, isRestricted }) => post`devices/${device}`({ isRestricted }));
}

export async function show(view) {
    if (view.parameters[0]) return showAccount(view, view.parameters[0]);
    const list = h("div", {});
    let accounts = [];
    const columns = [
        { title: "Account", class: "name", cell: (each) => h("a", { href: `#/accounts/${encodeURIComponent(each.account)}`, "data-focus": each.account }, each.account) },
        { title: "State", cell: accountBadges },
        { title: "Family", cell: (each) => each.family ? (each.sharesPurchases ? "shares purchases" : "does not share purchases") : "" },
        { title: "Storefront", cell: (each) => each.storefront ?? "" },
    ];
    const draw = () => {
        const found = accounts.filter((each) => each.account.toLowerCase().includes(searchText.toLowerCase()));
        put(list, accounts.length === 0
            ? empty("No accounts yet.", actionButton("Create an account", openAccount, { class: "link", "data-focus": "first" }), ", or sign in from an app.")
            : found.length === 0 ? empty(`No account name contains “${searchText}”.`)
                : pagedList(found, 100, (rows) => table("Accounts", columns, rows)));
    };
    const search = h("input", {
        type: "search", "aria-label": "Find an account", placeholder: "Find an account", value: searchText, class: "search",
        oninput: (event) => { searchText = event.target.value; draw(); },
    });
    view.refresh = async () => {
        accounts = (await get`accounts`).accounts;
        note.textContent = accounts.length > 0 ? count(accounts.length, "account") : "";
        draw();
    };
    view.isInterested = (newEvents) => newEvents.some((event) => event.kind === "account" || event.kind === "purchase");
    const note = h("p", { class: "note" });
    put(view.place, h("div", { class: "heading" }, h("div", {}, h("h1", {}, "Accounts"), note),
        h("div", { class: "actions" }, search, actionButton("Restrict a device…", restrict), actionButton("Import a history…", importHistory), actionButton("New account…", openAccount, { class: "main" }))), list);
    await view.refresh();
}
