// The part of the form of a product with the offers of a subscription.

import { h, put, button } from "./dom.js";
import { field, values } from "./dialogs.js";
import { amountProblem } from "./format.js";
import { including, internalID, periods, problem } from "./fields.js";

const offerPeriods = [["P3D", "3 days"], ["P1W", "1 week"], ["P2W", "2 weeks"], ...periods.slice(1)];
const modes = [["free", "Free trial"], ["payAsYouGo", "Pay as you go"], ["payUpFront", "Pay up front"]];

/** The customers who may redeem an offer code, by their names in a .storekit file. */
const audiences = [["new", "For new subscribers"], ["existing", "For subscribers"], ["expired", "For lapsed subscribers"]];

/** The accounts that are eligible for a win-back offer; without a value in the file, the App Store's rules apply. */
const eligible = [["", "By the App Store’s rules"], ["true", "Every account"], ["false", "No account"]];

/** The lists of offers: the member of the .storekit file, the titles, the member and the label of the identifier, and the users. */
const lists = [
    { key: "adHocOffers", title: "Promotional offers", one: "promotional offer", id: "offerID", label: "Offer ID", users: "apps and servers name the offer" },
    { key: "codeOffers", title: "Offer codes", one: "offer code", id: "referenceName", label: "Code name", users: "customers and commands name the offer" },
    { key: "winbackOffers", title: "Win-back offers", one: "win-back offer", id: "offerID", label: "Offer ID", users: "apps name the offer" },
];

/** Returns the fields that only offers of one list have, by the suffixes of their names. */
function ownFields(list, offer) {
    if (list?.key === "codeOffers") {
        const chosen = offer ? offer.eligibility ?? [] : audiences.map(([name]) => name);
        return [...audiences.map(([name, label]) => ({ name, label, type: "checkbox", value: chosen.includes(name) })),
            { name: "isStackable", label: "With an introductory offer", type: "checkbox", value: offer?.isStackable ?? false }];
    }
    if (list?.key === "winbackOffers") return [{ name: "isEligible", label: "Eligible", options: eligible, value: offer?.isEligible ?? "", keepEmpty: true }];
    return [];
}

/** Returns the members of an offer that only offers of one list have, from the form. Unchanged members keep their values in the file. */
function ownMembers(list, offer, of) {
    if (list.key === "codeOffers") {
        const [known, old] = [audiences.map(([name]) => name), offer?.eligibility ?? []];
        const eligibility = [...old.filter((name) => !known.includes(name) || of(name)), ...known.filter((name) => of(name) && !old.includes(name))];
        if (eligibility.length === 0 && (!offer || old.length > 0)) throw problem(of.key(known[0]), "Choose who can redeem the code: at least one kind of customer.");
        return { ...(eligibility.length > 0 && { eligibility }), ...(of("isStackable") !== (offer?.isStackable ?? false) && { isStackable: of("isStackable") }) };
    }
    return list.key === "winbackOffers" ? { isEligible: { true: true, false: false }[of("isEligible")] } : {};
}

/** A label within a sentence: “offer ID” for “Offer ID”. */
const inSentence = (label) => label[0].toLowerCase() + label.slice(1);

/**
 * Creates the fields of one offer of a list; `list` is undefined for the introductory offer, and `offer` for a new offer.
 *
 * An unchanged offer is neither checked nor rewritten, because a file can contain offers that the form can't create.
 */
function offerFields({ offer, list, product, currency, remove }) {
    const key = `offer${(offerFields.count = (offerFields.count ?? 0) + 1)}`;
    const own = ownFields(list, offer);
    const all = [
        list && { name: "id", label: list.label, value: offer?.[list.id], keepEmpty: true },
        { name: "mode", label: "Payment", options: list ? modes : [["", "No introductory offer"], ...modes], value: offer?.paymentMode ?? (list ? "free" : "") },
        { name: "period", label: "Duration", options: including(offerPeriods, offer?.subscriptionPeriod), value: offer?.subscriptionPeriod ?? "P1W" },
        { name: "count", label: "Number of periods", value: offer?.numberOfPeriods ?? 1, inputmode: "numeric", keepEmpty: true },
        { name: "price", label: `Offer price, ${currency}`, value: offer?.displayPrice ?? "", inputmode: "decimal", keepEmpty: true },
        ...own,
    ].filter(Boolean).map((each) => ({ ...each, name: key + each.name }));
    const elements = new Map(all.map((each) => [each.name.slice(key.length), field(each)]));
    const mode = elements.get("mode").querySelector("select");
    const update = () => {
        elements.get("period").hidden = mode.value === "" || mode.value === "payAsYouGo";
        elements.get("count").hidden = mode.value !== "payAsYouGo";
        elements.get("price").hidden = mode.value === "" || mode.value === "free";
    };
    mode.addEventListener("change", update);
    update();
    const checks = audiences.map(([name]) => elements.get(name)).filter(Boolean);
    const element = h("div", { class: "offer", role: "group", "aria-label": list ? list.one[0].toUpperCase() + list.one.slice(1) : "Introductory offer" },
        [...elements.values()].filter((each) => !checks.includes(each)), checks.length > 0 && h("div", { class: "checks", role: "group", "aria-label": "Who can redeem the code" }, checks),
        list && button(list.key === "codeOffers" ? "Remove this code" : "Remove this offer", () => remove(), { class: "plain" }));
    let isChanged = !offer;
    for (const kind of ["input", "change"]) element.addEventListener(kind, () => { isChanged = true; });
    /** Returns the offer for the .storekit file; undefined for no offer. */
    const read = async (form, period) => {
        if (!isChanged) {
            // A period of a pay-as-you-go offer is as long as a period of the subscription.
            const follows = offer.paymentMode === "payAsYouGo" && period !== product.recurringSubscriptionPeriod;
            return follows ? { ...offer, subscriptionPeriod: period } : offer;
        }
        const read = await values(form, all);
        const of = Object.assign((name) => read[key + name], { key: (name) => key + name });
        const kind = of("mode");
        if (!kind) return undefined;
        const id = of("id");
        if (list && !id) throw problem(of.key("id"), `Enter the ${inSentence(list.label)}, with which ${list.users}.`);
        const number = of("count");
        if (kind === "payAsYouGo" && !/^([1-9]|1[0-2])$/.test(number)) throw problem(of.key("count"), "Enter a number of periods from 1 to 12.");
        const amount = of("price");
        const wrong = kind !== "free" && amountProblem(amount, currency, "price of the offer");
        if (wrong) throw problem(of.key("price"), wrong);
        return {
            ...(offer ?? { internalID: internalID(), ...(list?.id === "offerID" && { referenceName: id }) }), paymentMode: kind,
            subscriptionPeriod: kind === "payAsYouGo" ? period : of("period"),
            // Members without an effect keep their values in the file, unless the payment mode is changed.
            numberOfPeriods: kind === "payAsYouGo" ? Number(number) : kind === offer?.paymentMode ? offer.numberOfPeriods : undefined,
            displayPrice: kind !== "free" ? amount : kind === offer?.paymentMode ? offer.displayPrice : undefined,
            ...(list && { [list.id]: id, ...ownMembers(list, offer, of) }),
        };
    };
    return { element, read, isChanged: () => isChanged };
}

/** Creates the fields of a list of offers, with a function `read` that returns the list for the .storekit file, or undefined for no list. */
function listPart(list, product, currency) {
    const offers = product?.[list.key];
    const shown = new Set();
    const place = h("div", {});
    const draw = () => put(place, [...shown].map((each) => each.element));
    const add = (offer) => {
        const fields = offerFields({ offer, list, product, currency, remove: () => { shown.delete(fields); draw(); } });
        shown.add(fields);
        draw();
        return fields;
    };
    for (const offer of offers ?? []) add(offer);
    const article = list.one.startsWith("offer") ? "an" : "a";
    const elements = [h("h3", {}, list.title), place, button(`Add ${article} ${list.one}`, () => add().element.querySelector("input").focus())];
    const read = async (form, period) => {
        const result = [];
        for (const each of shown) result.push(await each.read(form, period));
        const twice = result.find((each, index) => [...shown][index].isChanged() && result.some((other) => other !== each && other[list.id] === each[list.id]));
        if (twice) throw new Error(`Two ${inSentence(list.title)} have the ${inSentence(list.label)} ${twice[list.id]}. Change one of them.`);
        return result.length > 0 || offers ? result : undefined;
    };
    return { elements, read };
}

/** Creates the fields of all offers of a subscription, with a function `read` that returns the subscription's members with offers. */
export function offersPart(product, currency) {
    // A list with several introductory offers belongs to billing plans, which the form does not show.
    const hasSeveral = (product?.introductoryOffers?.length ?? 0) > 1;
    const introductory = !hasSeveral && offerFields({ offer: product?.introductoryOffers?.[0] ?? product?.introductoryOffer ?? undefined, product, currency });
    const parts = lists.map((list) => [list.key, listPart(list, product, currency)]);
    const elements = [
        h("h3", {}, "Introductory offer"), introductory ? introductory.element : h("p", { class: "note" }, "The subscription has several introductory offers. Change the offers in the .storekit file."),
        ...parts.flatMap(([, part]) => part.elements),
    ];
    const read = async (form, period) => {
        const members = {};
        for (const [key, part] of parts) {
            const offers = await part.read(form, period);
            if (offers) members[key] = offers;
        }
        const offer = introductory ? await introductory.read(form, period) : undefined;
        return {
            adHocOffers: [], ...members,
            ...(!hasSeveral && (product?.introductoryOffers ? { introductoryOffers: offer ? [offer] : [], ...(product.introductoryOffer !== undefined && { introductoryOffer: offer ?? null }) }
                : { introductoryOffer: offer ?? null })),
        };
    };
    return { elements, read };
}
