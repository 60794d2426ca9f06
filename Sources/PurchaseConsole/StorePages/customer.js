// One customer: time line, subscriptions, transactions, charges, events, and what can be done.

import { h, put, button, table, tabs, growing, badge, empty } from "./dom.js";
import { get, post } from "./api.js";
import { ask, act } from "./dialogs.js";
import { time, money, short, statuses, offers, discounts, span, spoken } from "./words.js";
import { lanesOf } from "./history.js";
import { timeline } from "./timeline.js";
import { showTransaction, refund, wish, state } from "./transaction.js";
import { flags } from "./customers.js";
import { columns as eventColumns } from "./live.js";
import { buy, productsOfAll } from "./buying.js";
import * as watching from "./watch.js";

const change = (account, wish) => post`accounts/${account}`(wish);

function settings(account) {
    ask(`Change ${account.account}`, "Change", [
        { name: "password", label: "New password", hint: "Empty leaves it as it is." },
        { name: "storefront", label: "Storefront, alpha-3", value: account.storefront ?? "", keepEmpty: true, hint: "Such as DEU; empty for that of each catalog." },
        { name: "family", label: "Family", value: account.family ?? "", keepEmpty: true, hint: "Accounts with the same word are one family; empty for none." },
        { name: "sharesPurchases", label: "The family may use what it buys", type: "checkbox", value: account.sharesPurchases },
        { name: "environment", label: "Environment", options: [["Sandbox", "Sandbox"], ["Production", "Production"]], value: account.environment },
    ], (wish) => change(account.account, wish));
}

async function promote(account) {
    const products = await productsOfAll();
    ask("Offer a product", "Offer", [
        { name: "productID", label: "Product", options: products.map((each) => [each.id, each.title || each.id]) },
        { name: "offerID", label: "Win-back offer", hint: "Its identifier; empty for none." },
    ], ({ productID, offerID }) => post`promotions`({ account, productID, offerID, bundleID: products.find((each) => each.id === productID)?.bundleID }),
    "As on the app’s page in the App Store: the customer’s devices are asked whether to go on.");
}

function switches(account) {
    const name = account.account;
    const toggle = (label, isOn, wish) => act(label, () => change(name, wish), { role: "switch", "aria-checked": String(isOn), class: "switch" });
    return h("div", { class: "choices" },
        toggle("Card works", account.cardWorks, { cardWorks: !account.cardWorks }),
        toggle("Asks to buy", account.asksToBuy, { asksToBuy: !account.asksToBuy }),
        toggle("Purchases are interrupted", account.interruptsPurchases, { interruptsPurchases: !account.interruptsPurchases }));
}

function subscriptionCard(subscription, names) {
    const info = subscription.renewalInfo;
    const id = info.originalTransactionId;
    const send = (action, more = {}) => post`subscriptions/${id}`({ action, ...more });
    const [word, tone] = statuses[subscription.status] ?? [`Status ${subscription.status}`, "calm"];
    const now = watching.now();
    const isOn = info.autoRenewStatus === 1;
    const isLive = [1, 3, 4].includes(subscription.status);
    const due = subscription.nextDue && subscription.nextDue > now ? `in ${span(subscription.nextDue - now)}` : "";
    const price = (action, title) => ask(title, title, [
        { name: "price", label: `New price of one period, ${info.currency ?? ""}`, type: "number", min: 0, step: "any", required: true,
            value: info.renewalPrice !== undefined ? (info.renewalPrice / 1000 + 1).toFixed(2) : "" },
    ], (values) => send(action, { price: Math.round(values.price * 1000) }));
    const plan = (label, action, key = action) => act(label, () => send(action), { "data-focus": `${id} ${key}` });
    return h("article", { class: "card subscription", "data-subscription": id },
        h("div", { class: "row" }, h("h3", {}, names.get(info.productId) ?? info.productId), badge(word, tone),
            subscription.isShared && badge("Shared by a relative", "cool")),
        h("dl", { class: "facts compact" }, [
            [info.renewalDate > now ? "Runs until" : "Ended", time(info.renewalDate)],
            ["Grace until", time(info.gracePeriodExpiresDate)],
            ["Renews for", subscription.isShared ? "" : isOn && isLive ? [info.autoRenewProductId !== info.productId && `${short(info.autoRenewProductId)} `,
                money(info.renewalPrice, info.currency), info.offerType && `, ${offers[info.offerType]}${info.offerDiscountType ? ` (${discounts[info.offerDiscountType]})` : ""}`] : isLive ? "Will not renew" : ""],
            ["What comes next", due && [due, " ", h("span", { class: "quiet" }, time(subscription.nextDue))]],
            ["Price rise", info.priceIncreaseStatus === 0 ? "not answered" : info.priceIncreaseStatus === 1 ? "agreed" : ""],
            ["Ended because", ["", "cancelled", "billing error", "price not agreed", "product unavailable", "other"][info.expirationIntent ?? 0]],
            ["First transaction", h("span", { class: "id" }, id)],
        ].filter(([, value]) => value && value.length !== 0).map(([name, value]) => h("div", {}, h("dt", {}, name), h("dd", {}, value)))),
        !subscription.isShared && h("div", { class: "choices" },
            plan("Renew now", "renew"), isLive && plan("Expire now", "expire"),
            isOn ? plan("Switch renewal off", "disable-auto-renew", "auto-renew") : plan("Switch renewal on", "enable-auto-renew", "auto-renew"),
            info.autoRenewProductId !== info.productId && plan("Withdraw the change", "withdraw-change"),
            isLive && (info.priceIncreaseStatus === 0 ? [plan("Agree to the price", "agree"), plan("Do not agree", "disagree")] : [
                button("Raise the price…", () => price("raise-price", "Raise the price, and ask"), { "data-focus": `${id} raise` }),
                button("Announce a price…", () => price("announce-price", "Raise the price, and tell"), { "data-focus": `${id} announce` })]),
            isLive && button("Put off…", () => ask("Put the renewal off", "Put off", [
                { name: "days", label: "Days", type: "number", min: 1, max: 90, required: true, value: 14 },
            ], ({ days }) => send("extend", { days })), { "data-focus": `${id} extend` })));
}

export async function showCustomer(view, account) {
    const titles = h("div", { class: "tags" });
    const controls = h("div", {});
    const plans = h("div", { class: "grid" });
    const below = h("div", {});
    const nothing = h("div", {});
    let tab = 0, data;
    const line = timeline((summary) => {
        const index = data.summaries.indexOf(summary);
        if (index >= 0) showTransaction(account, summary, data.transactions[index]);
    });
    const transactionColumns = [
        { title: "Time", class: "time", cell: ({ payload }) => time(payload.purchaseDate) },
        { title: "Product", class: "name", cell: ({ payload }) => h("span", { title: payload.productId }, short(payload.productId)) },
        { title: "State", cell: ({ payload }) => badge(...state(payload, watching.now())) },
        { title: "Price", class: "number", cell: ({ payload }) => money(payload.price, payload.currency) },
        { title: "Came by", cell: (each) => [spoken(each.kind), each.payload.offerType && h("span", { class: "quiet" }, ` ${offers[each.payload.offerType].toLowerCase()}`)] },
        {
            title: "Transaction", class: "id", cell: (each) => button(each.payload.transactionId,
                () => showTransaction(account, each, data.transactions[data.summaries.indexOf(each)]), { class: "link", "data-focus": each.payload.transactionId }),
        },
        {
            title: "Do", class: "do", cell: ({ payload }) => h("div", { class: "choices small" }, payload.revocationDate
                ? act("Reverse", () => post`refunds/reverse`({ transaction: payload.transactionId }), { "data-focus": `r${payload.transactionId}`, "aria-label": `Reverse the refund of ${payload.transactionId}` })
                : [button("Refund…", () => refund(payload), { "data-focus": `r${payload.transactionId}`, "aria-label": `Refund ${payload.transactionId}` }),
                    button("Ask…", () => wish(payload), { "data-focus": `a${payload.transactionId}`, "aria-label": `Ask for a refund of ${payload.transactionId}` })]),
        },
    ];
    const chargeColumns = [
        { title: "Time", class: "time", cell: (each) => time(each.date) },
        { title: "Product", class: "name", cell: (each) => h("span", { title: each.productID }, short(each.productID)) },
        { title: "Amount", class: "number", cell: (each) => h("span", { class: each.amount.milliunits < 0 ? "negative" : undefined }, money(each.amount.milliunits, each.amount.currency)) },
        { title: "Transaction", class: "id", cell: (each) => each.transaction },
    ];

    view.refresh = async () => {
        const [accounts, transactions, subscriptions, charges, events, products] = await Promise.all([
            get`accounts`, get`accounts/${account}/transactions`, get`accounts/${account}/subscriptions`, get`accounts/${account}/charges`,
            watching.eventsOf(account), productsOfAll()]);
        data = transactions;
        const person = accounts.accounts.find((each) => each.account === account);
        const names = new Map(products.map((each) => [each.id, each.title || each.id]));
        put(titles, flags(person), person.storefront && badge(person.storefront));
        put(controls, h("div", { class: "spread" }, switches(person), h("div", { class: "choices" },
            act("Settings…", () => settings(person)), act("Offer a product…", () => promote(account)),
            act("Buy…", () => buy(account), { class: "main" }))));
        const now = watching.now();
        line.show(lanesOf({ summaries: transactions.summaries, subscriptions: subscriptions.subscriptions, events, names, now }), now);
        put(nothing, transactions.summaries.length === 0 && empty("No purchases yet.", "Buy something, here or in an app: the time line begins with it."));
        put(plans, subscriptions.subscriptions.map((each) => subscriptionCard(each, names)));
        const newest = transactions.summaries.toReversed();
        const balance = Object.entries(charges.charges.reduce((sums, { amount }) =>
            ({ ...sums, [amount.currency]: (sums[amount.currency] ?? 0) + amount.milliunits }), {})).map(([currency, sum]) => money(sum, currency)).join(" and ");
        put(below, tabs("What is known", [
            { title: "Transactions", count: newest.length, draw: () => newest.length === 0 ? empty("None.") : growing(newest, 60, (rows) => table("Transactions, newest first", transactionColumns, rows)) },
            { title: "Charges", count: charges.charges.length, draw: () => charges.charges.length === 0 ? empty("Nothing was charged.")
                : [h("p", { class: "note" }, `Paid in all: ${balance}`), growing(charges.charges.toReversed(), 60, (rows) => table("Charges, newest first", chargeColumns, rows))] },
            { title: "Events", count: events.length, draw: () => growing(events, 60, (rows) => table("Events, newest first", eventColumns.filter((each) => each.title !== "Customer"), rows)) },
        ], tab, (index) => { tab = index; }));
    };
    view.isInterested = (news) => news.some((event) => event.account === account || event.kind === "clock");
    view.tick = (now) => line.tick(now);
    put(view.place,
        h("div", { class: "heading" }, h("div", {}, h("p", { class: "note" }, h("a", { href: "#/customers" }, "Customers")), h("h1", {}, account), titles)),
        controls, line.element, nothing, plans, below);
    await view.refresh();
}
