// The form of a product, which changes the .storekit file that is an app's catalog.

import { h } from "./dom.js";
import { get, post } from "./api.js";
import { ask, field, notice, openDialog, values } from "./dialogs.js";
import { amountProblem } from "./format.js";
import { including, internalID, periods, problem } from "./fields.js";
import { offersPart } from "./offers.js";

const types = [["Consumable", "Consumable"], ["NonConsumable", "Non-consumable"], ["RecurringSubscription", "Auto-renewable subscription"],
    ["NonRenewingSubscription", "Non-renewing subscription"]];
const newGroup = "+";

/** Returns the list and the position of a product in a .storekit file, and its subscription group; undefined for an unknown product. */
function find(file, id) {
    const lists = [{ list: file.products }, { list: file.nonRenewingSubscriptions },
        ...(file.subscriptionGroups ?? []).map((group) => ({ list: group.subscriptions, group }))];
    for (const { list, group } of lists) {
        // A list may be missing or null.
        const index = (list ?? []).findIndex((each) => each.productID === id);
        if (index >= 0) return { list, index, group, product: list[index] };
    }
    return undefined;
}

/** Returns the locale of the texts that the form changes: the file's locale, or the locale that the product's texts have instead. */
function localeOf(file, product) {
    const own = file.settings?._locale ?? "en_US";
    const all = (product?.localizations ?? []).map((each) => each.locale);
    return all.find((each) => each === own) ?? all.find((each) => each?.slice(0, 2) === own.slice(0, 2)) ?? all[0] ?? own;
}

/** Creates the part of the form for subscriptions, with a function `read` that returns the members of a subscription and its group. */
function subscriptionPart(file, product, group, currency) {
    const groups = file.subscriptionGroups ?? [];
    const list = [
        { name: "group", label: "Subscription group", options: [...groups.map((each) => [each.id, each.name || each.id]), [newGroup, "New group"]], value: group?.id ?? groups[0]?.id ?? newGroup },
        { name: "groupName", label: "Name of the new group", keepEmpty: true },
        { name: "period", label: "Subscription period", options: including(periods, product?.recurringSubscriptionPeriod), value: product?.recurringSubscriptionPeriod ?? "P1M" },
        { name: "level", label: "Level, 1 is the highest", value: product?.groupNumber ?? 1, inputmode: "numeric", keepEmpty: true },
    ];
    const elements = list.map(field);
    const choice = elements[0].querySelector("select");
    const update = () => { elements[1].hidden = choice.value !== newGroup; };
    choice.addEventListener("change", update);
    update();
    const offers = offersPart(product, currency);
    const element = h("div", {}, h("div", { class: "grid-form" }, elements), offers.elements);
    const read = async (form) => {
        const of = await values(form, list);
        if (of.group === newGroup && !of.groupName) throw problem("groupName", "Enter a name for the new subscription group.");
        if (!/^[1-9]\d{0,5}$/.test(of.level)) throw problem("level", "Enter a level of 1 or more.");
        return {
            group: of.group === newGroup ? { name: of.groupName } : { id: of.group },
            members: { groupNumber: Number(of.level), recurringSubscriptionPeriod: of.period, ...await offers.read(form, of.period) },
        };
    };
    return { element, read };
}

/** Puts a product into a .storekit file, in place of the product with its identifier. */
function insert(file, product, group) {
    const old = find(file, product.productID);
    const listName = product.type === "NonRenewingSubscription" ? "nonRenewingSubscriptions" : "products";
    let list;
    if (group) {
        file.subscriptionGroups ??= [];
        let target = file.subscriptionGroups.find((each) => each.id === group.id);
        if (!target) {
            target = { id: internalID(), localizations: [], name: group.name, subscriptions: [] };
            file.subscriptionGroups.push(target);
        }
        product.subscriptionGroupID = target.id;
        list = target.subscriptions ??= [];
    } else {
        list = old && !old.group ? old.list : file[listName] ??= [];
    }
    if (old?.list === list) list[old.index] = product;
    else {
        old?.list.splice(old.index, 1);
        list.push(product);
    }
}

/** Reads the catalog of an app, changes it, and uploads the changed catalog. */
async function changeCatalog(app, change) {
    const file = await get`apps/${app.bundleID}/storekit`;
    change(file);
    await post`apps/${app.bundleID}`({ storekit: file });
}

/** Opens the form that adds a product to an app, or changes the product with an identifier. */
export async function editProduct(app, id, changed) {
    const file = await get`apps/${app.bundleID}/storekit`;
    const found = id === undefined ? undefined : find(file, id);
    const old = found?.product;
    const locale = localeOf(file, old);
    const text = old?.localizations?.find((each) => each.locale === locale);
    const list = [
        !old && { name: "productID", label: "Product ID", value: `${app.bundleID}.`, keepEmpty: true, hint: "The product ID can’t be changed later." },
        !old && { name: "type", label: "Type", options: types, value: "Consumable" },
        { name: "displayName", label: `Display name, ${locale}`, value: text?.displayName, keepEmpty: true },
        { name: "description", label: `Description, ${locale}`, value: text?.description, keepEmpty: true },
        { name: "displayPrice", label: `Price, ${app.currency}`, value: old?.displayPrice, inputmode: "decimal", keepEmpty: true },
        { name: "familyShareable", label: "Family Sharing", type: "checkbox", value: old?.familyShareable },
    ].filter(Boolean);
    const elements = new Map(list.map((each) => [each.name, field(each)]));
    const subscription = subscriptionPart(file, old, found?.group, app.currency);
    // The type of a product that states no type.
    const untyped = found?.group ? "RecurringSubscription" : "NonRenewingSubscription";
    const typeOf = () => old ? old.type ?? untyped : elements.get("type").querySelector("select").value;
    const update = () => {
        subscription.element.hidden = typeOf() !== "RecurringSubscription";
        elements.get("familyShareable").hidden = ["Consumable", "NonRenewingSubscription"].includes(typeOf());
    };
    elements.get("type")?.querySelector("select").addEventListener("change", update);
    update();

    const read = async () => {
        const of = await values(form, list);
        const productID = old?.productID ?? of.productID;
        if (!productID || productID.endsWith(".")) throw problem("productID", "Enter the complete product ID, such as com.example.app.coins.");
        if (!of.displayName) throw problem("displayName", "Enter the display name, which customers see.");
        const isSubscription = typeOf() === "RecurringSubscription";
        const wrong = amountProblem(of.displayPrice, app.currency, "price");
        if (wrong) throw problem("displayPrice", wrong);
        // A price of 0 would make the product a free subscription, which the App Store no longer sells.
        if (isSubscription && Number(of.displayPrice) === 0 && Number(old?.displayPrice) !== 0) throw problem("displayPrice", "Enter a price above 0. For a free period, add an introductory offer.");
        const part = isSubscription ? await subscription.read(form) : undefined;
        const localization = { ...text, locale, displayName: of.displayName, description: of.description };
        const localizations = old?.localizations ?? [];
        return {
            group: part?.group,
            product: {
                internalID: internalID(), referenceName: of.displayName, ...old, productID, type: typeOf(), displayPrice: of.displayPrice,
                familyShareable: of.familyShareable && !elements.get("familyShareable").hidden, ...part?.members,
                localizations: text ? localizations.map((each) => each === text ? localization : each) : [...localizations, localization],
            },
        };
    };
    const refusal = h("p", { class: "refusal", role: "alert" });
    const submit = h("button", { type: "submit", class: "main" }, old ? "Save product" : "Add product");
    const actions = h("div", { class: "actions" }, submit);
    const form = h("form", {
        novalidate: true,
        onsubmit: async (event) => {
            event.preventDefault();
            submit.disabled = true;
            refusal.textContent = "";
            for (const each of form.querySelectorAll("[aria-invalid]")) each.removeAttribute("aria-invalid");
            try {
                const { product, group } = await read();
                await changeCatalog(app, (current) => {
                    if (!old && find(current, product.productID)) throw problem("productID", `The catalog already has the product ${product.productID}. Enter another product ID.`);
                    insert(current, product, group);
                });
                dialog.close();
                notice(old ? `Saved ${product.productID}.` : `Added ${product.productID}.`, "good");
                await changed();
            } catch (error) {
                refusal.textContent = error.message;
                const input = error.field && form.elements.namedItem(error.field);
                // Show the message next to the field, because the end of a long form is out of sight.
                if (input) input.closest(".field").append(refusal);
                else actions.before(refusal);
                input?.setAttribute("aria-invalid", "true");
                input?.focus();
            } finally {
                submit.disabled = false;
            }
        },
    }, h("div", { class: "grid-form" }, [...elements.values()]), subscription.element, refusal, actions);
    const dialog = openDialog(old ? `Change ${old.productID}` : "New product", form);
}

/** Asks whether to remove a product from the catalog of an app, and removes it. */
export function removeProduct(app, id, changed) {
    ask("Remove product", "Remove product", [], async () => {
        await changeCatalog(app, (file) => {
            const found = find(file, id);
            found?.list.splice(found.index, 1);
            if (found?.group && found.list.length === 0) file.subscriptionGroups.splice(file.subscriptionGroups.indexOf(found.group), 1);
        });
        notice(`Removed ${id}.`, "good");
        await changed();
    }, `Apps can no longer load or buy ${id}. Accounts keep their purchases, and its subscriptions do not renew.`);
}
