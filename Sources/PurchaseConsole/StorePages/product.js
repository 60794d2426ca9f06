// The form of a product, which changes the .storekit file that is an app's catalog.

import { h, put, button } from "./dom.js";
import { get, post } from "./api.js";
import { ask, field, notice, openDialog, values } from "./dialogs.js";
import { amountProblem } from "./format.js";

const types = [["Consumable", "Consumable"], ["NonConsumable", "Non-consumable"], ["RecurringSubscription", "Auto-renewable subscription"],
    ["NonRenewingSubscription", "Non-renewing subscription"]];
const periods = [["P1W", "1 week"], ["P1M", "1 month"], ["P2M", "2 months"], ["P3M", "3 months"], ["P6M", "6 months"], ["P1Y", "1 year"]];
const offerPeriods = [["P3D", "3 days"], ["P1W", "1 week"], ["P2W", "2 weeks"], ...periods.slice(1)];
const modes = [["free", "Free trial"], ["payAsYouGo", "Pay as you go"], ["payUpFront", "Pay up front"]];
const newGroup = "+";

/** Returns the options of a selection, with an option for a value of the file that is not among them. */
const including = (options, value) => value === undefined || options.some(([each]) => each === value) ? options : [...options, [value, value]];

/** Returns an error that belongs to a field of the form. */
function problem(name, message) {
    return Object.assign(new Error(message), { field: name });
}

/** Returns the list and the position of a product in a .storekit file, and its subscription group; undefined for an unknown product. */
function find(file, id) {
    const lists = [{ list: file.products }, { list: file.nonRenewingSubscriptions },
        ...(file.subscriptionGroups ?? []).map((group) => ({ list: group.subscriptions, group }))];
    for (const { list, group } of lists) {
        // A list can be missing or null.
        const index = (list ?? []).findIndex((each) => each.productID === id);
        if (index >= 0) return { list, index, group, product: list[index] };
    }
    return undefined;
}

/** Returns a new internal identifier, such as Xcode's: eight hexadecimal digits. */
const internalID = () => [...crypto.getRandomValues(new Uint8Array(4))].map((byte) => byte.toString(16).padStart(2, "0")).join("").toUpperCase();

/** Returns the locale of the texts that the form changes: the file's locale, or the locale that the product's texts have instead. */
function localeOf(file, product) {
    const own = file.settings?._locale ?? "en_US";
    const all = (product?.localizations ?? []).map((each) => each.locale);
    return all.find((each) => each === own) ?? all.find((each) => each?.slice(0, 2) === own.slice(0, 2)) ?? all[0] ?? own;
}

/** Creates the fields of one offer: a kind of payment, its duration and price, and the identifier of a promotional offer. */
function offerFields(offer, currency, isPromotional, remove) {
    const key = `offer${(offerFields.count = (offerFields.count ?? 0) + 1)}`;
    const list = [
        isPromotional && { name: `${key}id`, label: "Offer ID", value: offer?.offerID, keepEmpty: true },
        { name: `${key}mode`, label: "Payment", options: isPromotional ? modes : [["", "No introductory offer"], ...modes], value: offer?.paymentMode ?? (isPromotional ? "free" : "") },
        { name: `${key}period`, label: "Duration", options: including(offerPeriods, offer?.subscriptionPeriod), value: offer?.subscriptionPeriod ?? "P1W" },
        { name: `${key}count`, label: "Number of periods", value: offer?.numberOfPeriods ?? 1, inputmode: "numeric", keepEmpty: true },
        { name: `${key}price`, label: `Offer price, ${currency}`, value: offer?.displayPrice ?? "", inputmode: "decimal", keepEmpty: true },
    ].filter(Boolean);
    const elements = new Map(list.map((each) => [each.name.slice(key.length), field(each)]));
    const mode = elements.get("mode").querySelector("select");
    const update = () => {
        elements.get("period").hidden = mode.value === "" || mode.value === "payAsYouGo";
        elements.get("count").hidden = mode.value !== "payAsYouGo";
        elements.get("price").hidden = mode.value === "" || mode.value === "free";
    };
    mode.addEventListener("change", update);
    update();
    const element = h("div", { class: "offer", role: "group", "aria-label": isPromotional ? "Promotional offer" : "Introductory offer" },
        [...elements.values()], isPromotional && button("Remove this offer", () => remove(element), { class: "plain" }));
    /** Returns the offer for the .storekit file; undefined for no offer. */
    const read = async (form, period) => {
        const of = await values(form, list);
        const kind = of[`${key}mode`];
        if (!kind) return undefined;
        const id = of[`${key}id`];
        if (isPromotional && !id) throw problem(`${key}id`, "Enter the offer ID, with which apps and servers name the offer.");
        const number = of[`${key}count`];
        if (kind === "payAsYouGo" && !/^([1-9]|1[0-2])$/.test(number)) throw problem(`${key}count`, "Enter a number of periods from 1 to 12.");
        const amount = of[`${key}price`];
        const wrong = kind !== "free" && amountProblem(amount, currency, "price of the offer");
        if (wrong) throw problem(`${key}price`, wrong);
        return {
            internalID: internalID(), ...offer, paymentMode: kind, subscriptionPeriod: kind === "payAsYouGo" ? period : of[`${key}period`],
            numberOfPeriods: kind === "payAsYouGo" ? Number(number) : undefined, displayPrice: kind === "free" ? undefined : amount,
            ...(isPromotional && { offerID: id, referenceName: offer?.referenceName ?? id }),
        };
    };
    return { element, read };
}

/** Creates the part of the form for subscriptions. Its `read` returns the members of a subscription and its group. */
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
    // A list with several introductory offers belongs to billing plans, which the form does not show.
    const hasSeveral = (product?.introductoryOffers?.length ?? 0) > 1;
    const introductory = !hasSeveral && offerFields(product?.introductoryOffers?.[0] ?? product?.introductoryOffer ?? undefined, currency, false);
    const promotional = new Set();
    const place = h("div", {});
    const draw = () => put(place, [...promotional].map((each) => each.element));
    const add = (offer) => {
        const fields = offerFields(offer, currency, true, () => { promotional.delete(fields); draw(); });
        promotional.add(fields);
        draw();
        return fields;
    };
    for (const offer of product?.adHocOffers ?? []) add(offer);
    const element = h("div", {}, h("div", { class: "grid-form" }, elements),
        h("h3", {}, "Introductory offer"), introductory ? introductory.element : h("p", { class: "note" }, "The subscription has several introductory offers. Change them in the .storekit file."),
        h("h3", {}, "Promotional offers"), place, button("Add a promotional offer", () => add().element.querySelector("input").focus()));
    const read = async (form) => {
        const of = await values(form, list);
        if (of.group === newGroup && !of.groupName) throw problem("groupName", "Enter a name of the new subscription group.");
        if (!/^[1-9]\d{0,5}$/.test(of.level)) throw problem("level", "Enter a level of 1 or more.");
        const offers = [];
        for (const each of promotional) offers.push(await each.read(form, of.period));
        const twice = offers.find((each, index) => offers.findIndex((other) => other.offerID === each.offerID) < index);
        if (twice) throw new Error(`Two promotional offers have the offer ID ${twice.offerID}. Change one of them.`);
        const offer = introductory ? await introductory.read(form, of.period) : undefined;
        return {
            group: of.group === newGroup ? { name: of.groupName } : { id: of.group },
            members: {
                groupNumber: Number(of.level), recurringSubscriptionPeriod: of.period, adHocOffers: offers,
                ...(!hasSeveral && (product?.introductoryOffers ? { introductoryOffers: offer ? [offer] : [], ...(product.introductoryOffer !== undefined && { introductoryOffer: offer ?? null }) }
                    : { introductoryOffer: offer ?? null })),
            },
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

/** Reads the catalog of an app, changes it, and makes it the app's catalog. */
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
        !old && { name: "productID", label: "Product ID", value: `${app.bundleID}.`, keepEmpty: true, hint: "It can’t be changed later." },
        !old && { name: "type", label: "Type", options: types, value: "Consumable" },
        { name: "displayName", label: `Display name, ${locale}`, value: text?.displayName, keepEmpty: true },
        { name: "description", label: `Description, ${locale}`, value: text?.description, keepEmpty: true },
        { name: "displayPrice", label: `Price, ${app.currency}`, value: old?.displayPrice, inputmode: "decimal", keepEmpty: true },
        { name: "familyShareable", label: "Family Sharing", type: "checkbox", value: old?.familyShareable },
    ].filter(Boolean);
    const elements = new Map(list.map((each) => [each.name, field(each)]));
    const subscription = subscriptionPart(file, old, found?.group, app.currency);
    // The type of a product that is in its list without a type.
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
                // The message is next to its field, because the end of a long form is out of sight.
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
