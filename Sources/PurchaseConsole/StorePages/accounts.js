// The accounts of the store: the list, or one account.

import { h, put, heading, table, badge, empty } from "./dom.js";
import { get, post, decoded } from "./api.js";
import { ask, actionButton, run } from "./dialogs.js";
import { count, dated, day, money, short, statuses, time } from "./format.js";
import { accountAddress, accountLink } from "./items.js";
import { accountBadges, showAccount } from "./account.js";

export const title = "Accounts";

let searchText = "";

function openAccount() {
    ask("New account", "Create account", [
        { name: "account", label: "Account name", required: true, placeholder: "ada@example.com" },
        { name: "password", label: "Password", required: true, value: "secret", hint: "A test password, which the store keeps as plain text." },
        { name: "askToBuyEnabled", label: "A parent must approve each purchase", type: "checkbox" },
    ], async (account) => {
        await post`accounts`(account);
        location.hash = accountAddress(account.account);
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
        location.hash = accountAddress(account);
    }, "Imports responses to Get Transaction History or Get All Subscription Statuses. This store signs the imported data again.");
}

/** Creates the line of a subscription in the list: name, state, and the date at which the state changes or has changed. */
function subscriptionLine(each) {
    const [word, tone] = statuses[each.status] ?? [`Status ${each.status}`, "calm"];
    const [label, date] = each.status === 1 ? [each.willAutoRenew ? "renews" : "expires", each.expiresDate]
        : each.status === 2 ? ["ended", each.expiresDate] : ["until", each.nextRenewalDate];
    return h("li", { title: each.productID }, h("span", {}, each.title ?? short(each.productID)), badge(word, tone), each.isShared && badge(each.isAssigned ? "Group member" : "Family Sharing", "cool"),
        date && h("span", { class: "quiet" }, `${label} `, dated(date, day(date))));
}

const shownSubscriptions = 3;

function subscriptionLines(all) {
    const rest = all.length - shownSubscriptions;
    return all.length > 0 && h("ul", { class: "plain-list plans" }, all.slice(0, shownSubscriptions).map(subscriptionLine),
        rest > 0 && h("li", { class: "quiet" }, `and ${rest} more`));
}

const columns = [
    { title: "Account", class: "name opens", cell: (each) => accountLink(each.account, { "data-focus": each.account }) },
    { title: "Subscriptions", class: "more-text plan", cell: (each) => subscriptionLines(each.activity.subscriptions) || "" },
    { title: "Total", class: "number", cell: (each) => each.activity.spending.length > 0 ? each.activity.spending.map((sum) => h("div", {}, money(sum.milliunits, sum.currency))) : "" },
    { title: "Last activity", class: "time", cell: (each) => time(each.activity.lastActivityDate) },
    {
        title: "Settings", cell: (each) => h("div", { class: "tags" }, accountBadges(each), each.storefront && badge(each.storefront),
            each.family && !each.sharesPurchases && badge("does not share purchases")),
    },
];

const pageSize = 100;

export async function show(view) {
    if (view.parameters[0]) return showAccount(view, view.parameters[0]);
    const list = h("div", {});
    const note = h("p", { class: "note" });
    let accounts = [], total = 0, token, hasRemoval = false;

    const page = (after) => after
        ? get`accounts?limit=${pageSize}&text=${searchText}&paginationToken=${after}` : get`accounts?limit=${pageSize}&text=${searchText}`;
    const draw = () => {
        const hasText = searchText !== "";
        note.textContent = total > 0 ? `${count(total, "account")}${hasText ? " found" : ""}, newest activity first. The total is the sum of charges minus refunds.` : "";
        put(list, accounts.length > 0 ? table("Accounts, newest activity first", columns, accounts)
            : hasText ? empty(`No account name contains “${searchText}”.`)
                : empty("No accounts yet.", actionButton("Create an account", openAccount, { class: "link", "data-focus": "first" }), ", or sign in from an app."),
        token && h("p", { class: "more" }, actionButton(`Show ${Math.min(pageSize, total - accounts.length)} more of ${total - accounts.length}`, more, { "data-focus": "more" })));
    };
    async function more() {
        const text = searchText;
        const reply = await page(token);
        if (text !== searchText) return;
        const known = new Set(accounts.map((each) => each.account));
        accounts.push(...reply.accounts.filter((each) => !known.has(each.account)));
        token = reply.paginationToken;
        draw();
    }
    view.refresh = async () => {
        const text = searchText;
        const reply = await page();
        if (text !== searchText) return;
        // Accounts with new events move to the first page, so the following pages stay correct unless all accounts of a page have new
        // events.
        const newest = accounts[0]?.activity.lastActivityDate ?? 0;
        const isKept = text === view.text && accounts.length > pageSize && !hasRemoval && reply.count >= total && (reply.accounts.at(-1).activity.lastActivityDate ?? 0) <= newest;
        const first = new Set(reply.accounts.map((each) => each.account));
        token = isKept ? token : reply.paginationToken;
        accounts = [...reply.accounts, ...(isKept ? accounts.filter((each) => !first.has(each.account)) : [])];
        [total, view.text, hasRemoval] = [reply.count, text, false];
        draw();
    };
    let searching;
    const search = h("input", {
        type: "search", "aria-label": "Find an account", placeholder: "Find an account", value: searchText, class: "search", maxlength: 66,
        oninput: () => {
            searchText = search.value.trim();
            clearTimeout(searching);
            searching = setTimeout(() => run(view.refresh), 150);
        },
    });
    view.leave = () => clearTimeout(searching);
    view.isInterested = (newEvents) => {
        hasRemoval ||= newEvents.some((event) => event.kind === "account" && event.detail === "removed");
        return newEvents.some((event) => event.account || event.kind === "clock");
    };
    put(view.place, heading(title, note, search, actionButton("Import a history…", importHistory), actionButton("New account…", openAccount, { class: "main" })), list);
    await view.refresh();
}
