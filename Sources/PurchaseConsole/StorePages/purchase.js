// The dialog that buys a product for an account, without an app.

import { get, post } from "./api.js";
import { ask, notice } from "./dialogs.js";
import { money, period, offers as kinds } from "./format.js";

/** Returns the products of all apps of the store, each with the app's bundle ID. */
export async function productsOfAll() {
    const { apps } = await get`apps`;
    const replies = await Promise.all(apps.map((app) => get`apps/${app.bundleID}/products`));
    return replies.flatMap((reply, index) => reply.products.map((product) => ({ ...product, bundleID: apps[index].bundleID })));
}

/** Returns the options of a selection of products. */
export const productOptions = (products) => products.map((each) => [each.id, each.title || each.id]);

const priceText = (product) =>
    `${money(product.price.milliunits, product.price.currency)}${product.subscription ? ` a ${period(product.subscription.period)}` : ""}`;

/** Returns the choice of the billing plan with monthly charges, if the product has one. */
function monthlyChoice(product) {
    const plan = product.subscription?.monthlyPlan;
    if (!plan) return [];
    const price = money(plan.price.milliunits, plan.price.currency);
    return [[`${product.id}|||MONTHLY`, `${product.title || product.id}, ${price} a month, commitment of ${plan.charges} months`]];
}

/** Opens the purchase dialog, buys the product, and shows the result. */
export async function buy(account, product) {
    const [products, { accounts }] = await Promise.all([productsOfAll(), get`accounts?limit=${200}`]);
    const choices = products.flatMap((each) => [
        [`${each.id}|`, `${each.title || each.id}, ${priceText(each)}`],
        ...monthlyChoice(each),
        ...(each.subscription?.offers ?? []).filter((offer) => offer.kind !== 1 && offer.id).map((offer) => [
            `${each.id}|${offer.kind}|${offer.id}|${offer.billingPlan ?? ""}`,
            `${each.title || each.id}, ${kinds[offer.kind].toLowerCase()} ${offer.id}`]),
    ]);
    if (choices.length === 0) return notice("This store has no products yet. Add a .storekit file under Catalog.");
    ask("Buy", "Buy", [
        { name: "account", label: "Account", required: true, value: account ?? "", list: accounts.map((each) => each.account), hint: "The store creates the account if it does not exist." },
        { name: "choice", label: "Product", options: choices, value: product ? `${product}|` : choices[0][0] },
        { name: "quantity", label: "Quantity", type: "number", min: 1, max: 10, value: 1 },
        ...(products.some((each) => each.subscription?.seats) ? [{ name: "seats", label: "Seats", type: "number", min: 1, hint: "For a subscription that is sold in seats. Leave empty for one." }] : []),
        { name: "appAccountToken", label: "App account token", hint: "A UUID (appAccountToken). Leave empty for none." },
    ], async ({ account: buyer, choice, quantity, seats, appAccountToken }) => {
        const [productID, kind, id, billingPlan] = choice.split("|");
        const reply = await post`purchases`({
            account: buyer, productID, quantity: quantity ?? 1, appAccountToken, offer: kind ? { kind: Number(kind), id } : undefined,
            billingPlan: billingPlan || undefined, seats: seats ?? undefined, bundleID: products.find((each) => each.id === productID)?.bundleID,
        });
        if (reply.refused) throw new Error(`${reply.refused.message} (code ${reply.refused.code})`);
        if (reply.deferred) notice(`The purchase of ${buyer} is pending in Ask to Buy.`, "good");
        else if (reply.purchased) notice(`Bought ${productID} for ${buyer}.`, "good");
    });
}
