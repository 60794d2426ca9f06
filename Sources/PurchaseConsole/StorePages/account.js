// The page of one account: timeline, subscriptions, transactions, charges, events, and actions.

import { h, put, button, heading, choices, table, tabs, pagedList, badge, empty } from "./dom.js";
import { get, post, optional, remove } from "./api.js";
import { ask, actionButton } from "./dialogs.js";
import { time, money, decimals, short, readable, statuses, offers, discounts, span, origins, charge, tierTotal } from "./format.js";
import { itemLink, transactionAddress, missing } from "./items.js";
import { timelineLanes } from "./lanes.js";
import { product } from "./names.js";
import { timeline } from "./timeline.js";
import { showTransaction, openTransaction, refund, requestRefund, isReversible, state } from "./transaction.js";
import { scheduledJumps } from "./clock.js";
import { columns as eventColumns } from "./live.js";
import { happenings } from "./happenings.js";
import { seatActions, seatFact, seatList } from "./seats.js";
import { buy, productOptions, productsOfAll } from "./purchase.js";
import * as stream from "./stream.js";

const change = (account, request) => post`accounts/${account}`(request);

/** Creates the badges of the settings that differ from a new account. */
export function accountBadges(account) {
    return [
        !account.hasValidPaymentMethod && badge("Payment method declines", "bad"), account.askToBuyEnabled && badge("Ask to Buy", "warm"),
        account.interruptedPurchasesEnabled && badge("Interrupted", "warm"), account.family && badge(`Family ${account.family}`, "cool"),
        account.environment === "Production" && badge("Production", "calm"),
    ].filter(Boolean);
}

function settings(account) {
    ask(`Change ${account.account}`, "Change", [
        { name: "password", label: "New password", hint: "Leave empty to keep the password." },
        { name: "storefront", label: "Storefront (alpha-3 code)", value: account.storefront ?? "", keepEmpty: true, hint: "For example DEU. Leave empty to use the storefront of each catalog." },
        { name: "family", label: "Family", value: account.family ?? "", keepEmpty: true, hint: "Accounts with the same value are one family. Leave empty for no family." },
        { name: "sharesPurchases", label: "Share purchases with the family", type: "checkbox", value: account.sharesPurchases },
        { name: "environment", label: "Environment", options: [["Sandbox", "Sandbox"], ["Production", "Production"]], value: account.environment },
    ], (request) => change(account.account, request));
}

async function promote(account) {
    const products = await productsOfAll();
    ask("Promote a product", "Promote", [
        { name: "productID", label: "Product", options: productOptions(products) },
        { name: "offerID", label: "Win-back offer", hint: "The offer identifier. Leave empty for no offer." },
    ], ({ productID, offerID }) => post`promotions`({ account, productID, offerID, bundleID: products.find((each) => each.id === productID)?.bundleID }),
    "Simulates a promoted in-app purchase: the app on the account’s devices receives a purchase intent.");
}

function accountToggles(account) {
    const name = account.account;
    const toggle = (label, isOn, request) => actionButton(label, () => change(name, request), { role: "switch", "aria-checked": String(isOn), class: "switch" });
    return h("div", { class: "choices" },
        toggle("Payment method is valid", account.hasValidPaymentMethod, { hasValidPaymentMethod: !account.hasValidPaymentMethod }),
        toggle("Ask to Buy", account.askToBuyEnabled, { askToBuyEnabled: !account.askToBuyEnabled }),
        toggle("Interrupt purchases", account.interruptedPurchasesEnabled, { interruptedPurchasesEnabled: !account.interruptedPurchasesEnabled }));
}

function subscriptionCard(subscription, account) {
    const info = subscription.renewalInfo;
    const id = info.originalTransactionId;
    const send = (action, more = {}) => post`subscriptions/${id}`({ action, ...more });
    const [word, tone] = statuses[subscription.status] ?? [`Status ${subscription.status}`, "calm"];
    const now = stream.now();
    const isOn = info.autoRenewStatus === 1;
    // Within a commitment, its own status states whether the customer canceled.
    const commitment = info.commitmentInfo;
    const renews = commitment ? commitment.commitmentAutoRenewStatus === 1 : isOn;
    const nextProduct = commitment?.commitmentAutoRenewProductId ?? info.autoRenewProductId;
    const nextPlan = commitment?.commitmentRenewalBillingPlanType ?? info.renewalBillingPlanType;
    const changesPlan = nextProduct !== info.productId || (nextPlan === "MONTHLY") !== Boolean(commitment);
    const isLive = [1, 3, 4].includes(subscription.status);
    const due = subscription.nextRenewalDate && subscription.nextRenewalDate > now ? `in ${span(subscription.nextRenewalDate - now)}` : "";
    const price = (action, title) => ask(title, title, [
        { name: "price", label: `New price of one period, ${info.currency ?? ""}`, type: "number", min: 0, step: 10 ** -decimals(info.currency), required: true,
            value: info.renewalPrice !== undefined ? (info.renewalPrice / 1000 + 1).toFixed(decimals(info.currency)) : "" },
    ], (values) => send(action, { price: Math.round(values.price * 1000) }));
    const plan = (label, action, key = action) => actionButton(label, () => send(action), { "data-focus": `${id} ${key}` });
    return h("article", { class: "card subscription", "data-subscription": id },
        h("div", { class: "row" }, h("h3", {}, product(info.productId)), badge(word, tone),
            subscription.isShared && badge(subscription.isAssigned ? "Group member" : "Family Sharing", "cool")),
        h("dl", { class: "facts compact" }, [
            [info.renewalDate > now ? "Current period ends" : "Ended", time(info.renewalDate)],
            ["Grace period ends", time(info.gracePeriodExpiresDate)],
            ["Renewal price", subscription.isShared ? "" : isOn && isLive ? [info.autoRenewProductId !== info.productId && `${short(info.autoRenewProductId)} `,
                money(info.multiSeatInfo ? tierTotal(info.multiSeatInfo.renewalPriceTiers) : info.renewalPrice, info.currency), info.offerType && `, ${offers[info.offerType]}${info.offerDiscountType ? ` (${discounts[info.offerDiscountType]})` : ""}`] : isLive ? "Will not renew" : ""],
            ["Seats", isLive && seatFact(subscription.seats)],
            ["Commitment ends", commitment && [time(commitment.commitmentRenewalDate), renews ? "" : ", will not renew"]],
            ["After the commitment", commitment && renews && [changesPlan && `${short(nextProduct)}, ${readable(nextPlan)}, `,
                money(commitment.commitmentRenewalPrice, info.currency)]],
            ["Next change", due && [due, " ", h("span", { class: "quiet" }, time(subscription.nextRenewalDate))]],
            ["Price increase", info.priceIncreaseStatus === 0 ? "consent pending" : info.priceIncreaseStatus === 1 ? "consented" : ""],
            ["Expiration reason", ["", "canceled", "billing error", "no consent to price increase", "product unavailable", "other", "left a bundle"][info.expirationIntent ?? 0]],
            ["Original transaction", h("span", { class: "id" }, id)],
        ].filter(([, value]) => value && value.length !== 0).map(([name, value]) => h("div", {}, h("dt", {}, name), h("dd", {}, value)))),
        isLive && seatList(subscription.seats),
        !subscription.isShared && h("div", { class: "choices" },
            isLive && seatActions(subscription.seats, { account, bundleID: subscription.bundleID, productID: info.productId }),
            plan("Renew now", "renew"), isLive && plan("Expire now", "expire"),
            renews ? plan("Disable auto-renew", "disable-auto-renew", "auto-renew") : plan("Enable auto-renew", "enable-auto-renew", "auto-renew"),
            changesPlan && plan("Cancel the plan change", "cancel-change"),
            isLive && (info.priceIncreaseStatus === 0 ? [plan("Consent to the price increase", "consent-to-price-increase"), plan("Decline the price increase", "decline-price-increase")] : [
                button("Price increase with consent…", () => price("increase-price-with-consent", "Price increase with consent"), { "data-focus": `${id} raise` }),
                button("Price increase without consent…", () => price("increase-price-without-consent", "Price increase without consent"), { "data-focus": `${id} announce` })]),
            isLive && button("Extend renewal date…", () => ask("Extend the renewal date", "Extend", [
                { name: "days", label: "Days", type: "number", min: 1, max: 90, required: true, value: 14 },
            ], ({ days }) => send("extend", { days })), { "data-focus": `${id} extend` })));
}

function removeAccount(account) {
    ask("Remove account", "Remove account", [], async () => {
        await remove`accounts/${account}`;
        location.hash = "#/accounts";
    }, `Removes ${account} with its purchases and events, and signs its devices out. This can’t be undone.`);
}

export async function showAccount(view, account) {
    const showMissing = () => put(view.place, heading("No such account"), missing(`The store has no account ${account}.`, "accounts", "the accounts"));
    if (!await optional(get`accounts/${account}`)) return showMissing();
    const titles = h("div", { class: "tags" });
    const controls = h("div", {});
    const jumps = choices("Advance the clock");
    const plans = h("div", { class: "grid" });
    const below = h("div", {});
    const nothing = h("div", {});
    let tab = 0, data, members = new Set();
    const line = timeline((summary) => {
        const index = data.summaries.indexOf(summary);
        if (index >= 0) showTransaction(account, summary, data.signedTransactions[index]);
    });
    const transactionColumns = [
        { title: "Time", class: "time", cell: ({ payload }) => time(payload.purchaseDate) },
        { title: "Product", class: "name", cell: ({ payload }) => product(payload.productId) },
        { title: "State", cell: ({ payload }) => badge(...state(payload, stream.now())) },
        { title: "Price", class: "number", cell: ({ payload }) => money(charge(payload), payload.currency) },
        { title: "Origin", cell: (each) => [origins[each.kind] ?? each.kind, each.payload.offerType && h("span", { class: "quiet" }, ` ${offers[each.payload.offerType].toLowerCase()}`)] },
        {
            title: "Transaction", class: "id opens", cell: (each) => itemLink(each.payload.transactionId, transactionAddress(each.payload.transactionId),
                () => showTransaction(account, each, data.signedTransactions[data.summaries.indexOf(each)]), { "data-focus": each.payload.transactionId }),
        },
        {
            title: "Actions", class: "do", cell: ({ payload }) => h("div", { class: "choices small" },
                isReversible(payload) && actionButton("Reverse", () => post`refunds/reverse`({ transactionID: payload.transactionId }), { "data-focus": `v${payload.transactionId}`, "aria-label": `Reverse the refund of ${payload.transactionId}` }),
                !payload.revocationDate && [button("Refund…", () => refund(payload), { "data-focus": `r${payload.transactionId}`, "aria-label": `Refund ${payload.transactionId}` }),
                    button("Request refund…", () => requestRefund(payload), { "data-focus": `a${payload.transactionId}`, "aria-label": `Request a refund of ${payload.transactionId}` })]),
        },
    ];
    const chargeColumns = [
        { title: "Time", class: "time", cell: (each) => time(each.date) },
        { title: "Product", class: "name", cell: (each) => product(each.productID) },
        { title: "Amount", class: "number", cell: (each) => h("span", { class: each.amount.milliunits < 0 ? "negative" : undefined }, money(each.amount.milliunits, each.amount.currency)) },
        { title: "Transaction", class: "id opens", cell: (each) => itemLink(each.transactionID, transactionAddress(each.transactionID), () => openTransaction(each.transactionID), { "data-focus": `c${each.transactionID}${each.date}` }) },
    ];

    view.refresh = async () => {
        // Another client may have removed the account.
        if (!await optional(get`accounts/${account}`)) {
            view.refresh = view.tick = undefined;
            return showMissing();
        }
        const [description, transactions, subscriptions, charges, events, products] = await Promise.all([
            get`accounts/${account}`, get`accounts/${account}/transactions`, get`accounts/${account}/subscriptions`, get`accounts/${account}/charges`,
            stream.eventsOf(account), productsOfAll()]);
        data = transactions;
        members = new Set(subscriptions.subscriptions.flatMap((each) => each.seats?.members ?? []).map((each) => each.account));
        const names = new Map(productOptions(products));
        put(titles, accountBadges(description), description.storefront && badge(description.storefront));
        put(controls, h("div", { class: "spread" }, accountToggles(description), h("div", { class: "choices" },
            actionButton("Settings…", () => settings(description)), actionButton("Promote a product…", () => promote(account)),
            actionButton("Buy…", () => buy(account), { class: "main" }))));
        const now = stream.now();
        line.show(timelineLanes({ summaries: transactions.summaries, subscriptions: subscriptions.subscriptions, events, names, now }), now);
        put(nothing, transactions.summaries.length === 0 && empty("No purchases yet.", "The timeline starts with the first purchase. Buy a product here or in an app."));
        put(jumps, subscriptions.subscriptions.length > 0 && scheduledJumps(account));
        put(plans, subscriptions.subscriptions.map((each) => subscriptionCard(each, account)));
        const newest = transactions.summaries.toReversed();
        const balance = Object.entries(charges.charges.reduce((sums, { amount }) =>
            ({ ...sums, [amount.currency]: (sums[amount.currency] ?? 0) + amount.milliunits }), {})).map(([currency, sum]) => money(sum, currency)).join(" and ");
        const groups = happenings(events);
        const happened = events.filter(groups.isRow);
        put(below, tabs("Account details", [
            { title: "Transactions", count: newest.length, draw: () => newest.length === 0 ? empty("No transactions yet.") : pagedList(newest, 60, (rows) => table("Transactions, newest first", transactionColumns, rows)) },
            { title: "Charges", count: charges.charges.length, draw: () => charges.charges.length === 0 ? empty("No charges yet.")
                : [h("p", { class: "note" }, `Total paid: ${balance}`), pagedList(charges.charges.toReversed(), 60, (rows) => table("Charges, newest first", chargeColumns, rows))] },
            { title: "Events", count: happened.length, draw: () => pagedList(happened, 60, (rows) => table("Events, newest first", eventColumns(groups).filter((each) => each.title !== "Account"), rows)) },
        ], tab, (index) => { tab = index; }));
    };
    // The events about a member of the account's group belong to the member.
    view.isInterested = (newEvents) => newEvents.some((event) => event.account === account || event.kind === "clock"
        || members.has(event.account) || event.detail === `assigned by ${account}`);
    view.tick = (now) => line.tick(now);
    put(view.place,
        h("div", { class: "heading" }, h("div", {}, h("p", { class: "note" }, h("a", { href: "#/accounts" }, "Accounts")), h("h1", {}, account), titles),
            h("div", { class: "actions" }, button("Remove account…", () => removeAccount(account)))),
        controls, line.element, nothing, jumps, plans, below);
    await view.refresh();
}
